// SPDX-License-Identifier: MIT
// The merged view without a mount: what a run would see at a path, worked out from upper and lower
// the way overlayfs does (whiteouts, opaque directories, type changes).

#pragma once

#include "shadow/entry.hpp"

#include "sys/files/fd.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::overlay {

enum class From : std::uint8_t { Nowhere, Upper, Lower };

// Paths are relative to the project, "" is its root. A path with "." or ".." names nothing.
class View {
 public:
  // Borrows both descriptors. With `upper` -1 the view is the lower.
  View(int upper, int lower) : upper_{upper}, lower_{lower} {}

  // Keeps the directory of the last path open from now on, for who goes down a tree name by name:
  // what is deep costs no more than what is not. What is moved meanwhile is seen where it was. Not
  // for several threads.
  void keep_last_directory();

  // Which layer a path's entry comes from. For a merged directory: Upper.
  [[nodiscard]] From where(std::string_view path) const;
  [[nodiscard]] Entry look(std::string_view path) const;
  // The same; cheaper for what is in neither layer, dearer for the rest.
  [[nodiscard]] Entry look_for(std::string_view path) const;

  // Opens what `look` found, O_NOFOLLOW, FIFOs not waited for. Empty Fd when there is nothing
  // or it may not be opened, and for devices, unless O_PATH is among the flags.
  [[nodiscard]] sys::Fd open(std::string_view path, int flags) const;

  // The content of a regular file; nullopt when there is none at that path.
  [[nodiscard]] std::optional<std::string> read(std::string_view path, std::uint64_t limit) const;

  // Names in a directory of the view, sorted; empty when it is none.
  [[nodiscard]] std::vector<std::string> list(std::string_view path) const;

 private:
  struct Found;
  struct Last;
  [[nodiscard]] Found find(std::string_view path) const;

  int upper_;
  int lower_;
  std::shared_ptr<Last> last_;  // empty: nothing is kept
};

}  // namespace shadow::overlay
