// SPDX-License-Identifier: MIT
// Decides whether the project once had a path that it lacks now and the session has: then the user
// deleted it, and it must not come back unnoticed.

#pragma once

#include "shadow/change.hpp"

#include "bases/capture/own_moves.hpp"
#include "bases/tree/base_tree.hpp"
#include "session/directory/review_session.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace shadow::bases {

// Answers for paths without a base of their own. Borrows the session.
class Existence {
 public:
  Existence(const session::ReviewSession& session, std::int64_t base_time_ns);

  // Answers for a path that the project lacks and at which the session has something other than a
  // directory. The first of these that gives an answer counts: no name has left the directory since
  // the base time; the base tree; the upper's file was copied up, and is none that the session
  // moved or linked. A tree that does not know leaves it open, which counts as yes.
  [[nodiscard]] bool was_there(const std::string& path);

  // True if the tree knows that the project had no directory there, nor anything else.
  [[nodiscard]] bool is_new_directory(const std::string& path);

  // The base of a directory of the session's, without a row, that the project lacks; nullopt if it
  // may never have been there, or had gone before the session made its own. Of one of which the
  // tree does not know the mode, the session's is the project's.
  [[nodiscard]] std::optional<Base> base_of_gone_directory(const Change& change);

  // Brings the texts that the tree has for these paths as objects of the project's repository, so
  // that `base_by_tree` knows what was in them.
  void fetch_texts(const std::vector<std::string>& paths);

  // The tree's base for a path that the project has and that may have come or changed since the
  // base time. It may have been a directory.
  [[nodiscard]] std::optional<Base> base_by_tree(const std::string& path, const Entry& real);

 private:
  [[nodiscard]] bool names_have_gone(const std::string& path);
  [[nodiscard]] bool was_copied_from_there(const std::string& path);
  [[nodiscard]] const BaseTree* tree();

  const session::ReviewSession& session_;
  std::int64_t base_time_ns_;
  std::string missing_;       // the directory that the project lacked last, and whether names have
  bool gone_around_ = false;  // left the one around it: so it is for all below
  bool tree_read_ = false;
  std::optional<BaseTree> tree_;
  std::map<std::string, std::string> fetched_;  // the text's name in the store, by path
  std::optional<OwnMoves> moves_;
};

}  // namespace shadow::bases
