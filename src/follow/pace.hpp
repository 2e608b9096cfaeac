// SPDX-License-Identifier: MIT
// Decides when a view is refreshed: at once after a change, but not for each of many, and at a cost
// that nobody feels.

#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace shadow::follow {

// Plain arithmetic over times on the monotonic clock, in nanoseconds.
class Pace {
 public:
  // The reason for a refresh: events, or the time that has passed.
  enum class By : std::uint8_t { Events, Time };

  // One is due at first: earlier changes are not known.
  explicit Pace(std::int64_t now) : rested_{now}, earliest_{now} {}

  // Does not wait for what is tried ever later, and may be in use itself.
  void changed(std::int64_t now) {
    constexpr int kSomeTime = 6;
    const std::int64_t soon = std::max({rested_, worked_, now + kSettle});
    earliest_ = changed_ ? std::min(earliest_, soon) : soon;
    misses_ = std::min(misses_, kSomeTime);
    changed_ = true;
  }

  // A refresh that lasted from `begin` to `end` was made; what changes after `begin` wants another.
  // One that is dear is so the next time, too; one that had to wait for the processor is not.
  void refreshed(std::int64_t begin, std::int64_t end) {
    changed_ = false;
    rested_ = end + std::clamp(kRest * std::min(end - begin, lasted_), kGap, kMostRest);
    lasted_ = end - begin;
    by_time_ = end + std::max(kPeriod, kRestByTime * (end - begin));
  }

  // Records other work, from `begin` to `end`, that a change caused: the next refresh that the
  // clock alone causes comes later, and any other not before a rest as long as the work. As above,
  // a single one may have waited for the processor.
  void spent(std::int64_t begin, std::int64_t end) {
    by_time_ = std::max(by_time_, end + kRestByTime * (end - begin));
    worked_ = end + std::min({end - begin, spent_, kMostRest});
    spent_ = end - begin;
  }

  // Right after refreshed(): what changed is seen, or something was in use just then. That is tried
  // again soon, for the sake of a run that opens it over and over, then ever later, as a run may
  // have it open for hours: in the end every ten seconds, and for a hundredth of the time.
  void seen() { misses_ = 0; }
  void missed(std::int64_t now) {
    constexpr int kSoon = 4;
    constexpr int kLast = 15;
    misses_ = std::min(misses_ + 1, kLast);
    changed_ = true;
    earliest_ = std::max(worked_, now + (kSettle << std::max(0, misses_ - kSoon)));
    if (misses_ == kLast) {
      earliest_ = std::max(earliest_, by_time_);
    }
  }

  // True if the next one is for missed changes.
  [[nodiscard]] bool again() const { return misses_ > 0; }

  // The time at which the next one is due.
  [[nodiscard]] std::optional<std::int64_t> next(By by) const {
    if (changed_) {
      return earliest_;
    }
    return by == By::Time ? std::optional{by_time_} : std::nullopt;
  }

 private:
  // A file that is saved is made first and gets its name then.
  static constexpr std::int64_t kSettle = 5'000'000;
  static constexpr std::int64_t kGap = 100'000'000;
  static constexpr std::int64_t kPeriod = 250'000'000;
  // A large view's costs 0.3 s, for names that took longer to be looked up; and a machine that
  // stays busy makes any of them last. Neither is a reason to leave a run behind for long.
  static constexpr std::int64_t kRest = 3;
  static constexpr std::int64_t kMostRest = 1'000'000'000;
  static constexpr std::int64_t kRestByTime = 99;

  bool changed_ = true;
  int misses_ = 0;
  std::int64_t rested_;
  std::int64_t earliest_;
  std::int64_t lasted_ = 0;  // the last one
  std::int64_t worked_ = 0;  // until when there is a rest after other work
  std::int64_t spent_ = 0;   // by the last of it
  std::int64_t by_time_ = 0;
};

}  // namespace shadow::follow
