// SPDX-License-Identifier: MIT
#include "commits/show/commit_text.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>

namespace shadow::commits {

namespace {

// "Name <address>" of "Name <address> 1700000000 +0000".
std::string_view person_of(std::string_view value) {
  const std::size_t end = value.rfind('>');
  return end == std::string_view::npos ? value : value.substr(0, end + 1);
}

// Headers that the head or other lines of the output already show, where git expects them: further
// down they are anybody's.
bool is_shown_elsewhere(std::string_view header) {
  constexpr std::array<std::string_view, 4> kShown = {"tree ", "parent ", "object ", "type "};
  return std::any_of(kShown.begin(), kShown.end(),
                     [header](std::string_view start) { return header.starts_with(start); });
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

std::vector<std::string> lines_of_headers(std::string_view head) {
  constexpr std::string_view kAuthor = "author ";
  constexpr std::string_view kCommitter = "committer ";
  constexpr std::string_view kTagger = "tagger ";
  constexpr std::string_view kTag = "tag ";  // not always the name of the ref
  std::vector<std::string> found;
  std::string author;
  bool at_start = true;
  for (const std::string& line : split(head, '\n')) {
    if (at_start && is_shown_elsewhere(line)) {
      continue;
    }
    if (at_start && line.starts_with(kTag)) {
      found.push_back("Tag: " + line.substr(kTag.size()));
    } else if (line.starts_with(kAuthor) && author.empty()) {
      author = person_of(std::string_view{line}.substr(kAuthor.size()));
    } else if (line.starts_with(kCommitter)) {
      const std::string_view committer =
          person_of(std::string_view{line}.substr(kCommitter.size()));
      if (committer != author) {
        found.push_back("Committer: " + std::string{committer});
      }
    } else if (line.starts_with(kTagger)) {
      found.push_back("Tagger: " + std::string{person_of(line.substr(kTagger.size()))});
    } else if (!line.empty()) {
      found.push_back("Header: " + line);
    }
    at_start = false;
  }
  return found;
}

}  // namespace

std::optional<std::string> tag_within(std::string_view object) {
  constexpr std::string_view kObject = "object ";
  const std::size_t end = std::min(object.find('\n'), object.size());
  if (!object.starts_with(kObject) || !object.substr(end).starts_with("\ntype tag\n")) {
    return std::nullopt;
  }
  return std::string{object.substr(kObject.size(), end - kObject.size())};
}

std::vector<std::string> lines_beside_head(std::string_view object) {
  const std::size_t end = std::min(object.find("\n\n"), object.size());
  std::vector<std::string> found = lines_of_headers(object.substr(0, end));
  const std::vector<std::string> message =
      end == object.size() ? std::vector<std::string>{} : split(object.substr(end + 2), '\n');
  auto line = std::find_if_not(message.begin(), message.end(), is_blank);
  if (object.starts_with("tree ")) {
    line = std::find_if(line, message.end(), is_blank);  // the head has the first paragraph
    line = std::find_if_not(line, message.end(), is_blank);
  }
  if (line != message.end()) {
    found.emplace_back();
  }
  for (; line != message.end(); ++line) {
    found.push_back("    " + *line);
  }
  while (!found.empty() && is_blank(found.back())) {
    found.pop_back();
  }
  return found;
}

}  // namespace shadow::commits
