// SPDX-License-Identifier: MIT
#include "sensitive/names/sensitive_names.hpp"

#include "sensitive/names/folded_name.hpp"
#include "sensitive/names/rules_for_many.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <fnmatch.h>

namespace shadow::sensitive {

namespace {

// Nearly every name is none that a rule begins with: one look tells, where a search of the list for
// each component of deep paths would be most of a review.
bool begins_a_rule(std::string_view component) {
  static const std::unordered_set<std::string_view> first_components = [] {
    std::unordered_set<std::string_view> first;
    for (const SensitiveName& rule : sensitive_names()) {
      first.insert(rule.name.substr(0, rule.name.find('/')));
    }
    return first;
  }();
  return first_components.contains(component);
}

const SensitiveName* find_exact(std::string_view name) {
  const auto all = sensitive_names();
  const auto found =
      std::lower_bound(all.begin(), all.end(), name,
                       [](const SensitiveName& a, std::string_view b) { return a.name < b; });
  return found != all.end() && found->name == name ? &*found : nullptr;
}

bool is_for_modules(const SensitiveName& rule) {
  return rule.kind == SensitiveKind::PythonModule || rule.kind == SensitiveKind::NewPythonModule;
}

// The rule for a module by its path without an ending.
const SensitiveName* find_module(std::string_view name) {
  // Of which system the build was is behind it.
  constexpr std::string_view kOfBuild = "_sysconfigdata_";
  const SensitiveName* rule =
      find_exact(name.starts_with(kOfBuild) ? std::string{kOfBuild} + "*" : std::string{name});
  return rule != nullptr && is_for_modules(*rule) ? rule : nullptr;
}

// The rule for one name that a run of components of the path falls under which begins there.
const SensitiveName* find_rule_from(std::string_view path, std::size_t begin,
                                    SensitiveEffect effect) {
  std::size_t end = begin;
  for (int parts = 0; parts < kMostPartsOfAName && end < path.size(); ++parts) {
    end = std::min(path.find('/', end + (parts == 0 ? 0U : 1U)), path.size());
    const SensitiveName* rule = find_exact(path.substr(begin, end - begin));
    if (rule != nullptr && rule->effect == effect && !is_for_many(*rule) &&
        !is_for_modules(*rule) && (begin == 0 || !rule->at_root) &&
        (rule->kind == SensitiveKind::Directory || end == path.size())) {
      return rule;
    }
  }
  return nullptr;
}

}  // namespace

const SensitiveName* find_sensitive_name(std::string_view path, SensitiveEffect effect) {
  // Every run of components that begins one and ends one, the outermost first.
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t next = std::min(path.find('/', begin), path.size()) + 1;
    if (begins_a_rule(path.substr(begin, next - 1 - begin))) {
      if (const SensitiveName* rule = find_rule_from(path, begin, effect)) {
        return rule;
      }
    }
    begin = next;
  }
  return find_rule_for_many(path, effect);
}

const SensitiveName* find_python_module(std::string_view path, bool link) {
  constexpr std::array<std::string_view, 3> kEndings = {".py", ".pyc", ".so"};
  // What is installed there as well: Python's tools load what its entry points name.
  static constexpr SensitiveName kInstalled{"entry_points.txt",
                                            SensitiveKind::PythonModule,
                                            SensitiveEffect::Stops,
                                            true,
                                            true,
                                            "python's tools load the plugins that it names"};
  const auto at = sys::split_path(path);
  const std::string_view top = at.name == kInstalled.name ? at.parent : link ? path : "";
  if (top.find('/') == std::string_view::npos &&
      (top.ends_with(".dist-info") || top.ends_with(".egg-info"))) {
    return &kInstalled;
  }
  const bool is_module =
      std::any_of(kEndings.begin(), kEndings.end(),
                  [&at](std::string_view ending) { return at.name.ends_with(ending); });
  if (!is_module && !link) {
    return nullptr;
  }
  const SensitiveName* package =
      at.name.starts_with("__init__.") ? find_module(at.parent) : nullptr;
  return package != nullptr
             ? package
             : find_module(path.substr(
                   0, std::min(path.find('.', path.size() - at.name.size()), path.size())));
}

bool matches_pattern(const std::string& path, const std::vector<std::string>& patterns) {
  if (patterns.empty()) {
    return false;
  }
  // A directory that is named counts with what lies in it.
  for (std::size_t end = 0; end < path.size();) {
    end = std::min(path.find('/', end + 1), path.size());
    const std::string whole = path.substr(0, end);
    const std::string folded = folded_name(whole);
    for (const std::string& pattern : patterns) {
      const bool slash = pattern.find('/') != std::string::npos;
      const auto part = [slash](const std::string& one) {
        return slash ? one : std::string{sys::split_path(one).name};
      };
      if (::fnmatch(pattern.c_str(), part(whole).c_str(), 0) == 0 ||
          ::fnmatch(pattern.c_str(), part(folded).c_str(), FNM_CASEFOLD) == 0) {
        return true;
      }
    }
  }
  return false;
}

const SensitiveName* find_sensitive_below(std::string_view path) {
  struct Above {
    std::string_view path;  // "x/.github" ends as ".github/workflows" begins
    const SensitiveName* rule;
  };
  using ByLast = std::unordered_multimap<std::string_view, Above>;
  static const ByLast all_by_last = [] {
    ByLast by_last;
    for (const SensitiveName& rule : sensitive_names()) {
      for (std::size_t slash = rule.name.find('/'); slash != std::string_view::npos;
           slash = rule.name.find('/', slash + 1)) {
        const std::string_view above = rule.name.substr(0, slash);
        by_last.emplace(sys::split_path(above).name, Above{above, &rule});
      }
    }
    return by_last;
  }();
  const auto [begin, end] = all_by_last.equal_range(sys::split_path(path).name);
  const auto found = std::find_if(begin, end, [path](const auto& one) {
    const std::string_view above = one.second.path;
    return path == above || fits_way(path, above) ||
           (!one.second.rule->at_root && path.size() > above.size() && path.ends_with(above) &&
            path[path.size() - above.size() - 1] == '/');
  });
  return found == end ? nullptr : found->second.rule;
}

const SensitiveName* find_sensitive_at_top(std::string_view path, bool link) {
  if (begins_a_rule(path.substr(0, path.find('/')))) {
    const SensitiveName* rule = find_rule_from(path, 0, SensitiveEffect::Stops);
    if (rule == nullptr && link) {
      rule = find_sensitive_below(path);
    }
    if (rule != nullptr && rule->at_root) {
      return rule;
    }
  }
  return find_python_module(path, link);
}

namespace {

const LeadingName* find_listed_lead(std::string_view path) {
  static constexpr std::string_view kAny = "/*";
  using ByLast = std::unordered_multimap<std::string_view, const LeadingName*>;
  static const ByLast all_by_last = [] {
    ByLast by_last;
    for (const LeadingName& one : leading_names()) {
      const bool any = one.name.ends_with(kAny);
      const auto whole = one.name.substr(0, one.name.size() - (any ? kAny.size() : 0));
      by_last.emplace(sys::split_path(whole).name, &one);
    }
    return by_last;
  }();
  for (const bool any : {false, true}) {
    const std::string_view whole = any ? sys::split_path(path).parent : path;
    const auto [begin, end] = all_by_last.equal_range(sys::split_path(whole).name);
    for (auto at = begin; at != end; ++at) {
      const LeadingName& one = *at->second;
      const std::string_view name = one.name.substr(0, one.name.size() - (any ? kAny.size() : 0));
      if (one.name.ends_with(kAny) == any && whole.ends_with(name) &&
          (whole.size() == name.size() || whole[whole.size() - name.size() - 1] == '/')) {
        return &one;
      }
    }
  }
  return nullptr;
}

}  // namespace

const LeadingName* find_leading_name(std::string_view path) {
  if (const LeadingName* listed = find_listed_lead(path)) {
    return listed;
  }
  static constexpr LeadingName kByItsRule{"", false, LeadsTo::Programs};
  const SensitiveName* rule = find_sensitive_name(path);
  // Not what lies somewhere in a directory of the list, such as a tool that is installed there.
  const bool is_file = rule != nullptr && !rule->alone &&
                       (rule->kind == SensitiveKind::DirectoryEnding
                            ? falls_under(sys::split_path(path).name, *rule)
                            : is_for_many(*rule) || path.ends_with(rule->name));
  return is_file ? &kByItsRule : nullptr;
}

}  // namespace shadow::sensitive
