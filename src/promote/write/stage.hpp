// SPDX-License-Identifier: MIT
// Staging: each new entry is made complete under a name of its own, so that swapping it in is one
// rename(2).

#pragma once

#include "shadow/apply.hpp"

#include "promote/journal/journal.hpp"
#include "promote/journal/tree.hpp"
#include "store/contents/blobs.hpp"
#include "store/contents/pre_images.hpp"

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace shadow::promote {

class Stager {
 public:
  // Borrows all but the site; the journal tells where the plan's steps are staged.
  Stager(Tree& tree, const ApplySite& site, const ApplyPlan& plan, const ApplyRequest& request,
         const Journal& journal);

  // Makes row.staged and fills row.staged_as, after.mode and after_hash. Nothing for steps without
  // a new entry. Steps of which neither needs the other may be staged at the same time. Throws
  // StaleError, SysError.
  void stage(const Step& step, Row& row);

  // The attributes that a step is to set, as they were when it was staged: the session may have
  // others by now. None of other steps.
  [[nodiscard]] const Xattrs& attributes_of(const Step& step) const;

  // Throws UnseenError with all paths of which something else was staged than was shown.
  void require_as_shown() const;

 private:
  // The content that was written, as far as that was seen on the way.
  struct Content {
    Xattrs xattrs;  // of the source, or those wanted
    std::string hash;
  };
  void check_shown(const Step& step, const Xattrs& attributes, int made = -1);
  static void check_judged(const Step& step, int made);
  void become_able_to_read(const std::vector<Step>& steps) const;
  void make_directory(const Step& step, const Place& at, Row& row);
  void write(const Step& step, const Place& at, Row& row);
  void write_link(const Step& step, const Place& at, Row& row);
  void hard_link(const Step& step, const Place& at, Row& row);
  [[nodiscard]] bool link_to(const std::string& from, const Place& at, const Row& row) const;
  [[nodiscard]] Content fill(const Step& step, const Row& row, int to) const;
  [[nodiscard]] Content copy_source(const Step& step, const Row& row, int to) const;
  [[nodiscard]] sys::Fd try_open_source(const Step& step) const;
  [[nodiscard]] sys::Fd open_source(const Step& step) const;
  void dress(const Step& step, int fd, const Place& at, Row& row, const Xattrs& wanted) const;

  Tree& tree_;
  const store::Blobs blobs_;
  const store::PreImages pre_images_;
  const ApplyRequest& request_;
  const Journal& journal_;
  // The files that a hard link may be made to, each with the number of its step.
  std::map<std::string_view, std::size_t> staged_by_path_;
  std::mutex lock_;  // of what steps that are staged at the same time find out
  std::set<std::string> unseen_;
  std::map<const Step*, Xattrs> attributes_;
};

}  // namespace shadow::promote
