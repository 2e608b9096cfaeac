// SPDX-License-Identifier: MIT
// Everything but `run` and `shell`.

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "cli/parser/parser_verbs.hpp"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <utility>

namespace shadow::cli {

namespace {

// The options of a command that takes paths.
template <class Options>
auto take_paths(std::shared_ptr<Options> options) {
  return [options = std::move(options)](const std::vector<std::string>& words) -> Verb {
    options->paths = words;
    return *options;
  };
}

std::string only_word(std::string_view verb, std::string_view what,
                      std::vector<std::string> words) {
  if (words.size() != 1) {
    throw Error{fmt::format("cannot understand '{}': it takes one {}", verb, what),
                fmt::format("'shadow {} --help' explains it", verb)};
  }
  return std::move(words.front());
}

VerbParser declare_status(Binder& binder) {
  auto options = std::make_shared<StatusOptions>();
  binder.flag("--porcelain", options->porcelain, "stable, line-based output for scripts");
  binder.flag("-z", options->null_terminated, "like --porcelain, with raw names that end in NUL");
  binder.flag("--watch", options->watch, "print it again whenever something changes");
  return {Positionals::Anywhere, take_paths(options)};
}

// `formats`: how many were asked for.
void check_diff(const DiffOptions& options, unsigned formats, bool any_paths) {
  if (options.commits && (formats > 0 || any_paths)) {
    throw Error{"cannot list commits by path or in another format", "give --commits alone"};
  }
  if (options.commits && options.session) {
    throw Error{"cannot list commits as changes of files", "give --commits or --session, not both"};
  }
  if (options.patch && !options.commits && formats > 0) {
    throw Error{"cannot print a patch in another format", "leave -p or the format out"};
  }
  if (options.null_terminated &&
      (options.format == DiffFormat::Patch || options.format == DiffFormat::Stat)) {
    throw Error{"cannot end names with NUL in this format",
                "-z goes with --numstat, --name-only and --name-status"};
  }
}

VerbParser declare_diff(Binder& binder) {
  struct Raw {
    DiffOptions options;
    std::array<bool, 4> formats{};
  };
  auto raw = std::make_shared<Raw>();
  DiffOptions& options = raw->options;
  binder.flag("--stat", raw->formats[0], "changed lines per file as a bar");
  binder.flag("--numstat", raw->formats[1], "changed lines per file as numbers");
  binder.flag("--name-only", raw->formats[2], "the changed files' names");
  binder.flag("--name-status", raw->formats[3], "the changed files' letters and names");
  binder.flag("-z", options.null_terminated, "raw names that end in NUL in the last three formats");
  binder.flag("--binary", options.binary, "include binary files, for 'git apply'");
  binder.checked(
      "-U,--unified", "N",
      [&options](const std::string& text) {
        // More lines than any text has; the patch writer's own type is unsigned.
        constexpr std::int64_t kMost = 1'000'000'000;
        options.context_lines = static_cast<unsigned>(std::min(number_of("-U", text), kMost));
      },
      "lines of context (default: 3)");
  binder.flag("-M,--find-renames", options.all_renames,
              "look for similar renamed files however many there are");
  binder.flag("--session", options.session, "the session's own changes, without the project's");
  binder.flag("--commits", options.commits, "list the session's commits instead");
  binder.flag("-p,--patch", options.patch, "with --commits, print each with its patch");
  binder.flag("--exit-code", options.exit_code, "exit with 1 if there are differences");
  binder.flag("--ignored", options.ignored, "include files that git ignores");
  return {Positionals::Anywhere, [raw](std::vector<std::string> words) -> Verb {
            constexpr std::array kFormats = {DiffFormat::Stat, DiffFormat::NumStat,
                                             DiffFormat::NameOnly, DiffFormat::NameStatus};
            unsigned count = 0;
            for (std::size_t i = 0; i < kFormats.size(); ++i) {
              if (raw->formats[i]) {
                raw->options.format = kFormats[i];
                ++count;
              }
            }
            if (count > 1) {
              throw Error{"cannot print several formats at once",
                          "give one of --stat, --numstat, --name-only, --name-status"};
            }
            check_diff(raw->options, count, !words.empty());
            raw->options.paths = std::move(words);
            return raw->options;
          }};
}

// The number of a run, or the beginning of a commit's id.
ShowOptions show_options(const std::string& word) {
  constexpr std::size_t kMostDigits = 18;
  constexpr std::size_t kLeastOfId = 4;
  constexpr std::size_t kId = 40;
  ShowOptions options;
  const bool hex = word.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
  const bool number = word.find_first_not_of("0123456789") == std::string::npos;
  if (hex && word.size() >= kLeastOfId && word.size() <= kId) {
    options.commit = word;
  }
  if (number && word.size() <= kMostDigits) {
    options.run = number_of("show", word);
  } else if (options.commit.empty()) {
    throw Error{fmt::format("cannot show {}: it is neither the number of a run nor the beginning "
                            "of a commit's id",
                            shadow::quoted(word)),
                "'shadow log' lists the runs, 'shadow diff --commits' the commits"};
  }
  return options;
}

// -p is one long question.
template <class Options>
void refuse_patch_without_asking(std::string_view verb, const Options& options) {
  if (options.patch && options.yes) {
    throw Error{fmt::format("cannot {} hunk by hunk without asking", verb),
                "give -p or --yes, not both"};
  }
}

workspace::OnConflict on_conflict_of(const std::string& word) {
  constexpr std::array<std::pair<std::string_view, workspace::OnConflict>, 6> kWords{
      {{"merge", workspace::OnConflict::Merge},
       {"stop", workspace::OnConflict::Stop},
       {"skip", workspace::OnConflict::Skip},
       {"ours", workspace::OnConflict::Ours},
       {"theirs", workspace::OnConflict::Theirs},
       {"markers", workspace::OnConflict::Markers}}};
  for (const auto& [name, value] : kWords) {
    if (word == name) {
      return value;
    }
  }
  throw Error{fmt::format("cannot understand --on-conflict={}", printable(word)),
              "it is one of merge, stop, skip, ours, theirs, markers"};
}

void check_apply(const ApplyOptions& options) {
  refuse_patch_without_asking("apply", options);
  if (options.diff && !options.dry_run) {
    throw Error{"cannot print the patch of an apply that writes", "give -n too"};
  }
  if (options.allow_sensitive && options.skip_sensitive) {
    throw Error{"cannot take both --allow-sensitive and --skip-sensitive",
                "--allow-sensitive=PATH goes with --skip-sensitive: what is there is written, and "
                "the other sensitive changes stay"};
  }
  const auto& how = options.on_conflict;
  if (options.patch && how != workspace::OnConflict::Configured &&
      how != workspace::OnConflict::Merge && how != workspace::OnConflict::Skip) {
    throw Error{"cannot ask hunk by hunk about one side of a conflict",
                "-p merges what goes together and leaves the rest; then apply that with "
                "--on-conflict"};
  }
}

void check_branch(const ApplyOptions& options, const std::vector<std::string>& words) {
  if (options.message && !options.branch) {
    throw Error{"cannot use a message without a new branch", "give --branch too"};
  }
  if (options.branch &&
      (options.patch || options.no_commits || !words.empty() || options.keep_mtime ||
       options.on_conflict != workspace::OnConflict::Configured)) {
    throw Error{"cannot put a part of the session on a branch",
                "--branch goes with -m, -n, --ignored and the options for sensitive changes"};
  }
}

VerbParser declare_apply(Binder& binder) {
  auto options = std::make_shared<ApplyOptions>();
  binder.flag("-p,--patch", options->patch, "ask about each hunk");
  binder.flag("-n,--dry-run", options->dry_run, "print what would be written, write nothing");
  binder.flag("--diff", options->diff, "with -n, print the patch that would be written");
  binder.checked(
      "--on-conflict", "merge|stop|skip|ours|theirs|markers",
      [&on_conflict = options->on_conflict](const std::string& word) {
        on_conflict = on_conflict_of(word);
      },
      "what to do if both sides changed (default: merge)");
  binder.flag("-y,--yes", options->yes, "do not ask");
  binder.flag("--ignored", options->ignored, "include files that git ignores");
  binder.flag_or_values("--allow-sensitive", "PATH", options->allow_sensitive,
                        options->sensitive_paths,
                        "write sensitive changes too: all, or those at or below PATH");
  binder.flag("--skip-sensitive", options->skip_sensitive, "keep sensitive changes in the session");
  binder.flag("--unseen", options->unseen, "also write changes that are not as shown");
  binder.flag("--keep-mtime", options->keep_mtime, "keep the files' modification times");
  binder.flag("--no-commits", options->no_commits, "write files only; commits stay in the session");
  binder.value("--branch", "NAME", options->branch,
               "put everything on a new branch; the work tree stays as it is");
  binder.value("-m,--message", "TEXT", options->message,
               "with --branch, the message of the last commit");
  return {Positionals::Anywhere, [options](const std::vector<std::string>& words) -> Verb {
            check_apply(*options);
            check_branch(*options, words);
            options->paths = words;
            return *options;
          }};
}

VerbParser declare_refresh(Binder& binder) {
  auto options = std::make_shared<RefreshOptions>();
  binder.flag("-n,--dry-run", options->dry_run, "print what would be done, do nothing");
  return {Positionals::Anywhere, take_paths(options)};
}

VerbParser declare_discard(Binder& binder) {
  auto options = std::make_shared<DiscardOptions>();
  binder.flag("-p,--patch", options->patch, "ask about each hunk");
  binder.flag("-y,--yes", options->yes, "do not ask");
  binder.flag("--all-sessions", options->all_sessions, "drop every session of the project");
  binder.flag("--kill", options->kill, "end the session's live runs first");
  return {Positionals::Anywhere, [options](std::vector<std::string> words) -> Verb {
            refuse_patch_without_asking("discard", *options);
            if (options->all_sessions && options->patch) {
              throw Error{"cannot discard hunks of all sessions",
                          "name a session with --as, or leave -p out"};
            }
            if (options->all_sessions && !words.empty()) {
              throw Error{"cannot discard paths of all sessions",
                          "give paths, or --all-sessions, not both"};
            }
            options->paths = std::move(words);
            return *options;
          }};
}

VerbParser declare_undo(Binder& binder) {
  auto options = std::make_shared<UndoOptions>();
  binder.flag("--list", options->list, "list the applies, change nothing");
  binder.flag("-n,--dry-run", options->dry_run, "print what would be undone, change nothing");
  binder.flag("-y,--yes", options->yes, "do not ask");
  binder.flag_or_values("--allow-sensitive", "PATH", options->allow_sensitive,
                        options->sensitive_paths,
                        "write sensitive changes too: all, or those at or below PATH");
  return {Positionals::Anywhere, [options](const std::vector<std::string>& words) -> Verb {
            if (words.size() > 1) {
              throw Error{"cannot undo several applies at once", "name one, or none for the last"};
            }
            if (!words.empty()) {
              options->id = number_of("undo", words.front());
            }
            return *options;
          }};
}

VerbParser declare_completion() {
  return {Positionals::Anywhere, [](std::vector<std::string> words) -> Verb {
            CompletionOptions options{only_word("completion", "shell", std::move(words))};
            if (options.shell != "bash" && options.shell != "zsh" && options.shell != "fish") {
              throw Error{fmt::format("cannot print a completion script for {}: no such script",
                                      shadow::quoted(options.shell)),
                          "there are scripts for bash, zsh and fish"};
            }
            return options;
          }};
}

template <class Options>
VerbParser declare_plain() {
  return {Positionals::None,
          [](const std::vector<std::string>& /*words*/) -> Verb { return Options{}; }};
}

}  // namespace

VerbParser declare_review_verb(std::string_view verb, Binder& binder) {
  if (verb == "status") {
    return declare_status(binder);
  }
  if (verb == "diff") {
    return declare_diff(binder);
  }
  if (verb == "apply") {
    return declare_apply(binder);
  }
  if (verb == "undo") {
    return declare_undo(binder);
  }
  if (verb == "refresh") {
    return declare_refresh(binder);
  }
  if (verb == "discard") {
    return declare_discard(binder);
  }
  if (verb == "list") {
    return declare_plain<ListOptions>();
  }
  if (verb == "log") {
    return {Positionals::Anywhere, take_paths(std::make_shared<LogOptions>())};
  }
  if (verb == "show") {
    return {Positionals::Anywhere, [](std::vector<std::string> words) -> Verb {
              return show_options(only_word("show", "run or commit", std::move(words)));
            }};
  }
  if (verb == "doctor") {
    return declare_plain<DoctorOptions>();
  }
  if (verb == "gc") {
    auto options = std::make_shared<GcOptions>();
    binder.flag("-n,--dry-run", options->dry_run, "print what would be removed, remove nothing");
    return {Positionals::None,
            [options](const std::vector<std::string>& /*words*/) -> Verb { return *options; }};
  }
  if (verb == "completion") {
    return declare_completion();
  }
  return {};
}

}  // namespace shadow::cli
