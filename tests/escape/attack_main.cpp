// SPDX-License-Identifier: MIT
// attack BAIT TOPIC...: tries every attack of the topics and prints a line for each:
// topic, attack, how, expected, observed, separated by tabs. Knows nothing about shadow.
#include "attack.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace escape {
namespace {

constexpr unsigned kSecondsEach = 20;

[[noreturn]] void attempt_in_child(const Attack& attack, const Bait& bait, int depth, int out) {
  ::alarm(kSecondsEach);
  std::string observed;
  for (int level = 0; level < depth && observed.empty(); ++level) {
    observed = nest();
  }
  // Without further user namespaces there is nothing that they could help with.
  observed = observed.empty() ? attack.attempt(bait) : "no namespace (" + observed + ")";
  if (::write(out, observed.data(), observed.size()) < 0) {
    ::_exit(2);
  }
  ::_exit(0);
}

std::string attempt(const Attack& attack, const Bait& bait, int depth) {
  int ends[2] = {-1, -1};
  if (::pipe(ends) != 0) {
    return "pipe: " + errno_name();
  }
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    attempt_in_child(attack, bait, depth, ends[1]);
  }
  ::close(ends[1]);
  std::string observed;
  char buffer[4096];
  ssize_t got = 0;
  while ((got = ::read(ends[0], buffer, sizeof buffer)) > 0) {
    observed.append(buffer, static_cast<std::size_t>(got));
  }
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    observed += std::string{"killed by SIG"} + ::sigabbrev_np(WTERMSIG(status));
  }
  for (char& byte : observed) {
    byte = byte == '\n' || byte == '\t' ? ' ' : byte;
  }
  return observed;
}

void try_all(const Attacks& attacks, const Bait& bait) {
  constexpr const char* kWhere[] = {"", " [nested]", " [nested twice]"};
  for (const Attack& attack : attacks) {
    const int deepest = attack.levels == Levels::All ? 2 : 0;
    for (int depth = 0; depth <= deepest; ++depth) {
      const std::string observed = attempt(attack, bait, depth);
      std::printf("%s\t%s%s\t%s\t%s\t%s\n", attack.topic.c_str(), attack.name.c_str(),
                  kWhere[depth], attack.how.c_str(), attack.expected.c_str(), observed.c_str());
      (void)std::fflush(stdout);
    }
  }
}

struct Topic {
  const char* name;
  Attacks (*attacks)();
};

constexpr Topic kTopics[] = {{"mounts", mount_attacks},
                             {"new-mounts", new_mount_attacks},
                             {"processes", process_attacks},
                             {"pid1", pid1_attacks},
                             {"files", file_attacks},
                             {"kernel", kernel_attacks},
                             {"kernel-files", kernel_file_attacks},
                             {"ipc", ipc_attacks},
                             {"read-only", read_only_attacks},
                             {"terminal", terminal_attacks}};

}  // namespace
}  // namespace escape

int main(int argc, char** argv) {
  if (argc < 3) {
    (void)std::fputs("usage: attack BAIT TOPIC...\n", stderr);
    return 2;
  }
  escape::note_descriptors();
  // What the attacks on groups of processes send, to themselves as well.
  (void)std::signal(SIGUSR1, SIG_IGN);
  try {
    const escape::Bait bait = escape::Bait::read(argv[1]);
    for (int at = 2; at < argc; ++at) {
      for (const escape::Topic& topic : escape::kTopics) {
        if (std::strcmp(topic.name, argv[at]) == 0) {
          escape::try_all(topic.attacks(), bait);
        }
      }
    }
  } catch (const std::exception& error) {
    (void)std::fprintf(stderr, "attack: %s\n", error.what());
    return 2;
  }
  return 0;
}
