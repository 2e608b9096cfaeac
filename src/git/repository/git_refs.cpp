// SPDX-License-Identifier: MIT
#include "git/repository/git_refs.hpp"

#include "shadow/error.hpp"

#include "base/git_names.hpp"
#include "base/text.hpp"
#include "git/repository/handle.hpp"
#include "overlay/format/look.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/file.hpp"

#include <memory>
#include <string_view>

namespace shadow::git {
namespace {

constexpr std::string_view kStash = "refs/stash";
constexpr std::string_view kRemotes = "refs/remotes/";
constexpr std::string_view kSymbolic = "ref:";
constexpr std::size_t kMostRefs = 100'000;
constexpr int kDeepestRef = 64;   // directories of one ref name
constexpr int kMostSymbolic = 5;  // links of one symbolic ref, as in git
constexpr std::uint64_t kMostRefBytes = std::uint64_t{64} << 20U;

// Every ref by its whole name, with the text that stands in its file.
class RefCollector {
 public:
  explicit RefCollector(const GitDirReader& reader) : reader_{reader} {}

  void collect_packed() {
    const auto text = read("packed-refs");
    for (const std::string& line : text ? split(*text, '\n') : std::vector<std::string>{}) {
      if (line.empty() || line[0] == '#' || line[0] == '^') {
        continue;
      }
      const std::string name = line.size() > kHexId ? line.substr(kHexId + 1) : "";
      if (line.size() <= kHexId || line[kHexId] != ' ' || !is_object_id(line.substr(0, kHexId)) ||
          !is_ref_name(name)) {
        damaged_ = true;
        continue;
      }
      values_[name] = line.substr(0, kHexId);
    }
  }

  void collect_loose(const std::string& directory, int depth) {
    for (const std::string& name : list(directory)) {
      const std::string path = sys::join_path(directory, name);
      if (!is_ref_name(path)) {
        continue;
      }
      if (values_.size() >= kMostRefs) {
        damaged_ = true;
        return;
      }
      if (const auto text = read(path)) {
        values_[path] = std::string{trimmed(*text)};
      } else if (depth < kDeepestRef) {
        collect_loose(path, depth + 1);
      } else {
        damaged_ = true;
        return;
      }
    }
  }

  void collect_one(const std::string& name) {
    if (const auto text = read(name)) {
      values_[name] = std::string{trimmed(*text)};
    }
  }

  // The object that a ref's text leads to; empty when it leads nowhere.
  [[nodiscard]] std::string resolve(std::string_view text) const {
    for (int links = 0; links <= kMostSymbolic; ++links) {
      if (text.substr(0, kSymbolic.size()) != kSymbolic) {
        return is_object_id(text) ? std::string{text} : std::string{};
      }
      const auto next = values_.find(std::string{trimmed(text.substr(kSymbolic.size()))});
      if (next == values_.end()) {
        return {};
      }
      text = next->second;
    }
    return {};
  }

  [[nodiscard]] const std::map<std::string, std::string>& values() const { return values_; }
  [[nodiscard]] bool damaged() const { return damaged_; }

  // A file that cannot be opened, such as a FIFO, counts as broken text.
  std::optional<std::string> read(const std::string& path) {
    try {
      return reader_.read(path);
    } catch (const Error&) {
      return std::string{};
    }
  }

 private:
  std::vector<std::string> list(const std::string& path) {
    try {
      return reader_.list(path);
    } catch (const Error&) {
      damaged_ = true;
      return {};
    }
  }

  const GitDirReader& reader_;
  std::map<std::string, std::string> values_;
  bool damaged_ = false;
};

}  // namespace

bool is_ref_name(const std::string& name) {
  start_libgit2();
  int valid = 0;
  return name.find('\0') == std::string::npos &&
         git_reference_name_is_valid(&valid, name.c_str()) == 0 && valid == 1;
}

std::vector<std::string> Refs::branch_commits() const {
  std::vector<std::string> ids;
  for (const auto& [name, id] : named) {
    if (!id.empty() && name.starts_with(kHeads)) {
      ids.push_back(id);
    }
  }
  if (!head.empty()) {
    ids.push_back(head);
  }
  return ids;
}

Refs read_refs(const GitDirReader& reader) {
  start_libgit2();
  Refs refs;
  RefCollector collector{reader};
  const auto head = collector.read("HEAD");
  collector.collect_packed();
  for (const char* directory : {"refs/heads", "refs/tags", "refs/remotes", "refs/shadow"}) {
    collector.collect_loose(directory, 0);
  }
  collector.collect_one(std::string{kStash});
  refs.damaged = collector.damaged();
  for (const auto& [name, text] : collector.values()) {
    std::string id = collector.resolve(text);
    if (name.starts_with(kHeads) || name.starts_with(kTags) || name == kStash) {
      refs.named[name] = std::move(id);
    } else if ((name.starts_with(kRemotes) || name.starts_with(kShadow)) && !id.empty()) {
      (name.starts_with(kShadow) ? refs.aside : refs.remotes)[name] = std::move(id);
    }
  }
  if (head) {
    const std::string_view text = trimmed(*head);
    const bool symbolic = text.substr(0, kSymbolic.size()) == kSymbolic;
    refs.exists = true;
    refs.head = collector.resolve(text);
    refs.detached = is_object_id(text);
    refs.head_broken = !symbolic && !refs.detached;
    if (symbolic) {
      refs.head_ref = std::string{trimmed(text.substr(kSymbolic.size()))};
    }
  }
  return refs;
}

std::string common_dir(const std::string& git_dir) {
  const sys::Fd fd = sys::try_open_at(AT_FDCWD, git_dir, O_RDONLY | O_DIRECTORY);
  const auto text = fd ? sys::read_file_at(fd.get(), "commondir", kMostRefBytes) : std::nullopt;
  const std::string path{text ? trimmed(*text) : std::string_view{}};
  if (path.empty()) {
    return git_dir;
  }
  return path[0] == '/' ? path : git_dir + '/' + path;
}

GitDirReader disk_reader(const std::string& git_dir) {
  const auto open = [](const std::string& path) {
    return std::make_shared<sys::Fd>(sys::try_open_at(AT_FDCWD, path, O_RDONLY | O_DIRECTORY));
  };
  const auto own = open(git_dir);
  const auto common = open(common_dir(git_dir));
  GitDirReader reader;
  reader.read = [own, common](const std::string& path) -> std::optional<std::string> {
    const sys::Fd& root = path == "HEAD" ? *own : *common;
    if (!root) {
      return std::nullopt;
    }
    const sys::Fd fd = sys::try_open_beneath(root.get(), path, O_RDONLY | O_NONBLOCK);
    if (!fd || overlay::look_fd(fd.get()).kind != EntryKind::File) {
      return std::nullopt;
    }
    return sys::read_all(fd.get(), kMostRefBytes);
  };
  reader.list = [common](const std::string& path) {
    std::vector<std::string> names;
    const sys::Fd fd =
        *common ? sys::try_open_beneath(common->get(), path, O_RDONLY | O_DIRECTORY) : sys::Fd{};
    if (fd) {
      for (sys::DirEntry& entry : sys::list_dir(fd.get())) {
        names.push_back(std::move(entry.name));
      }
    }
    return names;
  };
  return reader;
}

}  // namespace shadow::git
