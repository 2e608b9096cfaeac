// SPDX-License-Identifier: MIT
// A name of a view, and the one beside it under which what is to be there is made.

#pragma once

#include "shadow/entry.hpp"

#include "sys/files/fd.hpp"

#include <string>

namespace shadow::live {

class StagedPlace {
 public:
  // For the last component of `path`, in the directory `dir`.
  StagedPlace(sys::Fd dir, const std::string& path);

  [[nodiscard]] int dir() const { return dir_.get(); }
  [[nodiscard]] const std::string& staged() const { return staged_; }
  [[nodiscard]] std::string staged_path() const;

  // For a file: it has no name while it is filled, so that no run meets it, or the staged one where
  // the filesystem has no such files.
  [[nodiscard]] sys::Fd make_file() const;

  // The staged entry takes the name, and what had it is gone. Where that is not `there` any more,
  // it stays: StaleError. `file` is what make_file() returned, if that is it.
  void take(const sys::Fd& file, const Entry& there) const;

  // Removes the entry of this name; as above.
  void remove(const Entry& there) const;

 private:
  [[nodiscard]] bool link(const sys::Fd& file, const std::string& to) const;
  [[nodiscard]] bool rename(const std::string& from, const std::string& to, unsigned how) const;
  [[nodiscard]] bool is_still(const Entry& there) const;
  void put_back(Entry placed) const;
  [[noreturn]] void refuse() const;

  sys::Fd dir_;
  std::string path_;
  std::string name_;
  std::string staged_;
};

}  // namespace shadow::live
