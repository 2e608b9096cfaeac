// SPDX-License-Identifier: MIT
#include "follow/follow.hpp"

#include "shadow/error.hpp"

#include "changes/ignore_set.hpp"
#include "follow/git_catch_up.hpp"
#include "follow/own_watch.hpp"
#include "follow/pace.hpp"
#include "follow/unseen_names.hpp"
#include "follow/version_notes.hpp"
#include "live/live_view.hpp"
#include "refresh/keep_up.hpp"
#include "session/directory/background.hpp"
#include "session/directory/live_runs.hpp"
#include "session/directory/review_session.hpp"
#include "session/project/real_git_dir.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/clock.hpp"
#include "sys/processes/process.hpp"
#include "watch/project_watch.hpp"
#include "watch/shared_storage.hpp"
#include "watch/tree_watch.hpp"

#include <algorithm>
#include <cerrno>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <poll.h>

namespace shadow::follow {
namespace {

constexpr std::int64_t kMilli = 1'000'000;

// Of directories that git ignores. Each costs the kernel about a kilobyte, and one of the user's
// watches, of which there are 60,000 on a machine with 8 GiB (fs.inotify.max_user_watches).
constexpr std::size_t kMostIgnored = 8192;

// The project, and the git directory if it lies outside.
std::vector<std::string> views_of(const std::string& project) {
  std::vector<std::string> views = {project};
  if (auto git_dir = session::outside_git_dir(project)) {
    views.push_back(*std::move(git_dir));
  }
  return views;
}

class Following {
 public:
  Following(const StateDir& state, const session::ReviewSession& session)
      : state_{state},
        session_{session},
        layers_{kNoUpper, session.lower.get()},
        rules_{changes::make_ignore_rules(layers_, session.project.root)},
        notes_{state, session, rules_},
        views_{views_of(session.project.root)},
        git_{state, session, views_.size() > 1} {
    complete_ = watch::watch_project(watch_, session.project.root, rules_) &&
                !watch::changes_elsewhere(session.lower.get());
    // A run has lived for some time by now, and may have had in use what was replaced meanwhile.
    constexpr std::int64_t kBefore = 10'000 * kMilli;
    unseen_.add(watch_.names_since(sys::now_ns() - kBefore));
    report_mode();
  }

  // Until no run is left, or what git ignores is another: then the watches are.
  void go() {
    while (find_runs() && !(outdated_at_ && *outdated_at_ <= sys::monotonic_ns())) {
      wait();
    }
  }

 private:
  static constexpr int kNoUpper = -1;

  // Their supervisors, as descriptors that say when one has ended.
  bool find_runs() {
    if (!polled_.empty() && std::none_of(polled_.begin() + 1, polled_.end(),
                                         [](const pollfd& one) { return one.revents != 0; })) {
      return true;
    }
    supervisors_.clear();
    for (const session::LiveRecord& record : session::read_live(session_.dir)) {
      sys::Fd supervisor = record.keeper() ? sys::Fd{} : sys::open_pidfd(record.supervisor);
      if (supervisor && sys::start_time(record.supervisor) == record.start_time) {
        supervisors_.push_back(std::move(supervisor));
      }
    }
    polled_ = {{watch_.fd(), POLLIN, 0}};
    for (const sys::Fd& supervisor : supervisors_) {
      polled_.push_back({supervisor.get(), POLLIN, 0});
    }
    return !supervisors_.empty();
  }

  void wait() {
    const int count =
        ::poll(polled_.data(), polled_.size(),
               milliseconds_until(earlier(
                   earlier(next_refresh(), notes_.next()),
                   earlier(earlier(sweep_at_, outdated_at_), earlier(own_.next(), git_.next())))));
    if (count < 0 && errno != EINTR) {
      throw_errno("wait for changes");
    }
    if (count > 0 && polled_.front().revents != 0) {
      const watch::TreeWatch::News news = watch_.read();
      unseen_.add(news.names);
      unseen_.add_some(news.names_partly);
      note_hidden(news);
      notes_.add(news.touched);
      note_rules(news);
      if (news.lost && !sweep_at_) {
        sweep_at_ = std::max(sys::monotonic_ns(), rested_after_sweep_);
      }
      if (news.changed) {
        pace_.changed(sys::monotonic_ns());
      }
      if (complete_ && !news.complete) {
        complete_ = false;
        report_mode();
      }
    }
    if (const auto at = own_.next(); at && *at <= sys::monotonic_ns()) {
      note_touched();
      if (!hidden_.none()) {
        pace_.changed(sys::monotonic_ns());
      }
    }
    refresh_if_due();
    git_.try_if_due();
    sweep_if_due();
    note_versions();
  }

  [[nodiscard]] std::optional<std::int64_t> next_refresh() const {
    return pace_.next(complete_ ? Pace::By::Events : Pace::By::Time);
  }

  static std::optional<std::int64_t> earlier(const std::optional<std::int64_t>& a,
                                             const std::optional<std::int64_t>& b) {
    return a && b ? std::optional{std::min(*a, *b)} : a ? a : b;
  }

  // What the base tree cannot have is all that is later than it: at first, and when there were too
  // many changes to be told.
  void sweep_if_due() {
    constexpr std::int64_t kRest = 20;
    const std::int64_t begin = sys::monotonic_ns();
    if (!sweep_at_ || *sweep_at_ > begin) {
      return;
    }
    sweep_at_.reset();
    const auto facts = session_.dir.read_facts();
    std::map<std::string, bool> changed;
    for (std::string& path : watch_.changed_since(facts ? facts->base_time_ns : INT64_MAX)) {
      changed.emplace(std::move(path), true);
    }
    notes_.add(changed);
    const std::int64_t end = sys::monotonic_ns();
    rested_after_sweep_ = end + kRest * (end - begin);
  }

  // Of what the view shows by now: what was written in place shows through at once.
  void note_versions() {
    if (!pace_.next(Pace::By::Events)) {
      notes_.shown();
    }
    const auto at = notes_.next();
    if (at && *at <= sys::monotonic_ns()) {
      notes_.note_some();
    }
    // What was looked at before its bases were taken is looked at again.
    if (!notes_.next() && !unsettled_.none()) {
      hidden_.add(std::exchange(unsettled_, {}));
      pace_.changed(sys::monotonic_ns());
    }
  }

  // A branch switch saves many of them.
  void note_rules(const watch::TreeWatch::News& news) {
    constexpr std::int64_t kSoon = 200 * kMilli;
    const bool changed = std::any_of(
        news.touched.begin(), news.touched.end(),
        [](const auto& touched) { return sys::split_path(touched.first).name == ".gitignore"; });
    if (changed && !outdated_at_) {
      outdated_at_ = sys::monotonic_ns() + kSoon;
    }
  }

  // A file written in place shows through, unless the session has an entry.
  void note_hidden(const watch::TreeWatch::News& news) {
    hidden_.add({{news.names.begin(), news.names.end()}, news.more});
    for (const auto* names : {&news.saved, &news.names_partly, &news.saved_partly}) {
      for (const std::string& name : *names) {
        note_hiding(name);
      }
    }
    count_hidden();
    git_.note(news);
  }

  void note_hiding(const std::string& name) {
    if (hides(session_.upper.get(), name)) {
      hidden_.names.insert(name);
      pace_.changed(sys::monotonic_ns());
    }
  }

  // Very many names cost more than a look at everything.
  void count_hidden() {
    constexpr std::size_t kMostNames = 100;
    if (hidden_.any || hidden_.names.size() > kMostNames) {
      hidden_ = {{}, true};
    }
  }

  static int milliseconds_until(const std::optional<std::int64_t>& at) {
    if (!at) {
      return -1;
    }
    return static_cast<int>(
        std::max<std::int64_t>((*at - sys::monotonic_ns() + kMilli - 1) / kMilli, 0));
  }

  void refresh_if_due() {
    const auto at = next_refresh();
    const std::int64_t begin = sys::monotonic_ns();
    if (!at || *at > begin) {
      return;
    }
    bool stale = false;
    try {
      stale = refresh();
    } catch (const Error&) {
      // The run ends, or the project's directory is another one: the next run says so.
      stale = true;
    }
    const std::int64_t refreshed = sys::monotonic_ns();
    pace_.refreshed(begin, refreshed);
    if (!stale) {
      note_versions();
    }
    note_touched();
    const bool behind = !keep_up_where_hidden();
    if (!complete_) {
      git_.look();
    }
    git_.refreshed(refreshed);
    const std::int64_t end = sys::monotonic_ns();
    pace_.spent(refreshed, end);
    if (!stale && !behind) {
      pace_.seen();
    } else {
      pace_.missed(end);
    }
    // A deletion before the watch began has no name by which to check it, and a run may have had it
    // in use just then: the view is made to forget a few more times.
    if (blind_ > 0) {
      --blind_;
      pace_.changed(end);
    }
  }

  // The rest of what changed: the session's own entries hide it, though nothing of its own is in
  // some of them. False when that is to be tried again.
  bool keep_up_where_hidden() {
    refresh::ChangedPaths changed = std::exchange(hidden_, {});
    changed.any = changed.any || !complete_;
    if (!changed.any) {
      std::erase_if(changed.names,
                    [this](const std::string& name) { return !hides(session_.upper.get(), name); });
    }
    if (changed.none()) {
      return true;
    }
    if (notes_.next()) {
      unsettled_.add(changed);
    }
    try {
      refresh::KeptUp kept =
          refresh::keep_up(state_, session_.row.id, changed, refresh::Extent::All);
      own_.note(changed, std::move(kept.hiding));
      if (!kept.again) {
        return true;
      }
    } catch (const Error&) {
      // As in refresh_if_due().
    }
    hidden_.add(std::move(changed));
    return false;
  }

  // What a run has taken back hides the project's without a reason.
  void note_touched() {
    std::set<std::string> touched = own_.touched();
    if (!touched.empty()) {
      hidden_.add({std::move(touched)});
      notes_.settle_soon();
    }
    count_hidden();
  }

  // True if a changed name is not seen yet: it was in use when the view forgot the others.
  bool refresh() {
    for (const std::string& directory : views_) {
      const auto view = live::LiveView::try_open(
          session_.dir, directory, pace_.again() ? sys::Refreshing::Often : sys::Refreshing::Once);
      if (!view) {
        return false;
      }
      if (directory == session_.project.root) {
        unseen_.forget_seen(view->root());
      }
    }
    return !unseen_.none();
  }

  void report_mode() const {
    session::note_following(session_.dir,
                            complete_ ? session::FollowedBy::Events : session::FollowedBy::Time);
  }

  const StateDir& state_;
  const session::ReviewSession& session_;
  overlay::View layers_;
  git::IgnoreRules rules_;
  VersionNotes notes_;
  std::optional<std::int64_t> sweep_at_ = 0;
  std::optional<std::int64_t> outdated_at_;  // when to begin anew, by other rules
  std::int64_t rested_after_sweep_ = 0;
  std::vector<std::string> views_;
  watch::TreeWatch watch_{watch::TreeWatch::Heeds::Saves, kMostIgnored};
  bool complete_ = true;  // events tell of all that changes
  UnseenNames unseen_{session_.upper.get(), session_.lower.get()};
  refresh::ChangedPaths hidden_{
      {}, true};  // likewise, where the upper has something; at first all may have
  refresh::ChangedPaths unsettled_;  // those that notes_ has not come to yet
  GitCatchUp git_;
  OwnWatch own_{session_.upper.get()};
  Pace pace_{sys::monotonic_ns()};
  int blind_ = 3;  // refreshes to come that nothing but the beginning asks for
  std::vector<sys::Fd> supervisors_;
  std::vector<pollfd> polled_;
};

}  // namespace

void follow_project(const StateDir& state, const std::string& session) {
  auto opened = session::open_with_its_project(state, session);
  if (!opened) {
    return;
  }
  opened->db.reset();
  // A run that began as this process was about to end has found the lock taken.
  do {
    const auto lock = session::try_lock_following(opened->dir);
    if (!lock) {
      return;
    }
    Following{state, *opened}.go();
  } while (session::has_live_runs(opened->dir));
}

}  // namespace shadow::follow
