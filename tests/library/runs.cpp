// SPDX-License-Identifier: MIT
// Runs of libshadow as a program has them that is linked with it: runs STATE PROJECT.

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <shadow/workspace.hpp>
#include <sys/wait.h>
#include <unistd.h>

namespace ws = shadow::workspace;

namespace {

void require(bool holds, const char* what) {
  if (!holds) {
    std::printf("not so: %s\n", what);
    std::exit(1);
  }
}

struct Pipe {
  Pipe() { require(::pipe(ends.data()) == 0, "a pipe"); }
  std::array<int, 2> ends{};
};

std::string read_all(int fd) {
  std::string text;
  std::array<char, 256> buffer{};
  for (ssize_t got = 0; (got = ::read(fd, buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return text;
}

// Its pipes are not closed on exec: they must not be in the command all the same, or the first read
// would never end.
void streams(const ws::Session& session) {
  Pipe in;
  Pipe out;
  ws::RunOptions options;
  options.in = in.ends[0];
  options.out = out.ends[1];
  options.err = out.ends[1];
  require(::write(in.ends[1], "hi\n", 3) == 3, "a write");
  ws::Run run = session.start(
      {"sh", "-c", "cat; echo err >&2; ls /proc/self/fd | wc -l; pwd; exit 7"}, options);
  ::close(in.ends[1]);
  ::close(in.ends[0]);
  ::close(out.ends[1]);
  // ls itself has its directory open.
  require(read_all(out.ends[0]) == "hi\nerr\n4\n" + session.project() + "\n", "streams");
  ::close(out.ends[0]);
  require(run.wait() == 7, "the command's own status");
  run.signal(SIGTERM);  // nobody any more
  try {
    (void)run.wait();
    require(false, "a second wait fails");
  } catch (const ws::Failure& failure) {
    require(failure.kind() == ws::Kind::Invalid, "in this kind");
  }
}

// The new number of one is the old one of another.
void exchanged_streams(const ws::Session& session) {
  Pipe out;
  const int kept_in = ::dup(0);
  const int kept_out = ::dup(1);
  ::dup2(out.ends[1], 0);  // where the command writes to
  const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(null, 1);  // where it reads from
  ws::RunOptions options;
  options.in = 1;
  options.out = 0;
  const int status = session.start({"sh", "-c", "cat; echo there"}, options).wait();
  ::dup2(kept_in, 0);
  ::dup2(kept_out, 1);
  ::close(kept_in);
  ::close(kept_out);
  ::close(out.ends[1]);
  require(status == 0 && read_all(out.ends[0]) == "there\n", "exchanged streams");
}

void signals(const ws::Session& session) {
  Pipe out;
  ws::RunOptions options;
  options.out = out.ends[1];
  ws::Run run = session.start(
      {"sh", "-c", "trap 'exit 9' TERM; echo begun; while :; do sleep 0.05; done"}, options);
  ::close(out.ends[1]);
  std::array<char, 1> first{};
  require(::read(out.ends[0], first.data(), 1) == 1, "the run has begun");
  pollfd ended{run.descriptor(), POLLIN, 0};
  require(::poll(&ended, 1, 0) == 0, "it goes on");
  // While the run is waited for.
  std::thread other{[&] {
    ::usleep(100'000);
    run.signal(SIGTERM);
  }};
  const int status = run.wait();
  other.join();
  require(status == 9, "a signal is passed on");
  require(::poll(&ended, 1, 0) == 1, "it has ended");
}

void ends_with_its_object(const ws::Session& session) {
  const auto begun = std::chrono::steady_clock::now();
  {
    Pipe out;
    ws::RunOptions options;
    options.out = out.ends[1];
    ws::Run run =
        session.start({"sh", "-c", "trap '' TERM; echo kept >kept; echo; sleep 99"}, options);
    ::close(out.ends[1]);
    std::array<char, 1> first{};
    require(::read(out.ends[0], first.data(), 1) == 1, "the run has begun");
    ws::Run moved = std::move(run);
  }
  require(::waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD, "no child is left");
  require(std::chrono::steady_clock::now() - begun < std::chrono::seconds{60}, "it did not run on");
  require(session.changes().size() == 1, "what it wrote is there");
}

}  // namespace

int main(int argc, char** argv) {
  require(argc == 3, "two arguments");
  try {
    const ws::Session session = ws::State::at(argv[1]).session(argv[2], "agent");
    require(!session.exists(), "no session yet");
    (void)std::signal(SIGPIPE, SIG_IGN);
    streams(session);
    require(session.exists(), "a session by its first run");
    require(session.start({"sh", "-c", "yes | head -1 >/dev/null; kill -PIPE $$"}).wait() ==
                128 + SIGPIPE,
            "SIGPIPE is not ignored in a command");
    exchanged_streams(session);
    signals(session);
    ends_with_its_object(session);
    require(session.discard(ws::Paths::only({"kept"})) == 1, "one change is dropped");
    require(session.changes().empty() && session.exists(), "and the session goes on");
    require(session.discard(ws::Paths::all()) == 0 && !session.exists(), "until it is dropped");
  } catch (const ws::Failure& failure) {
    std::printf("%s: %s\n", ws::to_word(failure.kind()), failure.what());
    return 1;
  }
  std::puts("well");
  return 0;
}
