// SPDX-License-Identifier: MIT
// Staging: each new entry is made complete under a name of its own, so that swapping it in is one
// rename(2).

#pragma once

#include "shadow/apply.hpp"

#include "promote/journal.hpp"
#include "promote/tree.hpp"
#include "store/blobs.hpp"

#include <map>
#include <string>

namespace shadow::promote {

class Stager {
 public:
  // Borrows all of them.
  Stager(Tree& tree, const store::Blobs& blobs, const ApplyRequest& request)
      : tree_{tree}, blobs_{blobs}, request_{request} {}

  // Makes row.staged and fills row.staged_as, after.mode and after_hash. Nothing for steps without
  // a new entry. Throws StaleError, SysError.
  void stage(const Step& step, Row& row);

 private:
  void make_directory(const Step& step, Row& row);
  void write(const Step& step, Row& row);
  void write_link(const Step& step, Row& row);
  void hard_link(const Step& step, Row& row);
  [[nodiscard]] bool link_to(const std::string& from, const Row& row);
  [[nodiscard]] Xattrs fill(const Step& step, int to) const;
  [[nodiscard]] Xattrs copy_source(const Step& step, int to) const;
  [[nodiscard]] sys::Fd open_source(const Step& step) const;
  [[nodiscard]] Xattrs wanted_xattrs(const Step& step) const;
  void dress(const Step& step, int fd, const Row& row, const Xattrs& xattrs);

  Tree& tree_;
  const store::Blobs& blobs_;
  const ApplyRequest& request_;
  std::map<std::string, std::string> staged_by_path_;
};

}  // namespace shadow::promote
