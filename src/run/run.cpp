// SPDX-License-Identifier: MIT
#include "run/run.hpp"

#include "shadow/error.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "overlay/format/look.hpp"
#include "policy/policy_text.hpp"
#include "run/allowed_home.hpp"
#include "run/create.hpp"
#include "run/enter.hpp"
#include "run/finish.hpp"
#include "run/masks.hpp"
#include "run/plan_run.hpp"
#include "sandbox/bounds/cgroup.hpp"
#include "sandbox/mounts/state_place.hpp"
#include "sandbox/process/execute.hpp"
#include "sandbox/process/launch.hpp"
#include "sandbox/process/network_proxy.hpp"
#include "sandbox/process/streams.hpp"
#include "sandbox/process/supervise.hpp"
#include "sandbox/setup/cgroup_namespaces.hpp"
#include "sandbox/setup/owner_rights.hpp"
#include "session/directory/background.hpp"
#include "session/directory/live_runs.hpp"
#include "session/directory/recovery.hpp"
#include "session/directory/run_lifecycle.hpp"
#include "session/directory/run_spool.hpp"
#include "session/directory/session_dir.hpp"
#include "store/tables/runs.hpp"
#include "store/tables/sessions.hpp"
#include "sys/files/clock.hpp"
#include "sys/processes/process.hpp"
#include "upkeep/replaced.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <utility>
#include <vector>

#include <unistd.h>

namespace shadow::run {
namespace {

constexpr int kSignalBase = 128;
constexpr int kTimedOut = 124;  // as timeout(1)

// A session whose `lock` is held.
struct LockedSession {
  session::SessionDir session;
  sys::FileLock lock;
};

LockedSession lock_session(const StateDir& state, const std::string& id) {
  for (;;) {
    session::SessionDir session = session::SessionDir::find_or_make(state, id);
    sys::FileLock lock = session.lock();
    if (session.current()) {  // not discarded while this process waited
      return {std::move(session), std::move(lock)};
    }
  }
}

void check_root(const session::SessionDir& session, const session::SessionFacts& facts,
                const sys::Identity& now, const Project& project) {
  if (!session::same_directory(facts.identity, now)) {
    throw Error{"cannot run in " + quoted(project.root) +
                    ": the project's directory was replaced by another one since the session began",
                upkeep::advice_on_replaced(session), ExitCode::NotStarted};
  }
}

// One run from request to exit status.
class SessionRun {
 public:
  SessionRun(const StateDir& state, const RunRequest& request, const NoteSink& warn)
      : state_{state}, request_{request}, warn_{warn} {}

  int go() {
    sandbox::TerminalGuard terminal;
    if (request_.policy.die_with_parent.value) {
      parent_ = sandbox::watch_parent();
    }
    start();
    record_start();
    const sandbox::RunEnd end = wait();
    finish(end);
    return status_of(end);
  }

 private:
  void start() {
    sandbox::check_streams();
    // The command must not see half of an apply.
    session::recover_project(state_, request_.project.root, warn_);
    const sys::Fd project =
        sys::open_path(request_.project.root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    const sys::Identity identity = sys::identify(project.get());
    key_ = {request_.project.root, request_.agent};
    LockedSession locked = lock_session(state_, session_id(key_));
    std::optional<session::SessionFacts> facts = locked.session.read_facts();
    if (facts && !session::same_directory(facts->identity, identity)) {
      locked = begin_anew(std::move(locked));
      facts = locked.session.read_facts();
    }
    session_.emplace(std::move(locked.session));
    session_plan_ = plan_session(state_, *session_, request_, identity);
    run_plan_ = plan_run(*session_, request_);
    if (const sandbox::CallerIds caller = sandbox::caller_ids(); caller.root()) {
      run_plan_.rights = sandbox::rights_over(overlay::look_fd(project.get()).uid, caller);
    }
    plan_limits();
    first_ = !facts;
    if (first_) {
      warn_of_new_session();
      facts = create_session(state_, *session_, key_, session_plan_, project.get());
    }
    facts_ = *facts;
    if (!first_) {
      ensure_git_layer(*session_, session_plan_);
      masks_renewed_ = !session_plan_.home.empty() && renew_masks(*session_, session_plan_);
    }
    try {
      prepare_allowed_home(*session_, session_plan_);
      check_root(*session_, facts_, identity, request_.project);
      launch(locked.lock.fd(), project.get());
    } catch (const Error&) {
      if (first_) {
        drop_new_session(state_, *session_);
      }
      throw;
    }
    locked.lock.unlock();
    if (first_) {
      begin_base_tree();
    }
  }

  // Once others may have joined it.
  bool drop_first_session() {
    if (!first_) {
      return false;
    }
    namespaces_ = {};
    live_.unlock();
    const auto lock = session_->lock_within(std::chrono::seconds{1});
    return lock && session_->current() && drop_new_session(state_, *session_);
  }

  // For a project that was removed and made anew. A session that holds something stays, and the run
  // is refused.
  LockedSession begin_anew(LockedSession locked) {
    store::Database db{state_.database()};
    return upkeep::drop_empty_locked(state_, db, locked.session)
               ? lock_session(state_, session_id(key_))
               : std::move(locked);
  }

  // Once. A session that nobody named where others have names: the caller may have lost the
  // variable that did (as MCP servers do), and the work would be in two places.
  void warn_of_new_session() {
    if (sandbox::is_state_in_memory(state_.path())) {
      warn_("the session is in memory: it ends with this machine or container");
    }
    if (!request_.by_default) {
      return;
    }
    store::Database db{state_.database()};
    std::vector<std::string> names;
    for (const store::SessionRow& row : store::sessions_of_project(db, request_.project.root)) {
      names.push_back(quoted(row.agent));
    }
    if (!names.empty()) {
      warn_("a session " + quoted(request_.agent) + " begins beside that of " + join(names, ", ") +
            "; one of them is meant with --as NAME, or by 'as' in config.toml");
    }
  }

  // Looks for control groups only when the policy has a limit that could use them.
  void plan_limits() {
    const bool root = sandbox::caller_ids().root();
    const std::vector<sandbox::Controller> wanted =
        sandbox::wanted_controllers(request_.policy, root);
    const sandbox::CgroupHost host =
        wanted.empty() ? sandbox::CgroupHost{} : sandbox::probe_cgroups(wanted);
    run_plan_.limits = sandbox::plan_limits(request_.policy, host, root);
    if (!run_plan_.limits.warning.empty()) {
      warn_(run_plan_.limits.warning);
    }
    if (run_plan_.limits.cgroup.any()) {
      groups_.emplace(run_plan_.limits.cgroup, host);
    }
  }

  void launch(int lock, int project) {
    sandbox::LaunchRequest launch;
    launch.session = &session_plan_;
    launch.run = &run_plan_;
    launch.signals = &signals_;
    launch.project = project;
    launch.ids = sandbox::caller_ids();
    launch.masks_renewed = masks_renewed_;
    launch.may_write_groups = groups_.has_value() || sandbox::may_write_own_groups(launch.ids);
    if (groups_) {
      launch.place = [this](pid_t pid) { groups_->place(pid); };
    }
    launch.on_ready = [this](sandbox::SessionNamespaces namespaces, sandbox::HomeView home) {
      own(std::move(namespaces), home);
    };
    if (run_plan_.network == policy::Network::Allow) {
      proxy_.emplace(request_.policy.net.value.allowed);
      launch.proxy = proxy_->channel();
    }
    record_.supervisor = ::getpid();
    record_.start_time = sys::start_time(::getpid()).value_or(0);
    record_.plan_hash = session::hash_of(session_plan_);
    record_.home_hash = session::hash_of_home(session_plan_);
    EnteredRun entered = enter_session({state_, *session_, lock, request_.project.root,
                                        facts_.base_time_ns, first_, record_, warn_},
                                       std::move(launch));
    live_ = std::move(entered.live);
    started_ = std::move(entered.started);
    record_.init = started_.init;
    session::register_live(*session_, record_);
  }

  // Keeps the namespaces open for as long as this process lives, for others to join.
  void own(sandbox::SessionNamespaces namespaces, sandbox::HomeView home) {
    namespaces_ = std::move(namespaces);
    record_.user_fd = namespaces_.user.get();
    record_.mount_fd = namespaces_.mount.get();
    record_.home = home;
  }

  // Now, and not when the run ends: it may go on for hours in which the user edits. Not before it
  // has begun, either: who drops a session whose run failed would meet the process at work there.
  void begin_base_tree() {
    try {
      session::keep_bases_in_background(*session_);
    } catch (const Error& error) {
      warn_(std::string{"what the files were is not kept for merges: "} + error.what());
    }
  }

  // The command is running by now. A record that cannot be written does not stop it.
  void record_start() {
    row_.session = session_->id();
    row_.argv = request_.argv;
    row_.cwd = request_.project.cwd;
    row_.policy = policy::policy_record(policy_in_force());
    row_.limits_note = run_plan_.limits.warning;
    row_.started_ns = started_.began_ns;
    row_.supervisor = record_.supervisor;
    row_.supervisor_start = static_cast<std::int64_t>(record_.start_time);
    try {
      note_ = session::RunNote{*session_, row_};
    } catch (const Error& error) {
      warn_(std::string{"the run goes on without a record: "} + error.what());
    }
  }

  // The home that `--home=auto` chose is known once the mounts are made.
  [[nodiscard]] policy::Policy policy_in_force() const {
    policy::Policy policy = request_.policy;
    if (policy.home.value == policy::HomeMode::Auto && record_.home == sandbox::HomeView::Private) {
      policy.home.value = policy::HomeMode::Private;
    }
    return policy;
  }

  sandbox::RunEnd wait() {
    std::optional<std::int64_t> timeout;
    if (const std::uint64_t amount = request_.policy.amount(policy::LimitKind::Timeout);
        amount > 0) {
      timeout = static_cast<std::int64_t>(amount);
    }
    // Not for a run that is soon done: it pays nothing for it.
    constexpr std::int64_t kSoon = 1'500'000'000;
    const sandbox::Later follow{kSoon, [this] { follow_project_in_background(); }};
    try {
      return sandbox::supervise(started_, signals_, timeout, parent_, follow);
    } catch (const Error&) {
      proxy_.reset();
      row_.ending = RunEnding::NotStarted;
      row_.exit_code = static_cast<int>(ExitCode::NotStarted);
      if (!drop_first_session()) {
        close_and_finish(KeepMount::No);
      }
      throw;
    }
  }

  void follow_project_in_background() {
    try {
      session::follow_in_background(*session_);
    } catch (const Error& error) {
      warn_(std::string{"the view does not follow your edits: "} + error.what());
    }
  }

  void finish(const sandbox::RunEnd& end) {
    using Cause = sandbox::RunEnd::Cause;
    if (end.signal != 0) {
      row_.signal = end.signal;
    } else {
      row_.exit_code = end.exit_code;
    }
    if (groups_) {
      const sandbox::CgroupRun::Hits hits = groups_->hits();
      row_.memory_kills = static_cast<std::int64_t>(hits.memory_kills);
      row_.forks_refused = static_cast<std::int64_t>(hits.pids_refused);
    }
    row_.ending = end.cause == Cause::TimedOut               ? RunEnding::TimedOut
                  : end.cause == Cause::Terminated           ? RunEnding::Terminated
                  : end.signal != 0 && row_.memory_kills > 0 ? RunEnding::Memory
                  : end.cause == Cause::Killed               ? RunEnding::Killed
                                                             : RunEnding::Own;
    if (proxy_) {
      note_denied();
    }
    const bool by_itself = end.cause == Cause::Exited || end.cause == Cause::Signalled;
    close_and_finish(by_itself ? KeepMount::Yes : KeepMount::No);
  }

  void note_denied() {
    try {
      row_.denied = proxy_->finish();
    } catch (const Error& error) {
      warn_(error.what());
    }
  }

  void close_and_finish(KeepMount keep) {
    session::mark_ended(row_, sys::now_ns());
    Hold hold{std::move(live_), std::move(namespaces_), record_};
    try {
      note_.end(row_);
    } catch (const Error& error) {
      warn_(error.what());
    }
    try {
      finish_in_background({state_, *session_, key_, facts_}, std::move(hold), keep);
    } catch (const Error& error) {
      warn_(error.what());
    }
  }

  int status_of(const sandbox::RunEnd& end) {
    if (end.exec_error != 0) {
      throw sandbox::failure_to_execute(
          request_.argv[0], end.exec_error,
          sandbox::advice_on_missing(request_.argv[0], end.exec_error, run_plan_, session_plan_));
    }
    if (end.cause == sandbox::RunEnd::Cause::TimedOut) {
      return kTimedOut;
    }
    return end.signal != 0 ? kSignalBase + end.signal : end.exit_code;
  }

  const StateDir& state_;
  const RunRequest& request_;
  const NoteSink& warn_;
  sandbox::BlockedSignals signals_;
  std::optional<sys::Fd> parent_;
  SessionKey key_;
  std::optional<session::SessionDir> session_;
  session::SessionFacts facts_;
  sandbox::SessionPlan session_plan_;
  sandbox::RunPlan run_plan_;
  std::optional<sandbox::CgroupRun> groups_;
  std::optional<sandbox::NetworkProxy> proxy_;
  sys::FileLock live_;
  sandbox::SessionNamespaces namespaces_;
  session::LiveRecord record_;
  sandbox::StartedRun started_;
  store::RunRow row_;
  session::RunNote note_;
  bool first_ = false;  // of its session
  bool masks_renewed_ = false;
};

}  // namespace

int run_in_session(const StateDir& state, const RunRequest& request, const NoteSink& warn) {
  try {
    return SessionRun{state, request, warn}.go();
  } catch (const Error& error) {
    const bool command =
        error.code() == ExitCode::NotExecutable || error.code() == ExitCode::NotFound;
    throw Error{error.what(), sandbox::hint_on_room(error, state.path()),
                command ? error.code() : ExitCode::NotStarted, error.paths()};
  }
}

}  // namespace shadow::run
