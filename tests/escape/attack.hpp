// SPDX-License-Identifier: MIT
// The attacks that a program inside a run can make by itself, as a table. Each entry says what is
// tried and which outcomes mean that the run held; attack_main.cpp tries each in a process of its
// own, as it is, and where that could help, with the powers of further user namespaces.

#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace escape {

// What the driver tells about the outside: paths, pids and keys that must be out of reach.
class Bait {
 public:
  static Bait read(const std::string& path);
  [[nodiscard]] std::string text(const std::string& name) const;
  [[nodiscard]] int number(const std::string& name) const;
  [[nodiscard]] bool has(const std::string& name) const { return values_.contains(name); }

 private:
  std::map<std::string, std::string> values_;
};

enum class Levels {
  Plain,  // as the run starts its command
  All     // also from one and from two nested user and mount namespaces
};

struct Attack {
  std::string topic;
  std::string name;
  std::string how;
  // Outcomes that mean "held", separated by '|'; or "open: TITLE", what the kernel leaves open and
  // shadow-security(7) says under that title; "open in default: TITLE": the strict profile closes
  // it.
  std::string expected;
  Levels levels;
  std::function<std::string(const Bait&)> attempt;
};

using Attacks = std::vector<Attack>;

Attacks mount_attacks();
Attacks new_mount_attacks();
Attacks process_attacks();
Attacks pid1_attacks();
Attacks file_attacks();
Attacks kernel_attacks();
Attacks kernel_file_attacks();
Attacks ipc_attacks();
Attacks read_only_attacks();
Attacks terminal_attacks();

// "OK" for a result of 0 or more, else the name of errno.
std::string outcome(long result);
std::string errno_name();

// One entry of /proc/self/mountinfo.
struct Mount {
  int id = 0;
  int parent = 0;
  std::string point;
  std::string options;  // of the mount
  std::string type;
  std::string super;  // of the filesystem
  [[nodiscard]] bool has(const std::string& option) const;
};
std::vector<Mount> mounts();

// "held", or what `leaked` lists.
std::string held_unless(const std::vector<std::string>& leaked);

// What was open when the program began, beyond 0, 1 and 2.
const std::vector<int>& descriptors_at_start();
void note_descriptors();

// Makes this process root, as far as it may, of a new user and mount namespace. Returns "" or why
// not.
std::string nest();
// How often this process did that.
int nested_levels();

// Whether the kernel has Landlock's scopes (Linux 6.12), asked of it and not told by its version:
// without them abstract sockets stay open, and shadow-security(7) says so.
bool has_landlock_scopes();

// Writes `text` to `path`; the outcome.
std::string try_write(const std::string& path, const std::string& text);
// Opens `path` with `flags`; the outcome.
std::string try_open(const std::string& path, int flags);

}  // namespace escape
