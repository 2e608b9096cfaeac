// SPDX-License-Identifier: MIT
// The base of each path of a session: how much of it is known, from which source, and where its
// text is.

#pragma once

#include "shadow/entry.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace shadow {

// The source of a base. It tells from which version the session's own entry can have been made.
enum class BaseSource : std::uint8_t {
  Tree,    // what the project had when nothing of the session hid it yet
  Ledger,  // the same, and the session's entry was there while the real file still was the base
  Apply    // what an apply, an undo, a refresh or a discard left in the project
};

// The known part of a file's content.
class BaseContent {
 public:
  // Without any: the file is known by its identity and times alone.
  BaseContent() = default;

  // Known by its hash (base/hash, in hexadecimal digits); without any if that is empty.
  [[nodiscard]] static BaseContent hashed(std::string hash);
  // Kept in the blobs by that name. A name with a suffix means another content of the same hash
  // (store/contents/blobs): then it is as if it were not kept.
  [[nodiscard]] static BaseContent stored(std::string blob);
  // An object of the project's repository, not fetched yet; nothing where that is empty.
  [[nodiscard]] static BaseContent object(std::string id);

  [[nodiscard]] bool is_stored() const { return where_ == Where::Blobs; }
  [[nodiscard]] bool is_nothing() const { return where_ == Where::Nowhere; }
  // In hexadecimal digits; empty where it is not known.
  [[nodiscard]] const std::string& hash() const;
  // Empty where it is no object, or has been fetched.
  [[nodiscard]] const std::string& object_id() const;

 private:
  enum class Where : std::uint8_t { Nowhere, Hashed, Blobs, Project };
  BaseContent(Where where, std::string name);

  Where where_ = Where::Nowhere;
  std::string name_;  // by `where_` a hash, a blob or an object
};

// One of: unknown, absent, known.
class Base {
 public:
  // Something was there by then, and what is not certain. `seen` is what the project had later.
  [[nodiscard]] static Base unknown(Entry seen);
  // Unknown until the base tree has been taken, which may tell.
  [[nodiscard]] static Base unsettled(Entry seen);
  // Nothing was there.
  [[nodiscard]] static Base absent(BaseSource from);
  // That entry, with the content of a file. One that does not exist makes it absent, unless there
  // is a content too: that of a ref which git has packed.
  [[nodiscard]] static Base known(Entry entry, BaseSource from, BaseContent content = {});

  // True if it is certain: absent, or known.
  [[nodiscard]] bool is_known() const { return !std::holds_alternative<Unknown>(state_); }
  [[nodiscard]] bool is_absent() const { return std::holds_alternative<Absent>(state_); }
  // Unknown, and not asked for again.
  [[nodiscard]] bool is_lost() const;
  // None of an unknown one.
  [[nodiscard]] std::optional<BaseSource> source() const;
  // A known file whose content is not known, not even by its hash.
  [[nodiscard]] bool is_known_by_times() const;

  // Has kind Absent for an absent base; for an unknown one it is the entry that was seen.
  [[nodiscard]] const Entry& entry() const;
  // Empty for an unknown base.
  [[nodiscard]] const BaseContent& content() const;

  // The same from elsewhere, with a content, or as the entry is now. Of an unknown one: itself.
  [[nodiscard]] Base from(BaseSource source) const;
  [[nodiscard]] Base with(BaseContent content) const;
  [[nodiscard]] Base at(Entry now) const;

 private:
  struct Unknown {
    Entry seen;
    bool lost;
  };
  struct Absent {
    BaseSource source;
  };
  struct Known {
    Entry entry;
    BaseSource source;
    BaseContent content;
  };
  using State = std::variant<Unknown, Absent, Known>;
  explicit Base(State state);

  State state_;
};

}  // namespace shadow
