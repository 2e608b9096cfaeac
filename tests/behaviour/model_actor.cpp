// SPDX-License-Identifier: MIT
// What a user or an agent does to a tree, by name and numbers: in the project or in a view. Reads
// one line of JSON after the other, [name, argument...], and answers each: `look` with {path:
// [kind, mode, text]}, an action with the paths that it touched. A program because a run of it
// starts in a tenth of the time that an interpreter takes.

#include "model_look.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <iostream>
#include <map>
#include <string>
#include <system_error>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace model {
namespace {

using nlohmann::json;

constexpr std::array kNames{"a", "b", "c", "d/a", "d/b", "e/a", "e/b", "x"};
constexpr std::array kTrees{"d", "e", "x"};
constexpr mode_t kAllMayExecute = 0111;
constexpr mode_t kFile = 0666;
constexpr mode_t kDirectory = 0777;

void write_text(const std::string& path, const std::string& text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kFile);
  check(file >= 0, path);
  const bool written = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  check(::close(file) == 0 && written, path);
}

// In place, or by a rename, as editors do.
void save(const std::string& path, const std::string& text, unsigned how) {
  if (how % 2 == 0 || ::access(path.c_str(), F_OK) != 0) {
    return write_text(path, text);
  }
  const mode_t mode = mode_of(path);
  const std::string made = path + "~";
  write_text(made, text);
  if (::chmod(made.c_str(), mode) != 0 || ::rename(made.c_str(), path.c_str()) != 0) {
    const std::system_error failure{errno, std::generic_category(), path};
    ::unlink(made.c_str());
    throw failure;
  }
}

Paths files() {
  Paths paths;
  for (const auto& [path, fact] : look(Sight::Listed)) {
    if (!fact.link) {
      paths.push_back(path);
    }
  }
  return paths;
}

// One of them; none when there is none.
Paths one_file(const json& which) {
  const Paths there = files();
  return there.empty() ? Paths{} : Paths{there[which.get<std::size_t>() % there.size()]};
}

Paths lines_of(const std::string& text) {
  Paths lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  return lines;
}

std::string joined(const Paths& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += line;
  }
  return text;
}

void make_directories(const std::string& path) {
  if (path.empty() || kind_of(path) == S_IFDIR) {
    return;
  }
  make_directories(parent_of(path));
  check(::mkdir(path.c_str(), kDirectory) == 0, path);
}

// Whether a file of that name can be made: nothing is there, and no file stands in the way.
bool make_room(const std::string& path) {
  const std::string above = parent_of(path);
  if (kind_of(path) != 0 || (!above.empty() && kind_of(above) != 0 && kind_of(above) != S_IFDIR)) {
    return false;
  }
  make_directories(above);
  return true;
}

void remove_tree(const std::string& path) {
  for (const std::string& name : names_in(path)) {
    const std::string below = path + '/' + name;
    if (kind_of(below) == S_IFDIR) {
      remove_tree(below);
    } else {
      check(::unlink(below.c_str()) == 0, below);
    }
  }
  check(::rmdir(path.c_str()) == 0, path);
}

std::string name_of(const json& which) {
  return kNames.at(which.get<std::size_t>() % kNames.size());
}

// The actions, by [name, argument...]; where nothing is said, the argument is which.

// which, where, line, how
Paths insert(const json& step) {
  Paths touched = one_file(step[1]);
  for (const std::string& path : touched) {
    Paths lines = lines_of(read_text(path));
    const std::size_t where = step[2].get<std::size_t>() % (lines.size() + 1);
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(where),
                 step[3].get<std::string>() + "\n");
    save(path, joined(lines), step[4].get<unsigned>());
  }
  return touched;
}

// which, where, how
Paths cut(const json& step) {
  const Paths touched = one_file(step[1]);
  for (const std::string& path : touched) {
    Paths lines = lines_of(read_text(path));
    if (lines.empty()) {
      return {};
    }
    const std::size_t where = step[2].get<std::size_t>() % lines.size();
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(where));
    save(path, joined(lines), step[3].get<unsigned>());
  }
  return touched;
}

// path, text, and the time of last modification or nothing
Paths overwrite(const json& step) {
  const std::string path = step[1].get<std::string>();
  if (kind_of(path) != S_IFREG) {
    return {};
  }
  save(path, step[2].get<std::string>(), 1);
  if (step.size() > 3) {
    constexpr long kSecond = 1'000'000'000;
    const long time = step[3].get<long>();
    const timespec at{time / kSecond, time % kSecond};
    const std::array<timespec, 2> times{at, at};
    check(::utimensat(AT_FDCWD, path.c_str(), times.data(), 0) == 0, path);
  }
  return {path};
}

// which, lines
Paths create(const json& step) {
  const std::string path = name_of(step[1]);
  if (!make_room(path)) {
    return {};
  }
  std::string text;
  for (const json& line : step[2]) {
    text += line.get<std::string>() + "\n";
  }
  save(path, text, 0);
  return {path};
}

Paths unlink_one(const json& step) {
  Paths touched = one_file(step[1]);
  for (const std::string& path : touched) {
    check(::unlink(path.c_str()) == 0, path);
  }
  return touched;
}

// which, to
Paths rename_one(const json& step) {
  const Paths from = one_file(step[1]);
  const std::string to = name_of(step[2]);
  if (from.empty() || !make_room(to)) {
    return {};
  }
  check(::rename(from[0].c_str(), to.c_str()) == 0, to);
  return {from[0], to};
}

Paths chmod_one(const json& step) {
  Paths touched = one_file(step[1]);
  for (const std::string& path : touched) {
    check(::chmod(path.c_str(), mode_of(path) ^ kAllMayExecute) == 0, path);
  }
  return touched;
}

Paths touch(const json& step) {
  Paths touched = one_file(step[1]);
  for (const std::string& path : touched) {
    check(::utimensat(AT_FDCWD, path.c_str(), nullptr, 0) == 0, path);
  }
  return touched;
}

// Of a step about a whole tree.
Paths tree_of(const json& step) {
  const std::size_t count = step[0] == "swap_kind" ? 3 : step[0] == "remove_tree" ? 2 : 0;
  return count == 0 ? Paths{} : Paths{kTrees.at(step[1].get<std::size_t>() % count)};
}

Paths remove_one_tree(const json& step) {
  const std::string path = tree_of(step)[0];
  if (kind_of(path) != S_IFDIR) {
    return {};
  }
  remove_tree(path);
  return {path};
}

// which, line; a directory takes the place of a file, or a file that of a directory
Paths swap_kind(const json& step) {
  const std::string path = tree_of(step)[0];
  const std::string text = step[2].get<std::string>() + "\n";
  if (kind_of(path) == S_IFDIR) {
    remove_tree(path);
    save(path, text, 0);
  } else if (kind_of(path) != 0) {
    check(::unlink(path.c_str()) == 0, path);
    check(::mkdir(path.c_str(), kDirectory) == 0, path);
    save(path + "/a", text, 0);
  } else {
    return {};
  }
  return {path};
}

// which, to
Paths link_one(const json& step) {
  const Paths target = one_file(step[1]);
  const std::string path = name_of(step[2]);
  if (target.empty() || !make_room(path)) {
    return {};
  }
  const std::string above = parent_of(path);
  const std::string from_there = above.empty() ? target[0]
                                 : target[0].rfind(above + '/', 0) == 0
                                     ? target[0].substr(above.size() + 1)
                                     : "../" + target[0];
  check(::symlink(from_there.c_str(), path.c_str()) == 0, path);
  return {path};
}

// Unlike in one of them.
Paths differing(const Facts& before, const Facts& after) {
  Paths paths;
  for (const auto& [path, fact] : before) {
    const auto now = after.find(path);
    if (now == after.end() || now->second != fact) {
      paths.push_back(path);
    }
  }
  for (const auto& [path, fact] : after) {
    if (before.find(path) == before.end()) {
      paths.push_back(path);
    }
  }
  return paths;
}

// script: what git is asked to do. It may refuse.
Paths ask_git(const json& step) {
  const Facts before = look(Sight::Known);
  const std::string script = "{ " + step[1].get<std::string>() + "; } >/dev/null 2>&1";
  const pid_t child = ::fork();
  check(child >= 0, "fork");
  if (child == 0) {
    ::execl("/bin/sh", "sh", "-c", script.c_str(), nullptr);
    ::_exit(1);
  }
  check(::waitpid(child, nullptr, 0) == child, "waitpid");
  return differing(before, look(Sight::Known));
}

// The commit that is checked out, and the paths that would be in the next one.
Paths staged(const json& /*step*/) {
  std::FILE* const git = ::popen(
      "git rev-parse HEAD; git -c core.quotePath=false diff --cached --name-only "
      "--no-renames",
      "r");
  check(git != nullptr, "popen");
  Paths lines(1);
  for (int letter = std::fgetc(git); letter != EOF; letter = std::fgetc(git)) {
    if (letter == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += static_cast<char>(letter);
    }
  }
  ::pclose(git);
  lines.pop_back();
  return lines;
}

Paths act(const json& step) {
  static const std::map<std::string, Paths (*)(const json&)> kActions{
      {"insert", insert},       {"cut", cut},           {"overwrite", overwrite},
      {"create", create},       {"delete", unlink_one}, {"rename", rename_one},
      {"chmod", chmod_one},     {"touch", touch},       {"remove_tree", remove_one_tree},
      {"swap_kind", swap_kind}, {"link", link_one},     {"git", ask_git},
      {"staged", staged},
  };
  try {
    return kActions.at(step[0].get<std::string>())(step);
  } catch (const std::system_error& error) {
    if (!is_gone(error)) {
      throw;
    }
    return tree_of(step);  // some of it may be gone
  }
}

json facts() {
  json facts = json::object();
  for (const auto& [path, fact] : look(Sight::Known)) {
    facts[path] = {fact.link ? "link" : "file", fact.mode, fact.text};
  }
  return facts;
}

}  // namespace
}  // namespace model

int main() {
  ::umask(022);
  for (std::string line; std::getline(std::cin, line);) {
    const nlohmann::json step = nlohmann::json::parse(line);
    const nlohmann::json answer =
        step[0] == "look" ? model::facts() : nlohmann::json(model::act(step));
    std::cout << answer.dump() << std::endl;
  }
}
