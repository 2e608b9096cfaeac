// SPDX-License-Identifier: MIT
// Processes: identity over pid re-use, waiting, environment.

#pragma once

#include "sys/files/fd.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace shadow::sys {

// A pidfd; empty when there is no such process.
[[nodiscard]] Fd open_pidfd(pid_t pid);

// Field 22 of /proc/PID/stat: with the pid it names one process for the life of the machine.
// nullopt for one that has ended, be it that its parent has not waited for it yet.
[[nodiscard]] std::optional<std::uint64_t> start_time(pid_t pid);

// "PID-START" of this process: what it names so is told from another's also once it was killed.
[[nodiscard]] std::string own_process_tag();

// True if the name begins with the tag of a process that has not ended, and a hyphen.
[[nodiscard]] bool is_of_live_process(std::string_view name);

// Waits for a child, retrying on EINTR; the wait status.
int wait_for(pid_t pid);

// Makes this process nobody's: a session of its own, /dev/null for 0, 1 and 2 (a caller may wait
// for the end of its pipes), "/" as its directory, and with Priority::Behind behind whatever the
// caller does next. Allocates nothing, so that it may be called after vfork(2). False when there is
// no "/" to go to.
enum class Priority : std::uint8_t { Behind, Same };
[[nodiscard]] bool detach_from_caller(Priority priority = Priority::Behind) noexcept;

// The process is behind from here on.
void fall_behind() noexcept;

// The directory of the running program; of a guest (guest.hpp) that of `shadow`.
[[nodiscard]] std::string program_dir();

// The caller's file mode creation mask. Read from /proc: umask(2) tells it only by setting another,
// which a second thread would meet. 022 where /proc does not say (before Linux 4.7, or hidden).
[[nodiscard]] std::uint32_t own_umask();

// Lets the process have as many descriptors open as it may (RLIMIT_NOFILE): the usual bound of 1024
// is for programs that use select(2).
void allow_all_descriptors();

// The value of an environment variable; nullopt when unset.
[[nodiscard]] std::optional<std::string> environment(const char* name);

// $XDG_CONFIG_HOME, or ~/.config, as git and others find it.
[[nodiscard]] std::string user_config_dir(const std::string& home);

}  // namespace shadow::sys
