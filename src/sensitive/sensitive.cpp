// SPDX-License-Identifier: MIT
#include "sensitive/sensitive.hpp"

#include "shadow/error.hpp"

#include "base/digest.hpp"
#include "base/text.hpp"
#include "base/tool_files.hpp"
#include "sensitive/kinds_of_changes.hpp"
#include "sensitive/names/compiled_name.hpp"
#include "sensitive/names/embedded_settings.hpp"
#include "sensitive/names/folded_name.hpp"
#include "sensitive/names/sensitive_names.hpp"
#include "sensitive/repositories/git_dir_parts.hpp"
#include "sensitive/shared_names.hpp"
#include "session/project/git_dir.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace shadow::sensitive {

namespace {

// The positions in the path at which something begins that is `named`, lies below it, or would lead
// to it as a link: the lengths of the parts before. "" is the project's top.
std::vector<std::size_t> begins_of(const Change& change, const std::string& named) {
  std::vector<std::size_t> found;
  for (std::size_t begin = 0; begin < change.path.size();) {
    const std::string_view rest = std::string_view{change.path}.substr(begin);
    const bool leads = change.after.kind == EntryKind::Symlink && is_at_or_below(named, rest);
    if (leads || is_at_or_below(rest, named)) {
      found.push_back(begin);
    }
    begin = std::min(change.path.find('/', begin), change.path.size()) + 1;
  }
  return found;
}

// Below it, and not right in it.
bool is_far_below(std::string_view path, std::string_view directory) {
  return is_at_or_below(path, directory) &&
         path.find('/', directory.empty() ? 0 : directory.size() + 1) != std::string_view::npos;
}

}  // namespace

bool SensitiveRules::is_named(const NamedPath& named, const Change& change) const {
  const std::string& path = change.path;
  if ((named.if_fresh && change.before.exists()) ||
      (named.right_in && is_far_below(path, named.path))) {
    return false;
  }
  if (named.path.empty() && named.in_any_directory) {
    return may_be_found_on_path(change);
  }
  if (named.path.empty() && !named.fresh_module) {
    return named.below && !is_for_people(path);
  }
  if (named.fresh_module) {
    return is_fresh_module(change, named.path) &&
           (!named.of_python || is_python_module_in(named.path, change));
  }
  if (named.in_any_directory) {
    const std::vector<std::size_t> begins = begins_of(change, named.path);
    return std::any_of(begins.begin(), begins.end(), [&](std::size_t begin) {
      return named.below || change.after.kind == EntryKind::Symlink ||
             (path.size() - begin == named.path.size() &&
              change.after.kind != EntryKind::Directory);
    });
  }
  if (named.anywhere) {
    // Below the top of some work tree, which has a `.git`.
    const std::vector<std::size_t> begins = begins_of(change, named.path);
    return std::any_of(begins.begin(), begins.end(), [&](std::size_t begin) {
      return begin > 0 && has_work_tree(path.substr(0, begin));
    });
  }
  // A directory above it leads elsewhere once it is a link.
  const bool leads = change.after.kind == EntryKind::Symlink && is_at_or_below(named.path, path);
  if (path == named.path || leads) {
    return leads || !named.in_part || !reason_of_text(change, folded_name(named.alias)).empty();
  }
  if (!is_at_or_below(path, named.path)) {
    return false;
  }
  if (named.below || named.alias.empty()) {
    return named.below && (!named.can_run || can_be_run(change));
  }
  const std::string known = named.alias + path.substr(named.path.size());
  const std::string alias = folded_name(known);
  return find_sensitive_name(alias) != nullptr ||
         find_sensitive_name(folded_name(sys::join_path(places_.above, known))) != nullptr ||
         find_python_module(alias, change.after.kind == EntryKind::Symlink) != nullptr ||
         !reason_at_inner_top(change, known).empty();
}

std::string SensitiveRules::reason_of_names(const Change& change) const {
  std::string reason = reason_of_name(change, change.path);
  if (reason.empty() && !places_.above.empty()) {
    reason = reason_of_name(change, sys::join_path(places_.above, change.path));
  }
  if (reason.empty()) {
    reason = reason_at_inner_top(change, change.path);
  }
  return reason.empty() ? reason_of_text(change, folded_name(change.path)) : reason;
}

std::string SensitiveRules::reason_of_name(const Change& change, const std::string& path,
                                           bool by_text) const {
  const std::string folded = folded_name(path);
  if (const auto reason = reason_in_git_dir(folded); !reason.empty()) {
    return std::string{reason};
  }
  if (const SensitiveName* rule = find_sensitive_name(folded);
      rule != nullptr && !is_python_of_system(change) &&
      !(by_text && is_shared_name(rule->name) && is_of_another(change, folded))) {
    return std::string{rule->reason};
  }
  const bool link = change.after.kind == EntryKind::Symlink;
  if (const SensitiveName* rule = find_python_module(folded, link);
      rule != nullptr &&
      (rule->kind != SensitiveKind::NewPythonModule || !change.before.exists())) {
    return std::string{rule->reason};
  }
  if (link) {
    if (const SensitiveName* rule = find_sensitive_below(folded)) {
      return std::string{rule->reason};
    }
  }
  return {};
}

// A sub-module, or another repository in the project, has a top of its own. One is looked for only
// above names that would count there.
std::string SensitiveRules::reason_at_inner_top(const Change& change,
                                                const std::string& path) const {
  const std::string folded = folded_name(path);
  const bool link = change.after.kind == EntryKind::Symlink;
  std::size_t slash = path.find('/');
  for (std::size_t begin = folded.find('/');
       begin != std::string::npos && slash != std::string::npos;
       begin = folded.find('/', begin + 1), slash = path.find('/', slash + 1)) {
    const SensitiveName* rule =
        find_sensitive_at_top(std::string_view{folded}.substr(begin + 1), link);
    if (rule != nullptr &&
        (rule->kind != SensitiveKind::NewPythonModule || !change.before.exists()) &&
        has_work_tree(path.substr(0, slash + 1))) {
      return std::string{rule->reason};
    }
  }
  return {};
}

// A commit may change what an earlier one brought, which the project does not have.
std::optional<std::string> SensitiveRules::text_before(const Change& change) const {
  return change.before.kind == EntryKind::File && places_.read_project &&
                 places_.in_project(change.path).kind == EntryKind::File
             ? places_.read_project(change.path)
             : std::optional<std::string>{""};
}

std::optional<std::string> SensitiveRules::text_after(const Change& change) const {
  if (!text_after_ || text_after_->path != change.path) {
    text_after_ = TextAfter{change.path, places_.read(change.path)};
  }
  return text_after_->text;
}

// Whatever it was before. What cannot be read may be of any program.
bool SensitiveRules::is_of_another(const Change& change, const std::string& folded) const {
  const auto is_plain = [](const Entry& entry) {
    return entry.kind == EntryKind::File || entry.kind == EntryKind::Absent;
  };
  if (!is_plain(change.before) || !is_plain(change.after) ||
      (!change.before.exists() && is_taken_when_new(folded))) {
    return false;
  }
  try {
    const auto before = text_before(change);
    const auto after =
        change.after.kind == EntryKind::File ? text_after(change) : std::optional<std::string>{""};
    return before && after && is_of_another_program(folded, *before) &&
           is_of_another_program(folded, *after);
  } catch (const Error&) {
    return false;
  }
}

// Files of which only a part is obeyed, by what they say, or said: what is taken out of them may
// uncover something else. What cannot be read, because it is too large, say, may say anything.
std::string SensitiveRules::reason_of_text(const Change& change, const std::string& folded) const {
  const std::string_view name = sys::split_path(folded).name;
  const bool attributes = name == ".gitattributes";
  if (change.after.kind == EntryKind::Fifo &&
      (attributes || name == ".gitignore" || name == ".mailmap")) {
    return "a FIFO, for which git waits";
  }
  if (!attributes && !is_tool_file(name)) {
    return {};
  }
  std::string reason{attributes ? "it names filters, which git runs" : kObeyedInPart};
  // Whoever reads a FIFO waits for ever.
  if (change.after.kind == EntryKind::Symlink || change.before.kind == EntryKind::Symlink ||
      change.after.kind == EntryKind::Fifo) {
    return reason;
  }
  try {
    const auto before = text_before(change);
    const auto after =
        change.after.kind == EntryKind::File ? text_after(change) : std::optional<std::string>{""};
    if (!before || !after) {
      return reason;
    }
    const bool obeyed = attributes
                            ? names_programs(*before) || names_programs(*after)
                            : tool_settings_in(name, *before) != tool_settings_in(name, *after);
    return obeyed ? reason : "";
  } catch (const Error&) {
    return reason;
  }
}

// A HEAD that git would take for one. The rest of a git directory is empty directories and files of
// any content, and may come, or have come, by a branch that nobody has checked out yet.
bool SensitiveRules::is_head_of_git(const Change& change) const {
  if (!is_named_head(change.path)) {
    return false;
  }
  if (change.after.kind == EntryKind::Symlink) {
    return change.after.target.str().starts_with("refs/");
  }
  if (change.after.kind != EntryKind::File) {
    return false;
  }
  try {
    const auto text = text_after(change);
    return !text || is_text_of_head(*text);
  } catch (const Error&) {
    return true;
  }
}

bool SensitiveRules::has_work_tree(const std::string& directory) const {
  return places_.in_view(directory + ".git").exists() ||
         places_.in_project(directory + ".git").exists();
}

std::string SensitiveRules::reason_of(const Change& change) {
  text_after_.reset();
  return reason_now(change);
}

std::string SensitiveRules::judged_text() const {
  return text_after_ && text_after_->text ? std::string{as_bytes(digest_bytes(*text_after_->text))}
                                          : std::string{};
}

std::string SensitiveRules::reason_of_written(const Change& change, std::string text) {
  text_after_ = TextAfter{change.path, std::move(text)};
  return reason_now(change);
}

std::string SensitiveRules::reason_now(const Change& change) {
  if (change.after.kind == EntryKind::Device) {
    return "a device node";
  }
  std::string reason = reason_of_names(change);
  if (reason.empty()) {
    reason = reason_in_tree(change);
  }
  if (reason.empty() && !session::git_dir_of(change.path)) {
    reason = reason_of_place(change);
  }
  return !reason.empty() ? reason : reason_of_source(change);
}

// By a component of the path, and not the whole: names that are new and read as arguments, and
// packages of node's, which it finds from any directory below (nodejs.org/api/modules.html).
std::string SensitiveRules::reason_of_place(const Change& change) const {
  const std::string& path = change.path;
  const bool comes =
      change.after.kind == EntryKind::File || change.after.kind == EntryKind::Symlink;
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const bool whole = end == path.size();
    const std::string_view name = std::string_view{path}.substr(begin, end - begin);
    const std::string_view reason = reason_as_argument(name);
    if (!reason.empty() && change.after.exists() &&
        !(whole ? change.before : places_.in_project(path.substr(0, end))).exists()) {
      return std::string{reason};
    }
    if ((!whole || change.after.kind == EntryKind::Symlink) && comes && places_.ignored &&
        folded_name(name) == "node_modules" && !places_.ignored(path)) {
      return "programs load it by its name";
    }
    begin = end + 1;
  }
  return {};
}

// What a program would take it for.
std::string SensitiveRules::reason_of_source(const Change& change) const {
  std::string path = source_of_compiled(change.path);
  if (path.empty()) {
    return {};
  }
  Change source = change;
  source.path = std::move(path);
  std::string reason = reason_of_name(source, source.path, false);
  if (reason.empty() && !places_.above.empty()) {
    reason = reason_of_name(source, sys::join_path(places_.above, source.path), false);
  }
  if (reason.empty()) {
    reason = reason_at_inner_top(source, source.path);
  }
  const auto named =
      std::find_if(places_.named.begin(), places_.named.end(), [&](const NamedPath& one) {
        return reason.empty() && !one.in_part && is_named(one, source);
      });
  return named == places_.named.end() ? reason : named->reason;
}

std::string SensitiveRules::reason_in_tree(const Change& change) {
  for (const NamedPath& named : places_.named) {
    if (is_named(named, change)) {
      return named.reason;
    }
  }
  if (matches_pattern(change.path, places_.patterns)) {
    return "your configuration names it";
  }
  // Entries of a `.git` are not files of the work tree: see sensitive/repositories/new_git_dir.
  if (!session::git_dir_of(change.path) &&
      (lookalikes_.around(change.path) || is_head_of_git(change))) {
    return "part of a git repository";
  }
  return change.after.kind == EntryKind::Symlink ? reason_of_link(change) : std::string{};
}

std::optional<SensitiveRules::Awaited> SensitiveRules::awaits_repository(
    const std::string& work_tree) const {
  // Its names would begin at its own top, no longer at that of the work tree around it.
  const std::string above = folded_name(places_.above);
  if (work_tree.empty() && !above.empty() && !above.starts_with("*/")) {
    const SensitiveName* rule = find_sensitive_name(above + "/x");
    rule = rule != nullptr ? rule : find_sensitive_below(above);
    if (rule != nullptr) {
      return Awaited{places_.above, std::string{rule->reason}};
    }
  }
  for (const SensitiveName& rule : sensitive_names()) {
    if (rule.at_root && rule.effect == SensitiveEffect::Stops && !work_tree.empty() &&
        places_.in_project(work_tree + std::string{rule.name}).exists()) {
      return Awaited{work_tree + std::string{rule.name}, std::string{rule.reason}};
    }
  }
  const auto named =
      std::find_if(places_.named.begin(), places_.named.end(), [&](const NamedPath& one) {
        return one.anywhere && !work_tree.empty() &&
               places_.in_project(work_tree + one.path).exists();
      });
  return named == places_.named.end()
             ? std::nullopt
             : std::optional{Awaited{work_tree + named->path, named->reason}};
}

std::string SensitiveRules::remark_on(const Change& change) {
  const SensitiveName* rule = find_sensitive_name(folded_name(change.path), SensitiveEffect::Named);
  return rule == nullptr ? std::string{} : std::string{rule->reason};
}

}  // namespace shadow::sensitive
