// SPDX-License-Identifier: MIT
#include "policy/agent_programs.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/file.hpp"
#include "sys/processes/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>

namespace shadow::policy {
namespace {

// The last component of a word, without what a package manager or a script adds to a name:
// "/usr/bin/claude", "@openai/codex@latest", "gemini.js".
std::string_view program_name(std::string_view word) {
  const std::size_t slash = word.rfind('/');
  word = slash == std::string_view::npos ? word : word.substr(slash + 1);
  word = word.substr(0, word.find('@', 1));
  for (const std::string_view script : {".js", ".mjs", ".cjs", ".py"}) {
    word.remove_suffix(word.ends_with(script) ? script.size() : 0);
  }
  if (word == "claude-code") {
    return "claude";
  }
  constexpr std::string_view kCli = "-cli";
  return word.ends_with(kCli) ? word.substr(0, word.size() - kCli.size()) : word;
}

const AgentProgram* find_program(std::string_view name) {
  const auto& all = agent_programs();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [name](const AgentProgram& known) { return known.name == name; });
  return found == all.end() ? nullptr : &*found;
}

// Those that start what one of their next words names.
bool is_launcher(std::string_view name) {
  constexpr std::array<std::string_view, 23> kLaunchers = {
      "node", "nodejs", "deno", "bun",   "bunx",   "npx",  "npm",    "pnpm",
      "pnpx", "yarn",   "uv",   "uvx",   "pipx",   "env",  "sh",     "bash",
      "dash", "zsh",    "nice", "nohup", "setsid", "time", "timeout"};
  return name.starts_with("python") ||
         std::find(kLaunchers.begin(), kLaunchers.end(), name) != kLaunchers.end();
}

const AgentProgram* program_of(const std::vector<std::string>& argv, const std::string& agent) {
  // "node /usr/lib/.../claude", "npx -y @openai/codex": the words before the program's own options.
  constexpr std::size_t kMostWords = 4;
  const bool by_launcher = !argv.empty() && is_launcher(program_name(argv.front()));
  for (std::size_t i = 0; i < std::min(argv.size(), by_launcher ? kMostWords : 1); ++i) {
    if (const AgentProgram* program = find_program(program_name(argv[i]))) {
      return program;
    }
  }
  return find_program(agent);
}

void make_directory(const std::string& home, const std::string& path) {
  for (std::size_t end = path.find('/');; end = path.find('/', end + 1)) {
    const std::string directory = home + "/" + path.substr(0, end);
    // Whatever is there stays, be it a link.
    if (::mkdir(directory.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
      throw_errno("make directory " + quoted(directory));
    }
    if (end == std::string::npos) {
      return;
    }
  }
}

std::string place_of(const std::string& variable) {
  std::string place = sys::environment(variable.c_str()).value_or("");
  while (place.ends_with('/')) {
    place.pop_back();
  }
  return place;
}

void make_file(const std::string& path) {
  const sys::Fd made =
      sys::try_open_at(AT_FDCWD, path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, S_IRUSR | S_IWUSR);
  if (made) {
    sys::write_all(made.get(), "{}\n");
  } else if (errno != EEXIST) {
    throw_errno("make " + quoted(path));
  }
}

}  // namespace

const std::vector<AgentProgram>& agent_programs() {
  static const std::vector<AgentProgram> programs = {
      {"claude", {".claude"}, {".claude.json"}, "CLAUDE_CONFIG_DIR"},
      {"codex", {".codex"}, {}, "CODEX_HOME"},
      {"gemini", {".gemini"}, {}},
      {"opencode", {".config/opencode", ".local/share/opencode", ".local/state/opencode"}, {}},
      {"goose", {".config/goose", ".local/share/goose"}, {}},
      {"qwen", {".qwen"}, {}},
      {"crush", {".config/crush", ".local/share/crush"}, {}},
      {"copilot", {".copilot"}, {}, "COPILOT_HOME"}};
  return programs;
}

void make_agent_places(const std::string& home, const std::vector<std::string>& argv,
                       const std::string& agent) {
  const AgentProgram* program = home.empty() ? nullptr : program_of(argv, agent);
  if (program == nullptr) {
    return;
  }
  for (const std::string& directory : program->directories) {
    make_directory(home, directory);
  }
  for (const std::string& file : program->files) {
    make_file(std::string{home}.append("/").append(file));
  }
}

std::string missing_place_of_caller(const PolicyPlaces& places,
                                    const std::vector<std::string>& argv,
                                    const std::string& agent) {
  const std::string& home = places.home;
  const AgentProgram* program = home.empty() ? nullptr : program_of(argv, agent);
  if (program == nullptr || program->variable.empty()) {
    return {};
  }
  const std::string place = place_of(program->variable);
  struct stat st {};
  if (!place.starts_with(home + "/") || is_at_or_below(place, places.project) ||
      is_at_or_below(place, places.state) || ::lstat(place.c_str(), &st) == 0) {
    return {};
  }
  return place.substr(home.size() + 1);
}

void make_place_of_caller(const std::string& home, const std::string& place,
                          const std::vector<std::string>& secrets) {
  const bool secret = std::any_of(secrets.begin(), secrets.end(), [&place](const std::string& one) {
    return is_at_or_below(place, one) || is_at_or_below(one, place);
  });
  if (!secret && sys::is_plain_relative(place)) {
    // Past no link: one in a directory that runs may write can lead anywhere.
    const sys::Fd root = sys::open_path(home, O_RDONLY | O_DIRECTORY);
    (void)sys::make_dirs(root.get(), place, S_IRWXU);
  }
}

std::vector<std::string> agent_places_of_caller(const std::string& home,
                                                const std::string& project) {
  std::vector<std::string> places;
  for (const AgentProgram& program : agent_programs()) {
    const std::string place = program.variable.empty() ? "" : place_of(program.variable);
    if (place.starts_with('/') && !is_at_or_below(home, place) && !is_at_or_below(project, place)) {
      places.push_back(place);
    }
  }
  return places;
}

}  // namespace shadow::policy
