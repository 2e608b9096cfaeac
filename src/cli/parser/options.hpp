// SPDX-License-Identifier: MIT
// The request of a command line, as plain data. The parser fills these; a command reads them and
// never sees how they were written.

#pragma once

#include "shadow/workspace_types.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace shadow::cli {

enum class ColorChoice : std::uint8_t { Auto, Always, Never };

struct GlobalOptions {
  std::optional<std::string> directory;  // -C
  std::optional<std::string> agent;      // --as
  bool json = false;
  ColorChoice color = ColorChoice::Auto;
};

// --help and --version: text for stdout.
struct PrintText {
  std::string text;
};

// The policy as it was written, word by word; what the words mean is the policy's business.
struct PolicyFlags {
  std::optional<std::string> profile;
  std::optional<std::string> net;
  std::optional<std::string> home;
  std::vector<std::string> read_only;
  std::vector<std::string> read_write;
  std::vector<std::string> hide;
  std::vector<std::string> env;  // NAME or NAME=VALUE
  std::vector<std::string> unset;
  bool clear_env = false;
  std::optional<std::string> memory;
  std::optional<std::string> cpus;
  std::optional<std::string> pids;
  std::optional<std::string> tmp_size;
  std::optional<std::string> timeout;
  std::optional<std::string> file_size;
  std::optional<std::string> open_files;
  std::optional<std::string> only;
  bool hide_secrets = false;
  bool die_with_parent = false;
  bool no_die_with_parent = false;
  bool print_policy = false;  // say what would hold, run nothing
};

struct RunOptions {
  PolicyFlags policy;
  std::vector<std::string> argv;  // empty only with print_policy
};

struct ShellOptions {
  PolicyFlags policy;
};

struct StatusOptions {
  std::vector<std::string> paths;
  bool porcelain = false;
  bool null_terminated = false;  // -z, implies porcelain
  bool watch = false;            // again whenever something changed
};

enum class DiffFormat : std::uint8_t { Patch, Stat, NumStat, NameOnly, NameStatus };

struct DiffOptions {
  std::vector<std::string> paths;
  DiffFormat format = DiffFormat::Patch;
  bool null_terminated = false;
  bool binary = false;
  bool exit_code = false;
  bool ignored = false;
  bool session = false;      // what the session did, whatever became of the project since
  bool commits = false;      // list these instead
  bool patch = false;        // with commits: each with its patch
  bool all_renames = false;  // -M: look for similar files whatever it costs
  unsigned context_lines = 3;
};

struct ApplyOptions {
  std::vector<std::string> paths;
  bool patch = false;  // ask for each hunk
  bool dry_run = false;
  bool diff = false;  // with dry_run: the patch
  workspace::OnConflict on_conflict = workspace::OnConflict::Configured;
  bool ignored = false;
  bool yes = false;
  bool allow_sensitive = false;              // all of them
  std::vector<std::string> sensitive_paths;  // these and what is below them
  bool skip_sensitive = false;
  bool keep_mtime = false;
  bool unseen = false;  // also what is not what a review showed
  bool no_commits = false;
  std::optional<std::string> branch;   // write to this new branch, not to the work tree
  std::optional<std::string> message;  // of the commit there
};

struct UndoOptions {
  bool list = false;
  bool dry_run = false;
  bool yes = false;
  bool allow_sensitive = false;              // all of them
  std::vector<std::string> sensitive_paths;  // these and what is below them
  std::optional<std::int64_t> id;
};

struct RefreshOptions {
  std::vector<std::string> paths;
  bool dry_run = false;
};

struct DiscardOptions {
  std::vector<std::string> paths;
  bool patch = false;  // ask for each hunk
  bool all_sessions = false;
  bool kill = false;
  bool yes = false;
};

struct ListOptions {};

struct LogOptions {
  std::vector<std::string> paths;
};

struct ShowOptions {
  std::optional<std::int64_t> run;
  std::string commit;  // the beginning of an id; with a run: where there is none of that number
};

struct DoctorOptions {};

struct GcOptions {
  bool dry_run = false;
};

struct CompletionOptions {
  std::string shell;
};

using Verb = std::variant<PrintText, RunOptions, ShellOptions, StatusOptions, DiffOptions,
                          ApplyOptions, UndoOptions, RefreshOptions, DiscardOptions, ListOptions,
                          LogOptions, ShowOptions, DoctorOptions, GcOptions, CompletionOptions>;

struct Command {
  GlobalOptions global;
  Verb verb;
};

}  // namespace shadow::cli
