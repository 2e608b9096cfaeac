// SPDX-License-Identifier: MIT
// The real tree as an apply touches it: every path is resolved beneath the project's descriptor and
// never through a symlink, and nothing is ever put over something that is there.

#pragma once

#include "shadow/apply.hpp"
#include "shadow/entry.hpp"

#include "sys/files/fd.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace shadow::promote {

// Names beside a path under which its entries wait begin so.
inline constexpr std::string_view kStagingName = ".shadow-";

// A name in an open directory.
struct Place {
  std::shared_ptr<sys::Fd> dir;
  std::string name;

  [[nodiscard]] int fd() const { return dir->get(); }
};

class Tree {
 public:
  explicit Tree(const std::string& project);

  [[nodiscard]] int root() const { return root_->get(); }

  // Throws SysError when the directory is missing (ENOENT, ENOTDIR) or behind a symlink (ELOOP).
  [[nodiscard]] Place place(std::string_view path) const;

  // The same; nullopt when a parent is missing or is a symlink.
  [[nodiscard]] std::optional<Place> find_place(std::string_view path) const;

  // The same; in the directory of `near`, the place of `near_path`, where both have that parent.
  [[nodiscard]] Place place_near(const Place& near, std::string_view near_path,
                                 std::string_view path) const;

  // Absent also when a parent is missing or is a symlink.
  [[nodiscard]] Entry look(std::string_view path) const;
  [[nodiscard]] static Entry look(const Place& at);

  // The hash of a file's content, as blobs are named; empty when it is missing. Throws SysError
  // when it cannot be read, and StaleError when it is no file by now: neither is an answer.
  [[nodiscard]] std::string content_hash(std::string_view path) const;

  // Opens the entry itself, O_PATH; throws SysError.
  [[nodiscard]] sys::Fd node(std::string_view path) const;

  // Renames; throws SysError, EEXIST when something is at `to`.
  void move(std::string_view from, std::string_view to) const;

  // Exchanges two names at once. False when the filesystem cannot.
  [[nodiscard]] bool exchange(std::string_view a, std::string_view b) const;
  [[nodiscard]] static bool exchange(const Place& a, const Place& b);

  void remove_file(std::string_view path) const;

  // False when something is in it.
  [[nodiscard]] bool remove_directory(std::string_view path) const;

  void set_mode(std::string_view path, std::uint32_t mode) const;

  // Puts everything on disk.
  void sync() const;

 private:
  std::shared_ptr<sys::Fd> root_;
};

}  // namespace shadow::promote
