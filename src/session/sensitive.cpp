// SPDX-License-Identifier: MIT
#include "session/sensitive.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sys/beneath.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <fnmatch.h>

namespace shadow {

namespace {

struct Rule {
  std::string_view name;  // a path component, or several
  std::string_view reason;
};

// Wherever they lie in the tree, and everything below them.
constexpr std::array kComponents = {
    Rule{".vscode", "an editor runs its tasks and settings"},
    Rule{".idea", "an editor runs its tasks and settings"},
    Rule{".claude", "an agent's own settings and hooks"},
    Rule{".cursor", "an agent's own settings and hooks"},
};

constexpr std::array kFiles = {
    Rule{".gitmodules", "git fetches from where it says"},
    Rule{".envrc", "direnv runs it"},
    Rule{".mcp.json", "agents start the servers it names"},
    Rule{".gitlab-ci.yml", "a CI workflow"},
    Rule{".travis.yml", "a CI workflow"},
    Rule{".drone.yml", "a CI workflow"},
    Rule{".woodpecker.yml", "a CI workflow"},
    Rule{"azure-pipelines.yml", "a CI workflow"},
    Rule{"bitbucket-pipelines.yml", "a CI workflow"},
    Rule{"Jenkinsfile", "a CI workflow"},
    Rule{".bashrc", "a shell runs it when it starts"},
    Rule{".bash_profile", "a shell runs it when it starts"},
    Rule{".bash_login", "a shell runs it when it starts"},
    Rule{".bash_logout", "a shell runs it when it ends"},
    Rule{".profile", "a shell runs it when it starts"},
    Rule{".zshrc", "a shell runs it when it starts"},
    Rule{".zshenv", "a shell runs it when it starts"},
    Rule{".zprofile", "a shell runs it when it starts"},
    Rule{".zlogin", "a shell runs it when it starts"},
    Rule{".kshrc", "a shell runs it when it starts"},
    Rule{".cshrc", "a shell runs it when it starts"},
    Rule{".tcshrc", "a shell runs it when it starts"},
    Rule{"config.fish", "a shell runs it when it starts"},
};

// Relative to the project's root, and everything below them.
constexpr std::array kTrees = {
    Rule{".github/workflows", "a CI workflow"},  Rule{".github/actions", "a CI workflow"},
    Rule{".gitlab/ci", "a CI workflow"},         Rule{".circleci", "a CI workflow"},
    Rule{".woodpecker", "a CI workflow"},        Rule{".buildkite", "a CI workflow"},
    Rule{".forgejo/workflows", "a CI workflow"}, Rule{".gitea/workflows", "a CI workflow"},
};

constexpr std::array kGitParts = {
    Rule{"hooks", "git runs it"},
    Rule{"config", "git obeys it, and it can name programs to run"},
    Rule{"config.worktree", "git obeys it, and it can name programs to run"},
    Rule{"info", "git obeys it"},
};

// A filesystem that folds case takes ".VSCode" for ".vscode".
std::string lower_case(std::string_view text) {
  std::string lower{text};
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower;
}

template <std::size_t N>
std::string_view reason_in(const std::array<Rule, N>& rules, std::string_view name) {
  const auto found = std::find_if(rules.begin(), rules.end(), [name](const Rule& rule) {
    return lower_case(rule.name) == name;
  });
  return found == rules.end() ? std::string_view{} : found->reason;
}

std::string_view reason_of_path(const std::string& path) {
  for (const Rule& tree : kTrees) {
    if (path == tree.name ||
        (path.size() > tree.name.size() && path.compare(0, tree.name.size(), tree.name) == 0 &&
         path[tree.name.size()] == '/')) {
      return tree.reason;
    }
  }
  const std::vector<std::string> parts = split(path, '/');
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (const auto reason = reason_in(kComponents, parts[i]); !reason.empty()) {
      return reason;
    }
    if (parts[i] == ".git" && i + 1 < parts.size()) {
      // The repositories of sub-modules lie in modules/NAME, NAME being any number of components.
      for (std::size_t j = i + 1; j < parts.size(); ++j) {
        if (j == i + 1 || parts[i + 1] == "modules") {
          if (const auto reason = reason_in(kGitParts, parts[j]); !reason.empty()) {
            return reason;
          }
        }
      }
    }
  }
  return reason_in(kFiles, parts.back());
}

bool names_programs(const std::string& attributes) {
  return attributes.find("filter") != std::string::npos ||
         attributes.find("diff=") != std::string::npos ||
         attributes.find("merge=") != std::string::npos;
}

// What cannot be read, because it is larger than any list of attributes, say, may name them as
// well.
bool may_name_programs(const std::string& path, const ReadView& read) {
  try {
    const auto text = read(path);
    return !text || names_programs(*text);
  } catch (const Error&) {
    return true;
  }
}

// git takes a directory with a HEAD, objects and refs for a repository whatever its name is, and
// obeys the settings in it as soon as somebody stands there.
bool is_config_of_repository(const std::string& path, const ReadView& read) {
  constexpr std::string_view kName = "config";
  constexpr std::string_view kSymbolic = "ref:";
  constexpr std::size_t kHexId = 40;
  if (lower_case(sys::split_path(path).name) != kName) {
    return false;
  }
  try {
    const auto head = read(sys::join_path(sys::split_path(path).parent, "HEAD"));
    return head &&
           (head->compare(0, kSymbolic.size(), kSymbolic) == 0 ||
            (head->size() >= kHexId && head->find_first_not_of("0123456789abcdef") >= kHexId));
  } catch (const Error&) {
    return true;
  }
}

// Whether a symlink's target, read as text from where the link lies, is outside of the project. A
// link on the way cannot help it out: that link is outside-pointing itself, or the user's own.
bool leads_out(const std::string& path, const std::string& target, const std::string& root) {
  std::size_t depth = static_cast<std::size_t>(std::count(path.begin(), path.end(), '/'));
  std::string_view rest = target;
  if (!target.empty() && target.front() == '/') {
    const bool inside = target.size() > root.size() && target.compare(0, root.size(), root) == 0 &&
                        target[root.size()] == '/';
    if (!inside) {
      return target != root;
    }
    rest.remove_prefix(root.size());
    depth = 0;
  }
  for (const std::string& part : split(rest, '/')) {
    if (part.empty() || part == ".") {
      continue;
    }
    if (part != "..") {
      ++depth;
    } else if (depth-- == 0) {
      return true;
    }
  }
  return false;
}

bool matches(const std::string& path, const std::vector<std::string>& patterns) {
  const std::size_t slash = path.rfind('/');
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    const bool whole = pattern.find('/') != std::string::npos;
    return ::fnmatch(pattern.c_str(), whole ? path.c_str() : name.c_str(), 0) == 0;
  });
}

}  // namespace

std::string sensitive_reason(const Change& change, const std::string& root,
                             const std::vector<std::string>& patterns, const ReadView& read) {
  const std::string path = lower_case(change.path);
  const Entry& after = change.after;
  if (after.kind == EntryKind::Device) {
    return "a device node";
  }
  if (const auto reason = reason_of_path(path); !reason.empty()) {
    return std::string{reason};
  }
  if (matches(change.path, patterns)) {
    return "your configuration names it";
  }
  const std::size_t slash = path.rfind('/');
  const bool attributes =
      (slash == std::string::npos ? path : path.substr(slash + 1)) == ".gitattributes";
  if (attributes && after.kind == EntryKind::File && may_name_programs(change.path, read)) {
    return "it names filters, which git runs";
  }
  if (after.kind == EntryKind::File && is_config_of_repository(change.path, read)) {
    return "the settings of a git repository";
  }
  if (after.kind == EntryKind::Symlink && leads_out(change.path, after.target, root)) {
    return "a symlink out of the project";
  }
  return {};
}

}  // namespace shadow
