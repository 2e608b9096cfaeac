// SPDX-License-Identifier: MIT
#include "policy/profile.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"

#include <array>

namespace shadow::policy {
namespace {

// The figures of a hardened container for code that a model wrote.
constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20U;
constexpr std::uint64_t kStrictMemory = 512 * kMebibyte;
constexpr std::uint64_t kStrictMilliCpus = 500;
constexpr std::uint64_t kStrictPids = 64;
constexpr std::uint64_t kStrictTmp = 64 * kMebibyte;

// Places where the well-known agent programs keep their login, settings and conversations.
constexpr std::array kAgentState = {".claude",       ".claude.json",       ".codex",
                                    ".gemini",       ".config/opencode",   ".local/share/opencode",
                                    ".config/goose", ".local/share/goose", ".qwen",
                                    ".config/crush", ".local/share/crush", ".local/state/opencode",
                                    ".copilot"};

constexpr std::array kAgentVariables = {
    "ANTHROPIC_*",       "CLAUDE_*",         "OPENAI_*",          "CODEX_*",
    "AZURE_OPENAI_*",    "GEMINI_*",         "GOOGLE_API_KEY",    "OPENROUTER_API_KEY",
    "MISTRAL_API_KEY",   "DEEPSEEK_API_KEY", "GROQ_API_KEY",      "XAI_API_KEY",
    "DASHSCOPE_API_KEY", "TOGETHER_API_KEY", "FIREWORKS_API_KEY", "CEREBRAS_API_KEY",
    "COPILOT_*"};

PolicyLayer strict_layer() {
  PolicyLayer layer;
  layer.net = NetworkAccess{Network::None, {}};
  layer.home = HomeMode::Private;
  layer.clear_env = true;
  layer.limit(LimitKind::Memory) = kStrictMemory;
  layer.limit(LimitKind::Cpus) = kStrictMilliCpus;
  layer.limit(LimitKind::Pids) = kStrictPids;
  layer.limit(LimitKind::TmpSize) = kStrictTmp;
  return layer;
}

PolicyLayer agent_layer(const PolicyPlaces& places) {
  PolicyLayer layer;
  layer.net = NetworkAccess{Network::Host, {}};
  // Nobody looks at what an agent does once its own window is closed.
  layer.die_with_parent = true;
  for (const char* name : kAgentVariables) {
    layer.env.push_back({EnvRule::Action::Pass, name, {}, Origin::Profile});
  }
  if (!places.home.empty()) {
    for (const char* path : kAgentState) {
      layer.paths.push_back({Access::ReadWrite, places.home + "/" + path, Origin::Profile});
    }
  }
  for (const std::string& path : places.agent_homes) {
    layer.paths.push_back({Access::ReadWrite, path, Origin::Profile});
  }
  return layer;
}

}  // namespace

std::vector<std::string> profile_names() {
  return {"agent", "default", "strict"};
}

PolicyLayer profile_layer(const std::string& name, const PolicyPlaces& places) {
  PolicyLayer layer;
  if (name == "strict") {
    layer = strict_layer();
  } else if (name == "agent") {
    layer = agent_layer(places);
  } else if (name != "default") {
    throw Error{"no profile " + quoted(name), "profiles: " + join(profile_names(), ", ")};
  }
  layer.origin = Origin::Profile;
  return layer;
}

}  // namespace shadow::policy
