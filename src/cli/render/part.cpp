// SPDX-License-Identifier: MIT
#include "cli/render/part.hpp"

#include "cli/render/item.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace shadow::cli {

namespace {

// The object of the question, after "Apply" or "Discard".
const char* noun(PartKind kind) {
  switch (kind) {
    case PartKind::Mode:
      return "mode change";
    case PartKind::Attributes:
      return "change of attributes";
    case PartKind::Hunk:
      return "this hunk";
    case PartKind::Addition:
      return "addition";
    case PartKind::Deletion:
      return "deletion";
    case PartKind::Whole:
      break;
  }
  return "this change";
}

// "this hunk" in a sentence.
std::string that(PartKind kind) {
  const std::string text = noun(kind);
  return text.compare(0, 5, "this ") == 0 ? text : "this " + text;
}

std::string help_for(char key, const std::string& verb, const std::string& what) {
  switch (key) {
    case 'y':
      return fmt::format("{} {}", verb, what);
    case 'n':
      return fmt::format("do not {} {}", verb, what);
    case 'q':
      return fmt::format("quit; do not {} {} or any of the remaining ones", verb, what);
    case 'a':
      return fmt::format("{} {} and all later ones in the file", verb, what);
    case 'd':
      return fmt::format("do not {} {} or any later ones in the file", verb, what);
    case 'k':
      return fmt::format("leave {} undecided, see the previous undecided one", what);
    case 'K':
      return fmt::format("leave {} undecided, see the previous one", what);
    case 'j':
      return fmt::format("leave {} undecided, see the next undecided one", what);
    case 'J':
      return fmt::format("leave {} undecided, see the next one", what);
    case 'g':
      return "select one to go to";
    case '/':
      return "search for a hunk that matches a regular expression";
    case 's':
      return fmt::format("split {} into smaller ones", what);
    case 'e':
      return fmt::format("edit {} by hand", what);
    default:
      return "print help";
  }
}

char sign(Decision decision) {
  switch (decision) {
    case Decision::Undecided:
      return ' ';
    case Decision::Taken:
      return '+';
    case Decision::Refused:
      break;
  }
  return '-';
}

// The first changed line of a hunk, which tells it from the others.
std::string first_change(const Hunk& hunk) {
  for (const HunkLine& line : hunk.lines) {
    if (line.kind != LineKind::Context) {
      constexpr std::size_t kWidth = 60;
      const char origin = line.kind == LineKind::Added ? '+' : '-';
      return origin + line.text.substr(0, std::min(line.text.find('\n'), kWidth));
    }
  }
  return {};
}

}  // namespace

std::string part_prompt(PickFor what, const PartQuestion& question) {
  std::string keys;
  for (const char key : question.keys) {
    keys += keys.empty() ? "" : ",";
    keys += key;
  }
  const std::size_t others = question.offer.with.size();
  const std::string& path = question.offer.item.change.path;
  const bool repository = question.offer.item.change.kind == ChangeKind::Added &&
                          question.offer.item.change.after.kind == EntryKind::Directory &&
                          (path == ".git" || path.ends_with("/.git"));
  return fmt::format("({}/{}) {} {}{} {} [{}]?", question.at + 1, question.parts.size(),
                     what == PickFor::Apply ? "Apply" : "Discard",
                     repository ? "new git repository" : noun(question.parts[question.at].kind),
                     others == 0 ? "" : fmt::format(" and the {} below it", others),
                     what == PickFor::Apply ? "to the project" : "from the session", keys);
}

std::string part_help(PickFor what, const PartQuestion& question) {
  std::string text;
  for (const char key : question.keys) {
    text += fmt::format("{} - {}\n", key,
                        help_for(key, what == PickFor::Apply ? "apply" : "discard",
                                 that(question.parts[question.at].kind)));
  }
  return text;
}

std::string part_list(const std::vector<Part>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool hunk = parts[i].kind == PartKind::Hunk;
    text += fmt::format("{}{:>3}: {}\n", sign(parts[i].decision), i + 1,
                        hunk ? first_change(parts[i].hunk) : noun(parts[i].kind));
  }
  return text;
}

std::string change_line(const ReviewItem& item, std::string_view from) {
  const std::string remark = remarks(item, from);
  return fmt::format("{}  {}{}", to_letter(item.change.kind), shown_path(item.change, from),
                     remark.empty() ? "" : "  (" + remark + ")");
}

bool has_more_than_a_patch(const ReviewItem& item) {
  const Change& change = item.change;
  const bool mode =
      change.kind == ChangeKind::Modified && change.mode_changed &&
      !(is_shown_by_patch(change.before.mode) && is_shown_by_patch(change.after.mode));
  return mode || !item.widened.empty() || change.xattrs_changed || change.acl_changed ||
         change.left_bits != 0 || change.left_capabilities ||
         change.kind == ChangeKind::TypeChanged || !item.sensitive.empty() ||
         item.drift != Drift::None;
}

std::string edit_guide_above() {
  return "# Edit the hunk below. Lines that begin with '#' are left out.\n"
         "#\n"
         "# To keep a line that a '-' removes, make the '-' a ' '.\n"
         "# To leave out a line that a '+' adds, delete it.\n"
         "# A line of context can be made a '-'; a new line begins with '+'.\n"
         "#\n";
}

std::string edit_guide_below(PickFor what) {
  return fmt::format(
      "#\n"
      "# What stands here when the editor ends is what will be {}.\n"
      "# It must still fit the {}.\n"
      "#\n"
      "# When every line is deleted the hunk stays as it was.\n"
      "#\n",
      what == PickFor::Apply ? "applied" : "discarded",
      what == PickFor::Apply ? "project's file" : "session's file");
}

}  // namespace shadow::cli
