// SPDX-License-Identifier: MIT
#include "model_look.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace model {
namespace {

constexpr std::array kInTrees{"d/a", "d/b", "e/a", "e/b", "x/a"};

// With its own and the one above.
Paths all_names_in(const std::string& directory) {
  Paths names;
  DIR* dir = ::opendir(directory.empty() ? "." : directory.c_str());
  if (dir == nullptr) {
    return names;
  }
  while (const dirent* entry = ::readdir(dir)) {  // NOLINT(concurrency-mt-unsafe): one thread
    names.emplace_back(entry->d_name);
  }
  ::closedir(dir);
  std::sort(names.begin(), names.end());
  return names;
}

bool is_dots(const std::string& name) {
  return name == "." || name == "..";
}

void look_at(const std::string& path, Facts& found) {
  const mode_t kind = kind_of(path);
  try {
    if (kind == S_IFLNK) {
      std::array<char, 4096> target{};
      const ssize_t size = ::readlink(path.c_str(), target.data(), target.size());
      check(size >= 0, path);
      found[path] = {true, 0, std::string{target.data(), static_cast<std::size_t>(size)}};
    } else if (kind == S_IFREG) {
      found[path] = {false, mode_of(path), read_text(path)};
    }
  } catch (const std::system_error& error) {
    if (!is_gone(error)) {
      throw;
    }
  }
}

void look_below(const std::string& directory, Facts& found, Sight sight) {
  const Paths names = all_names_in(directory);
  for (const std::string& name : names) {
    const std::string path = directory.empty() ? name : directory + '/' + name;
    if (is_dots(name)) {
      continue;
    }
    if (kind_of(path) != S_IFDIR) {
      look_at(path, found);
    } else if (name != ".git") {
      look_below(path, found, sight);
    }
  }
  if (names.empty() && sight == Sight::Known) {
    for (const char* path : kInTrees) {
      if (parent_of(path) == directory) {
        look_at(path, found);
      }
    }
  }
}

}  // namespace

Facts look(Sight sight) {
  Facts found;
  look_below({}, found, sight);
  return found;
}

void check(bool done, const std::string& path) {
  if (!done) {
    throw std::system_error{errno, std::generic_category(), path};
  }
}

bool is_gone(const std::system_error& error) {
  const int code = error.code().value();
  return code == ENOENT || code == EISDIR || code == ENOTDIR || code == ESTALE;
}

mode_t kind_of(const std::string& path) {
  struct stat st {};
  return ::lstat(path.c_str(), &st) == 0 ? st.st_mode & S_IFMT : 0;
}

mode_t mode_of(const std::string& path) {
  struct stat st {};
  check(::stat(path.c_str(), &st) == 0, path);
  return st.st_mode & ~static_cast<mode_t>(S_IFMT);
}

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string{} : path.substr(0, slash);
}

std::string read_text(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  check(file >= 0, path);
  std::string text;
  std::array<char, 65536> buffer{};
  ssize_t got = 0;
  while ((got = ::read(file, buffer.data(), buffer.size())) > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  const int error = errno;
  ::close(file);
  errno = error;
  check(got == 0, path);
  return text;
}

Paths names_in(const std::string& directory) {
  Paths names = all_names_in(directory);
  names.erase(std::remove_if(names.begin(), names.end(), is_dots), names.end());
  return names;
}

}  // namespace model
