// SPDX-License-Identifier: MIT
#include "session/selection/pathspec.hpp"

#include "shadow/error.hpp"

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "sys/files/real_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace shadow::session {

namespace {

bool equal(std::string_view a, std::string_view b, bool fold_case) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [fold_case](char x, char y) {
           return x == y || (fold_case && ascii_lower(x) == ascii_lower(y));
         });
}

// is_at_or_below with case folded.
bool at_or_below(std::string_view path, std::string_view above, bool fold_case) {
  return above.empty() ||
         (path.size() >= above.size() && equal(path.substr(0, above.size()), above, fold_case) &&
          (path.size() == above.size() || path[above.size()] == '/'));
}

bool is_wild(std::string_view text) {
  return std::any_of(text.begin(), text.end(), git::Glob::is_special);
}

// Applies "/./b//../c" to {"a"}: {"a", "c"}. Tells how many of the first ones are left, and whether
// it went above the first.
struct Walked {
  std::vector<std::string> components;
  std::size_t kept = 0;
};

Walked walk(std::vector<std::string> from, std::string_view text) {
  Walked walked{std::move(from), 0};
  walked.kept = walked.components.size();
  for (std::string& part : split(text, '/')) {
    if (part.empty() || part == ".") {
      continue;
    }
    if (part != "..") {
      walked.components.push_back(std::move(part));
    } else if (!walked.components.empty()) {
      walked.components.pop_back();
      walked.kept = std::min(walked.kept, walked.components.size());
    }
  }
  return walked;
}

std::size_t length_of(const std::vector<std::string>& components, std::size_t count) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < count; ++i) {
    length += components[i].size() + (i == 0 ? 0 : 1);
  }
  return length;
}

[[noreturn]] void refuse_outside(const std::string& argument, const Project& project) {
  throw Error{"cannot select " + quoted(argument) + ": it is not in the project " +
              quoted(project.root)};
}

// An absolute path may lead to the project through links outside of it, as a shell's $PWD does.
// Links inside of it are what is meant.
std::optional<Walked> walk_through_links(const std::string& absolute, const std::string& root) {
  for (std::size_t end = absolute.find('/', 1);; end = absolute.find('/', end + 1)) {
    const std::string real = sys::real_path(absolute.substr(0, end)).value_or("");
    const bool last = end == std::string::npos;
    if (is_at_or_below(real, root)) {
      Walked walked = walk({}, last ? real : real + absolute.substr(end));
      if (is_at_or_below("/" + join(walked.components, "/"), root)) {
        return walked;
      }
    }
    if (real.empty() || last) {
      return std::nullopt;
    }
  }
}

// Names are taken back by ".." as they are written, as git does; where that leaves the project, by
// the directories to which the links lead.
Walked walk_from(const std::string& place, std::string_view text, const std::string& root) {
  const bool absolute = text.substr(0, 1) == "/";
  Walked walked = walk(absolute ? std::vector<std::string>{} : walk({}, place).components, text);
  const std::string as_written = "/" + join(walked.components, "/");
  if (is_at_or_below(as_written, root)) {
    return walked;
  }
  for (const std::string& way : {as_written, (absolute ? "" : place + "/") + std::string{text}}) {
    if (std::optional<Walked> led = walk_through_links(way, root)) {
      return *std::move(led);
    }
  }
  return walked;
}

}  // namespace

Pathspec::Pathspec(const std::string& argument, const Project& project) : argument_{argument} {
  if (argument.empty()) {
    throw Error{"cannot select '': it is not a path"};
  }
  resolve(take_magic(argument), project);
  if (literal_ && glob_) {
    throw Error{"cannot understand " + quoted(argument) +
                ": 'literal' and 'glob' exclude each other"};
  }
  const std::string_view rest = std::string_view{path_}.substr(here_);
  wild_ = !literal_ && is_wild(rest);
  fixed_ = path_.size();
  if (wild_) {
    const auto first = std::find_if(rest.begin(), rest.end(), git::Glob::is_special);
    fixed_ = here_ + static_cast<std::size_t>(first - rest.begin());
    git::GlobOptions options;
    options.across_directories = !glob_;
    options.fold_case = fold_case_;
    pattern_ = git::Glob{rest.substr(rest.substr(0, 1) == "/" ? 1 : 0), options};
  }
}

std::string_view Pathspec::take_magic(std::string_view text) {
  if (text.front() != ':') {
    return text;
  }
  text.remove_prefix(1);
  if (!text.empty() && text.front() == '(') {
    return take_long_magic(text.substr(1));
  }
  // git takes these signs for magic, though most of them have no meaning.
  constexpr std::string_view kSigns = "!\"#%&',-/:;<=>@_`~^";
  while (!text.empty() && kSigns.find(text.front()) != std::string_view::npos) {
    const char sign = text.front();
    text.remove_prefix(1);
    if (sign == ':') {
      break;
    }
    if (sign != '/' && sign != '!' && sign != '^') {
      throw Error{
          fmt::format("cannot understand {}: there is no magic '{}'", quoted(argument_), sign),
          "a name that begins with ':' is written './:...'"};
    }
    (sign == '/' ? top_ : exclude_) = true;
  }
  return text;
}

std::string_view Pathspec::take_long_magic(std::string_view text) {
  const std::size_t end = text.find(')');
  if (end == std::string_view::npos) {
    throw Error{"cannot understand " + quoted(argument_) + ": no ')' ends its magic",
                "a name that begins with ':' is written './:...'"};
  }
  for (const std::string& word : split(text.substr(0, end), ',')) {
    set_magic(word);
  }
  return text.substr(end + 1);
}

void Pathspec::set_magic(std::string_view word) {
  if (word == "top") {
    top_ = true;
  } else if (word == "exclude") {
    exclude_ = true;
  } else if (word == "literal") {
    literal_ = true;
  } else if (word == "glob") {
    glob_ = true;
  } else if (word == "icase") {
    fold_case_ = true;
  } else if (!word.empty()) {
    throw Error{fmt::format("cannot understand {}: the magic {} is not known here",
                            quoted(argument_), quoted(word)),
                "'top', 'exclude', 'literal', 'glob' and 'icase' are"};
  }
}

void Pathspec::resolve(std::string_view text, const Project& project) {
  const std::vector<std::string> root = walk({}, project.root).components;
  Walked walked = top_ ? walk(root, text) : walk_from(project.cwd, text, project.root);
  auto& all = walked.components;
  if (all.size() < root.size() || !std::equal(root.begin(), root.end(), all.begin())) {
    refuse_outside(argument_, project);
  }
  all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(root.size()));
  path_ = join(all, "/");
  here_ = length_of(all, walked.kept > root.size() ? walked.kept - root.size() : 0);
}

bool Pathspec::matches(std::string_view path) const {
  const std::string_view whole = path_;
  const std::string_view here = whole.substr(0, here_);
  if (!is_at_or_below(path, here)) {
    return false;
  }
  if (here_ == whole.size()) {
    return true;
  }
  if (path.size() == here_) {
    return false;
  }
  // git compares as it stands first: a name with a '*' is found by itself.
  const std::size_t gap = here_ == 0 ? 0 : 1;
  const std::string_view rest = path.substr(here_ + gap);
  return at_or_below(rest, whole.substr(here_ + gap), fold_case_) ||
         (wild_ && pattern_.matches(rest));
}

bool Pathspec::may_match_below(std::string_view directory) const {
  const std::string_view fixed = literal();
  const std::size_t common = std::min(fixed.size(), directory.size());
  const bool on_the_way = equal(fixed.substr(0, common), directory.substr(0, common), fold_case_) &&
                          (wild_ || directory.empty() ||
                           (directory.size() < fixed.size() && fixed[directory.size()] == '/'));
  return on_the_way || matches(directory);
}

}  // namespace shadow::session
