// SPDX-License-Identifier: MIT
#include "property/support.hpp"

#include "shadow/error.hpp"

#include "sys/beneath.hpp"
#include "sys/dir.hpp"
#include "sys/fd.hpp"
#include "sys/file.hpp"
#include "sys/process.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace property {

using shadow::sys::Fd;

Scratch::Scratch() {
  path_ = shadow::sys::environment("TMPDIR").value_or("/tmp") + "/shadow-test-XXXXXX";
  if (::mkdtemp(path_.data()) == nullptr) {
    shadow::throw_errno("make a scratch directory");
  }
}

Scratch::~Scratch() {
  try {
    shadow::sys::remove_tree(AT_FDCWD, path_);
  } catch (const shadow::Error&) {  // NOLINT(bugprone-empty-catch): a destructor cannot report
  }
}

Outcome run(const std::vector<std::string>& argv, const std::string& cwd, std::string_view input,
            const std::string& home) {
  // Files, not pipes: nobody has to read and write at the same time.
  const Scratch files;
  write_file(files / "in", input);
  const pid_t child = ::fork();
  if (child < 0) {
    shadow::throw_errno("fork");
  }
  if (child == 0) {
    const int in = ::open((files / "in").c_str(), O_RDONLY);
    const int out = ::open((files / "out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int err = ::open((files / "err").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (::dup2(in, 0) < 0 || ::dup2(out, 1) < 0 || ::dup2(err, 2) < 0 ||
        ::chdir(cwd.c_str()) != 0) {
      ::_exit(127);
    }
    ::setenv("HOME", home.c_str(), 1);
    ::unsetenv("XDG_CONFIG_HOME");
    ::setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
    ::setenv("GIT_CEILING_DIRECTORIES", "/tmp", 1);
    ::setenv("LC_ALL", "C", 1);
    std::vector<char*> words;
    words.reserve(argv.size() + 1);
    for (const std::string& word : argv) {
      words.push_back(const_cast<char*>(word.c_str()));
    }
    words.push_back(nullptr);
    ::execvp(words[0], words.data());
    ::_exit(127);
  }
  const int status = shadow::sys::wait_for(child);
  Outcome outcome;
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.out = read_file(files / "out");
  outcome.err = read_file(files / "err");
  return outcome;
}

void write_file(const std::string& path, std::string_view bytes, unsigned mode) {
  const Fd fd = shadow::sys::open_path(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
  shadow::sys::write_all(fd.get(), bytes);
  if (::fchmod(fd.get(), mode) != 0) {
    shadow::throw_errno("chmod");
  }
}

std::string read_file(const std::string& path) {
  return shadow::sys::read_all(shadow::sys::open_path(path, O_RDONLY).get());
}

void make_dirs(const std::string& path) {
  for (std::size_t at = path.find('/', 1);; at = path.find('/', at + 1)) {
    const std::string part = path.substr(0, at);
    if (::mkdir(part.c_str(), 0755) != 0 && errno != EEXIST) {
      shadow::throw_errno("mkdir " + part);
    }
    if (at == std::string::npos) {
      return;
    }
  }
}

std::uint64_t first_seed() {
  const auto text = shadow::sys::environment("SHADOW_TEST_SEED");
  return text ? std::strtoull(text->c_str(), nullptr, 10) : 1;
}

std::size_t rounds(std::size_t usual) {
  const auto text = shadow::sys::environment("SHADOW_TEST_ROUNDS");
  return text ? std::strtoull(text->c_str(), nullptr, 10) : usual;
}

namespace {

constexpr std::array kLines{"alpha",    "beta",   "",          "  gamma()",
                            "}",        "{",      "return 1;", "\tdelta",
                            "-- x",     "++ y",   "@@ z",      "\\ No newline at end of file",
                            "\xff\xfe", "epsilon"};

std::string random_line(Chance& chance) {
  std::string line = chance.any(kLines);
  if (chance.one_in(3)) {
    line += std::to_string(chance.below(50));
  }
  return line;
}

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    const std::size_t next = end == std::string::npos ? text.size() : end + 1;
    lines.push_back(text.substr(at, next - at));
    at = next;
  }
  return lines;
}

}  // namespace

std::string random_text(Chance& chance, std::size_t most_lines) {
  const std::size_t count = chance.below(most_lines + 1);
  const std::string end = chance.one_in(4) ? "\r\n" : "\n";
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += random_line(chance) + end;
  }
  if (!text.empty() && chance.one_in(4)) {
    text.resize(text.size() - end.size());
  }
  return text;
}

std::string edited_text(Chance& chance, const std::string& text) {
  std::vector<std::string> lines = split_lines(text);
  const std::string end = text.find("\r\n") != std::string::npos ? "\r\n" : "\n";
  for (std::size_t i = 1 + chance.below(5); i > 0; --i) {
    const std::size_t at = chance.below(lines.size() + 1);
    const auto here = lines.begin() + static_cast<std::ptrdiff_t>(at);
    switch (chance.below(4)) {
      case 0:
        lines.insert(here, random_line(chance) + end);
        break;
      case 1:
        lines.insert(here, {random_line(chance) + end, random_line(chance) + end});
        break;
      case 2:
        if (at < lines.size()) {
          lines.erase(here);
        }
        break;
      default:
        if (at < lines.size()) {
          *here = random_line(chance) + end;
        }
        break;
    }
  }
  std::string result;
  for (const std::string& line : lines) {
    if (!result.empty() && result.back() != '\n') {
      result += end;
    }
    result += line;
  }
  if (chance.one_in(6) && !result.empty() && result.back() == '\n') {
    result.pop_back();
  }
  return result;
}

void write_tree(const std::string& root, const Tree& tree) {
  make_dirs(root);
  for (const auto& [path, node] : tree) {
    const std::string full = shadow::sys::join_path(root, path);
    make_dirs(full.substr(0, full.rfind('/')));
    if (node.kind == Node::Kind::Link) {
      if (::symlink(node.bytes.c_str(), full.c_str()) != 0) {
        shadow::throw_errno("symlink");
      }
    } else {
      write_file(full, node.bytes, node.kind == Node::Kind::Program ? 0755 : 0644);
    }
  }
}

namespace {

void read_into(Tree& tree, const std::string& root, const std::string& below) {
  const Fd dir =
      shadow::sys::open_path(shadow::sys::join_path(root, below), O_RDONLY | O_DIRECTORY);
  for (const auto& entry : shadow::sys::list_dir_sorted(dir.get())) {
    const std::string path = shadow::sys::join_path(below, entry.name);
    struct stat st {};
    if (::fstatat(dir.get(), entry.name.c_str(), &st, AT_SYMLINK_NOFOLLOW) != 0) {
      shadow::throw_errno("stat");
    }
    if (S_ISDIR(st.st_mode)) {
      read_into(tree, root, path);
    } else if (S_ISLNK(st.st_mode)) {
      tree[path] = {Node::Kind::Link, shadow::sys::read_link_at(dir.get(), entry.name)};
    } else {
      tree[path] = {(st.st_mode & 0100U) != 0 ? Node::Kind::Program : Node::Kind::File,
                    read_file(shadow::sys::join_path(root, path))};
    }
  }
}

}  // namespace

Tree read_tree(const std::string& root) {
  Tree tree;
  read_into(tree, root, "");
  return tree;
}

}  // namespace property
