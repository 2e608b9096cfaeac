// SPDX-License-Identifier: MIT
#include "sensitive/names/rules_for_many.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <unordered_map>
#include <vector>

namespace shadow::sensitive {

namespace {

bool ends_a_component(std::string_view path, std::string_view ending) {
  for (std::size_t at = path.find(ending); at != std::string_view::npos;
       at = path.find(ending, at + 1)) {
    const std::size_t end = at + ending.size();
    if (end == path.size() || path[end] == '/') {
      return true;
    }
  }
  return false;
}

std::string_view last_components(std::string_view path, std::size_t count) {
  std::size_t begin = path.size();
  for (; count > 0 && begin != std::string_view::npos; --count) {
    begin = begin == 0 ? std::string_view::npos : path.rfind('/', begin - 1);
  }
  return begin == std::string_view::npos ? path : path.substr(begin + 1);
}

// Around its stars, which take as little as they can.
bool fits_stars(std::string_view name, std::string_view pattern) {
  std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) {
    return name == pattern;
  }
  if (!name.starts_with(pattern.substr(0, star))) {
    return false;
  }
  name.remove_prefix(star);
  pattern.remove_prefix(star + 1);
  for (star = pattern.find('*'); star != std::string_view::npos; star = pattern.find('*')) {
    const std::size_t at = name.find(pattern.substr(0, star));
    if (at == std::string_view::npos) {
      return false;
    }
    name.remove_prefix(at + star);
    pattern.remove_prefix(star + 1);
  }
  return name.ends_with(pattern);
}

constexpr std::string_view kAnyBetween = "/**/";

// "a/**/b/**/*.c": the last component is the last one of the path, each other one stands somewhere
// before the next.
bool fits_components(std::string_view path, std::string_view pattern) {
  const std::size_t last = path.rfind('/') + 1;
  std::size_t begin = 0;
  for (std::size_t end = pattern.find(kAnyBetween); end != std::string_view::npos;
       end = pattern.find(kAnyBetween)) {
    const std::string_view part = pattern.substr(0, end);
    bool found = false;
    while (!found && begin < last) {
      const std::size_t slash = path.find('/', begin);
      found = path.substr(begin, slash - begin) == part;
      begin = slash + 1;
    }
    if (!found) {
      return false;
    }
    pattern.remove_prefix(end + kAnyBetween.size());
  }
  return fits_stars(path.substr(last), pattern);
}

using Rules = std::vector<const SensitiveName*>;

unsigned letter(char c) {
  return static_cast<unsigned char>(c);
}

// The last two letters.
unsigned ending_of(std::string_view name) {
  return letter(name[name.size() - 2]) << 8U | letter(name.back());
}

// The rules by what the last component must end with, or else begin with: a review asks for each
// path that changed, and to try them all would be most of it.
class RuleIndex {
 public:
  RuleIndex() {
    for (const SensitiveName& rule : sensitive_names()) {
      if (is_for_many(rule)) {
        add(rule);
      }
    }
  }

  [[nodiscard]] const SensitiveName* find(std::string_view path, SensitiveEffect effect) const {
    Search search{path, effect};
    const std::string_view last = path.substr(path.rfind('/') + 1);
    if (!last.empty()) {
      search.among(by_begin_[letter(last.front())]);
    }
    if (last.size() > 1) {
      search.among(by_end_, ending_of(last));
    }
    for (std::size_t end = path.find('/'); end != std::string_view::npos;
         end = path.find('/', end + 1)) {
      if (end > 1) {
        search.among(directories_by_end_, ending_of(path.substr(0, end)));
      }
    }
    search.among(others_);
    return search.first;
  }

 private:
  using ByEnd = std::unordered_map<unsigned, Rules>;

  struct Search {
    std::string_view path;
    SensitiveEffect effect;
    const SensitiveName* first = nullptr;  // in the order of the list

    void among(const Rules& rules) {
      for (const SensitiveName* rule : rules) {
        if (rule->effect == effect && (first == nullptr || std::less<>{}(rule, first)) &&
            falls_under(path, *rule)) {
          first = rule;
        }
      }
    }

    void among(const ByEnd& rules, unsigned ending) {
      const auto found = rules.find(ending);
      if (found != rules.end()) {
        among(found->second);
      }
    }
  };

  void add(const SensitiveName& rule) {
    const std::string_view end = rule.name.substr(rule.name.rfind('*') + 1);
    const std::string_view last = rule.name.substr(rule.name.rfind('/') + 1);
    if (end.size() > 1) {
      by_end_[ending_of(end)].push_back(&rule);
    } else if (last.front() != '*') {
      by_begin_[letter(last.front())].push_back(&rule);
    } else {
      others_.push_back(&rule);
    }
    if (rule.kind == SensitiveKind::DirectoryEnding) {
      directories_by_end_[ending_of(end)].push_back(&rule);
    }
  }

  ByEnd by_end_;
  ByEnd directories_by_end_;
  std::array<Rules, std::numeric_limits<unsigned char>::max() + 1> by_begin_;
  Rules others_;
};

}  // namespace

bool is_for_many(const SensitiveName& rule) {
  return rule.kind == SensitiveKind::Ending || rule.kind == SensitiveKind::DirectoryEnding ||
         rule.kind == SensitiveKind::Pattern;
}

bool falls_under(std::string_view path, const SensitiveName& rule) {
  if (rule.kind == SensitiveKind::DirectoryEnding) {
    return ends_a_component(path, rule.name);
  }
  if (rule.kind == SensitiveKind::Ending) {
    return path.ends_with(rule.name);
  }
  if (rule.name.find(kAnyBetween) != std::string_view::npos) {
    return fits_components(path, rule.name);
  }
  const auto slashes = std::count(rule.name.begin(), rule.name.end(), '/');
  return fits_stars(last_components(path, static_cast<std::size_t>(slashes) + 1), rule.name);
}

bool fits_way(std::string_view path, std::string_view pattern) {
  return pattern.find(kAnyBetween) != std::string_view::npos && fits_components(path, pattern);
}

const SensitiveName* find_rule_for_many(std::string_view path, SensitiveEffect effect) {
  static const RuleIndex index;
  return index.find(path, effect);
}

}  // namespace shadow::sensitive
