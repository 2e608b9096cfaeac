// SPDX-License-Identifier: MIT
#include "git/objects/object_rules.hpp"

#include "base/git_names.hpp"
#include "base/text.hpp"
#include "git/objects/tree_entry.hpp"
#include "git/objects/tree_names.hpp"
#include "git/repository/git_refs.hpp"

#include <algorithm>
#include <array>

namespace shadow::git {
namespace {

bool is_null(const git_oid& id) {
  return git_oid_is_zero(&id) == 1;
}

bool is_id(const std::optional<std::string_view>& text) {
  return text && is_object_id(*text) && text->find_first_not_of('0') != std::string_view::npos;
}

// git compares a directory's name as if a slash followed.
bool in_order(const TreeRow& a, const TreeRow& b) {
  const auto key = [](const TreeRow& row) {
    return std::string{row.name} + (row.mode == kTreeMode ? "/" : "");
  };
  return key(a) < key(b);
}

bool is_sorted(const TreeBytes& tree) {
  return std::adjacent_find(tree.rows.begin(), tree.rows.end(),
                            [](const TreeRow& a, const TreeRow& b) { return !in_order(a, b); }) ==
         tree.rows.end();
}

// A file and a directory of one name need not stand side by side in git's order.
bool has_duplicates(const TreeBytes& tree) {
  std::vector<std::string_view> names;
  std::transform(tree.rows.begin(), tree.rows.end(), std::back_inserter(names),
                 [](const TreeRow& row) { return row.name; });
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) != names.end();
}

// Some filesystems separate directories by backslashes, so the name may follow one.
bool has_dot_git(std::string_view name) {
  const std::vector<std::string> parts = split(name, '\\');
  return std::any_of(parts.begin(), parts.end(),
                     [](const std::string& part) { return is_dot_git(part); });
}

bool is_mode(unsigned mode) {
  constexpr std::array kModes = {kTreeMode, kFileMode, kExecutableMode, kLinkMode, kModuleMode};
  return std::find(kModes.begin(), kModes.end(), mode) != kModes.end();
}

bool has_nul(std::string_view rest) {
  return rest.substr(0, rest.starts_with('\n') ? 0 : rest.find("\n\n")).find('\0') !=
         std::string_view::npos;
}

// git also takes a header that the object ends with, without a message; it writes none.
bool is_unterminated(std::string_view rest) {
  return !rest.starts_with('\n') && rest.find("\n\n") == std::string_view::npos;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// What stands behind the address and its blank.
std::string_view time_of(Identity identity) {
  const std::size_t close = identity.find('>');
  return close == std::string_view::npos || close + 2 > identity.size()
             ? std::string_view{}
             : identity.substr(close + 2);
}

std::string_view seconds_of(Identity identity) {
  const std::string_view time = time_of(identity);
  return time.substr(0, time.find(' '));
}

bool is_zone(std::string_view zone) {
  return zone.size() == 5 && (zone[0] == '+' || zone[0] == '-') && is_number(zone.substr(1));
}

constexpr std::string_view kDamagedEntry = "a tree has a damaged entry {}";
constexpr std::string_view kEntryNamed = "a tree has an entry named {}";
constexpr std::string_view kDamagedCommit = "a commit has a damaged header";
constexpr std::string_view kDamagedTag = "a tag has a damaged header";
constexpr std::string_view kDamagedIdentity =
    "a commit or tag has a damaged author, committer or tagger";
constexpr std::string_view kNoTree = "a commit names no tree";
constexpr std::string_view kNoTreeRead = "a tree cannot be read";

constexpr auto kTreeRules = std::to_array<Rule<TreeBytes>>({
    {{"badTree", Severity::Error, kNoTreeRead}, [](const TreeBytes& tree) { return !tree.whole; }},
    {{"zeroPaddedFilemode", Severity::Warning, kNoTreeRead},
     [](const TreeBytes& tree) { return tree.padded_mode; }},
    {{"duplicateEntries", Severity::Error, "a tree has two entries of one name"}, has_duplicates},
    {{"treeNotSorted", Severity::Error, "a tree is not in order"},
     [](const TreeBytes& tree) { return !is_sorted(tree); }},
});

constexpr auto kRowRules = std::to_array<Rule<TreeRow>>({
    {{"emptyName", Severity::Warning, kEntryNamed},
     [](const TreeRow& row) { return row.name.empty(); }},
    {{"hasDot", Severity::Warning, kEntryNamed},
     [](const TreeRow& row) { return row.name == "."; }},
    {{"hasDotdot", Severity::Warning, kEntryNamed},
     [](const TreeRow& row) { return row.name == ".."; }},
    {{"fullPathname", Severity::Warning, kEntryNamed},
     [](const TreeRow& row) { return row.name.find('/') != std::string_view::npos; }},
    {{"hasDotgit", Severity::Warning, kEntryNamed},
     [](const TreeRow& row) { return has_dot_git(row.name); }},
    {{"badFilemode", Severity::Info, kDamagedEntry},
     [](const TreeRow& row) { return !is_mode(row.mode); }},
    {{"nullSha1", Severity::Warning, kDamagedEntry},
     [](const TreeRow& row) { return is_null(row.id); }},
    {{"gitmodulesSymlink", Severity::Error, "its '.gitmodules' is a symlink"},
     [](const TreeRow& row) {
       return row.mode == kLinkMode && is_dot_file(row.name, DotFile::Modules);
     }},
});

constexpr auto kCommitRules = std::to_array<Rule<CommitHeader>>({
    {{"missingTree", Severity::Error, kNoTree},
     [](const CommitHeader& commit) { return !commit.tree; }},
    {{"badTreeSha1", Severity::Error, kNoTree},
     [](const CommitHeader& commit) { return !is_id(commit.tree); }},
    {{"badParentSha1", Severity::Error, kDamagedCommit},
     [](const CommitHeader& commit) {
       return !std::all_of(commit.parents.begin(), commit.parents.end(), is_id);
     }},
    {{"missingAuthor", Severity::Error, kDamagedCommit},
     [](const CommitHeader& commit) { return !commit.author; }},
    {{"multipleAuthors", Severity::Error, kDamagedCommit},
     [](const CommitHeader& commit) { return commit.second_author; }},
    {{"missingCommitter", Severity::Error, kDamagedCommit},
     [](const CommitHeader& commit) { return !commit.committer; }},
    {{"nulInHeader", Severity::Fatal, kDamagedCommit},
     [](const CommitHeader& commit) { return has_nul(commit.rest); }},
    {{"unterminatedHeader", Severity::Fatal, kDamagedCommit},
     [](const CommitHeader& commit) { return is_unterminated(commit.rest); }},
});

constexpr auto kTagRules = std::to_array<Rule<TagHeader>>({
    {{"missingObject", Severity::Error, kDamagedTag},
     [](const TagHeader& tag) { return !tag.object; }},
    {{"badObjectSha1", Severity::Error, kDamagedTag},
     [](const TagHeader& tag) { return !is_id(tag.object); }},
    {{"missingTypeEntry", Severity::Error, kDamagedTag},
     [](const TagHeader& tag) { return !tag.type; }},
    {{"badType", Severity::Error, kDamagedTag},
     [](const TagHeader& tag) {
       constexpr std::array<std::string_view, 4> kTypes = {"commit", "tree", "blob", "tag"};
       return std::find(kTypes.begin(), kTypes.end(), *tag.type) == kTypes.end();
     }},
    {{"missingTagEntry", Severity::Error, kDamagedTag},
     [](const TagHeader& tag) { return !tag.tag; }},
    {{"missingTaggerEntry", Severity::Info, kDamagedTag},
     [](const TagHeader& tag) { return !tag.tagger; }},
    {{"nulInHeader", Severity::Fatal, kDamagedTag},
     [](const TagHeader& tag) { return has_nul(tag.rest); }},
    {{"unterminatedHeader", Severity::Fatal, kDamagedTag},
     [](const TagHeader& tag) { return is_unterminated(tag.rest); }},
});

// A rule may rely on those above it: the address is there for the time that stands behind it.
constexpr auto kIdentityRules = std::to_array<Rule<Identity>>({
    {{"nulInHeader", Severity::Fatal, kDamagedIdentity},
     [](const Identity& who) { return who.find('\0') != std::string_view::npos; }},
    {{"missingNameBeforeEmail", Severity::Error, kDamagedIdentity},
     [](const Identity& who) { return who.starts_with('<'); }},
    {{"missingEmail", Severity::Error, kDamagedIdentity},
     [](const Identity& who) { return who.find_first_of("<>") == std::string_view::npos; }},
    {{"badName", Severity::Error, kDamagedIdentity},
     [](const Identity& who) { return who[who.find_first_of("<>")] == '>'; }},
    {{"missingSpaceBeforeEmail", Severity::Error, kDamagedIdentity},
     [](const Identity& who) { return who[who.find('<') - 1] != ' '; }},
    {{"badEmail", Severity::Error, kDamagedIdentity},
     [](const Identity& who) {
       const std::size_t close = who.find_first_of("<>", who.find('<') + 1);
       return close == std::string_view::npos || who[close] != '>';
     }},
    {{"missingSpaceBeforeDate", Severity::Error, kDamagedIdentity},
     [](const Identity& who) { return who.substr(who.find('>')).substr(1, 1) != " "; }},
    {{"zeroPaddedDate", Severity::Error, kDamagedIdentity},
     [](const Identity& who) {
       return seconds_of(who).size() > 1 && seconds_of(who).starts_with('0');
     }},
    {{"badDate", Severity::Error, kDamagedIdentity},
     [](const Identity& who) { return !is_number(seconds_of(who)); }},
    {{"badDateOverflow", Severity::Error, kDamagedIdentity},
     [](const Identity& who) {
       constexpr std::size_t kMostDigits = 18;  // git's own type is 64 bits wide
       return seconds_of(who).size() > kMostDigits;
     }},
    {{"badTimezone", Severity::Error, kDamagedIdentity},
     [](const Identity& who) {
       const std::string_view time = time_of(who);
       const std::size_t blank = time.find(' ');
       return blank == std::string_view::npos || !is_zone(time.substr(blank + 1));
     }},
});

}  // namespace

std::span<const Rule<TreeBytes>> tree_rules() {
  return kTreeRules;
}

std::span<const Rule<TreeRow>> tree_row_rules() {
  return kRowRules;
}

std::span<const Rule<CommitHeader>> commit_rules() {
  return kCommitRules;
}

std::span<const Rule<TagHeader>> tag_rules() {
  return kTagRules;
}

std::span<const Rule<Identity>> identity_rules() {
  return kIdentityRules;
}

}  // namespace shadow::git
