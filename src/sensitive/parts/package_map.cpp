// SPDX-License-Identifier: MIT
#include "sensitive/parts/package_map.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace shadow::sensitive {
namespace {

using nlohmann::json;

const json* find_object(const json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_object() ? &*at : nullptr;
}

// The texts in it, however deep: conditions and lists of fallbacks.
std::vector<std::string> targets_in(const json& value) {
  std::vector<std::string> found;
  std::vector<const json*> open = {&value};
  while (!open.empty()) {
    const json& one = *open.back();
    open.pop_back();
    if (one.is_string()) {
      const auto& text = one.get_ref<const std::string&>();
      found.push_back(text.starts_with("./") ? text.substr(2) : text);
    } else if (one.is_structured()) {
      for (const json& inner : one) {
        open.push_back(&inner);
      }
    }
  }
  return found;
}

// Where a comment that begins there ends; `at` where none does.
std::size_t end_of_comment(std::string_view text, std::size_t at) {
  const std::string_view begin = text.substr(at, 2);
  if (begin == "//") {
    return std::min(text.find('\n', at), text.size());
  }
  const std::size_t end = begin == "/*" ? text.find("*/", at + 2) : at;
  return end == at ? at : std::min(end, text.size() - 2) + 2;
}

// JSON as TypeScript takes it: without comments, and without commas that nothing follows.
std::string plain_json(std::string_view text) {
  std::string plain;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t end = quoted ? at : end_of_comment(text, at);
    if (end != at) {
      at = end - 1;
      continue;
    }
    if (quoted && text[at] == '\\') {
      plain += text.substr(at++, 2);
      continue;
    }
    quoted = quoted != (text[at] == '"');
    if (!quoted && (text[at] == ']' || text[at] == '}')) {
      const std::size_t last = plain.find_last_not_of(" \t\r\n");
      if (last != std::string::npos && plain[last] == ',') {
        plain.erase(last, 1);
      }
    }
    plain += text[at];
  }
  return plain;
}

// "exports" may be the one for ".".
bool has_names(const json& exports) {
  return exports.is_object() && !exports.empty() && exports.begin().key().starts_with('.');
}

// What "*" stands for, or what lies below.
std::optional<std::string> rest_of(std::string_view name, std::string_view rule) {
  const std::size_t star = rule.find('*');
  const bool below = star == std::string_view::npos;
  const std::string_view begin = rule.substr(0, star);
  const std::string_view end = below ? std::string_view{} : rule.substr(star + 1);
  if (name.size() < begin.size() + end.size() || !name.starts_with(begin) || !name.ends_with(end)) {
    return std::nullopt;
  }
  return std::string{name.substr(begin.size(), name.size() - begin.size() - end.size())};
}

std::string with_rest(std::string target, const std::string& rest) {
  if (target.ends_with('/')) {
    return target + rest;
  }
  for (std::size_t at = target.find('*'); at != std::string::npos;
       at = target.find('*', at + rest.size())) {
    target.replace(at, 1, rest);
  }
  return target;
}

}  // namespace

PackageMap::PackageMap(std::string_view text) {
  const json package = json::parse(plain_json(text), nullptr, false);
  if (!package.is_object()) {
    return;
  }
  if (const json* options = find_object(package, "compilerOptions")) {
    add_paths_of(*options);
  }
  if (const json* imports = find_object(package, "imports")) {
    for (const auto& [name, value] : imports->items()) {
      add(name, targets_in(value));
    }
  }
  const auto name = package.find("name");
  const auto exports = package.find("exports");
  if (name == package.end() || !name->is_string() || exports == package.end()) {
    return;
  }
  const auto own = name->get<std::string>();
  if (!has_names(*exports)) {
    add(own, targets_in(*exports));
    return;
  }
  for (const auto& [path, value] : exports->items()) {
    add(own + path.substr(std::min<std::size_t>(path.size(), 1)), targets_in(value));
  }
}

// What is not in "paths" is looked for below "baseUrl", too.
void PackageMap::add_paths_of(const nlohmann::json& options) {
  const auto base = options.find("baseUrl");
  const bool has_base = base != options.end() && base->is_string();
  const std::string below = has_base ? base->get<std::string>() + '/' : std::string{};
  if (const json* paths = find_object(options, "paths")) {
    for (const auto& [name, value] : paths->items()) {
      Targets targets = targets_in(value);
      for (std::string& target : targets) {
        target.insert(0, below);
      }
      add(name, std::move(targets));
    }
  }
  if (has_base) {
    add("*", {below + '*'});
  }
}

// A name may be in "imports" and the package's own.
void PackageMap::add(std::string name, Targets targets) {
  if (name.find('*') != std::string::npos || name.ends_with('/')) {
    rules_.push_back({std::move(name), std::move(targets)});
  } else {
    Targets& all = exact_[std::move(name)];
    all.insert(all.end(), targets.begin(), targets.end());
  }
}

std::vector<std::string> PackageMap::files_of(std::string_view name) const {
  const auto exact = exact_.find(name);
  std::vector<std::string> found = exact == exact_.end() ? Targets{} : exact->second;
  for (const Rule& rule : rules_) {
    if (const auto rest = rest_of(name, rule.name)) {
      for (const std::string& target : rule.targets) {
        found.push_back(with_rest(target, *rest));
      }
    }
  }
  return found;
}

std::vector<std::string_view> quoted_words(std::string_view text) {
  constexpr std::size_t kMost = 20'000;
  std::vector<std::string_view> words;
  for (std::size_t at = text.find_first_of("'\"`");
       at != std::string_view::npos && words.size() < kMost;
       at = text.find_first_of("'\"`", at + 1)) {
    const std::size_t end = text.find_first_of(std::string{text[at], '\n'}, at + 1);
    if (end != std::string_view::npos && text[end] != '\n') {
      words.push_back(text.substr(at + 1, end - at - 1));
    }
  }
  return words;
}

}  // namespace shadow::sensitive
