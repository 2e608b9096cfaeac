// SPDX-License-Identifier: MIT
#include "sensitive/names/git_environment.hpp"

#include "base/ascii.hpp"
#include "sys/processes/process.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <utility>

namespace shadow::sensitive {

namespace {

// "section.sub.key", parted at the first and the last dot; nullopt where git refuses it (config.c,
// git_config_parse_key).
std::optional<GitConfigEntry> entry_of(std::string_view name, std::optional<std::string> value) {
  const std::size_t first = name.find('.');
  const std::size_t last = name.rfind('.');
  if (first == std::string_view::npos || first == 0 || last + 1 == name.size()) {
    return std::nullopt;
  }
  GitConfigEntry entry;
  entry.section = lower_ascii(name.substr(0, first));
  if (first != last) {
    entry.subsection = std::string{name.substr(first + 1, last - first - 1)};
  }
  entry.key = lower_ascii(name.substr(last + 1));
  entry.value = std::move(value);
  return entry;
}

class Parameters {
 public:
  explicit Parameters(std::string_view text) : text_{text} {}

  std::vector<GitConfigEntry> parse() {
    std::vector<GitConfigEntry> entries;
    for (skip_blanks(); at_ < text_.size(); skip_blanks()) {
      const auto name = dequote();
      if (!name) {
        break;
      }
      std::optional<GitConfigEntry> entry;
      if (at_ < text_.size() && text_[at_] == '=') {
        ++at_;
        const bool bare = at_ == text_.size() || is_blank(text_[at_]);
        auto value = bare ? std::nullopt : dequote();
        if (!bare && !value) {
          break;
        }
        entry = entry_of(*name, std::move(value));
      } else {
        const std::size_t equals = name->find('=');
        entry = equals == std::string::npos
                    ? entry_of(*name, std::nullopt)
                    : entry_of(name->substr(0, equals), name->substr(equals + 1));
      }
      if (entry) {
        entries.push_back(std::move(*entry));
      }
    }
    return entries;
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) {
      ++at_;
    }
  }

  // 'it'\''s', where "\!" may stand in the place of "\'".
  std::optional<std::string> dequote() {
    std::string found;
    if (at_ >= text_.size() || text_[at_] != '\'') {
      return std::nullopt;
    }
    while (true) {
      const std::size_t end = text_.find('\'', ++at_);
      if (end == std::string_view::npos) {
        return std::nullopt;
      }
      found += text_.substr(at_, end - at_);
      at_ = end + 1;
      const std::string_view next = text_.substr(at_, 3);
      if (next != "\\''" && next != "\\!'") {
        return found;
      }
      found += next[1];
      at_ += 2;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<UserVariable> user_variables() {
  std::vector<UserVariable> found;
  for (const KnownVariable& known : known_variables()) {
    auto value = known.in_files_alone ? std::nullopt : sys::environment(known.name);
    if (value && !value->empty()) {
      found.push_back({known.name, std::move(*value), known.use});
    }
  }
  return found;
}

std::vector<GitConfigEntry> settings_of_environment() {
  constexpr std::size_t kMostSettings = 1000;
  std::vector<GitConfigEntry> entries;
  const std::string text = sys::environment("GIT_CONFIG_COUNT").value_or("");
  std::size_t count = 0;
  const std::size_t begin = std::min(text.find_first_not_of(" \t\n+"), text.size());  // strtoul(3)
  std::from_chars(text.data() + begin, text.data() + text.size(), count);
  for (std::size_t i = 0; i < std::min(count, kMostSettings); ++i) {
    const std::string number = std::to_string(i);
    const auto key = sys::environment(("GIT_CONFIG_KEY_" + number).c_str());
    auto value = sys::environment(("GIT_CONFIG_VALUE_" + number).c_str());
    if (auto entry = key && value ? entry_of(*key, std::move(value)) : std::nullopt) {
      entries.push_back(std::move(*entry));
    }
  }
  const std::string parameters = sys::environment("GIT_CONFIG_PARAMETERS").value_or("");
  for (GitConfigEntry& entry : parse_config_parameters(parameters)) {
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::vector<GitConfigEntry> parse_config_parameters(std::string_view text) {
  return Parameters{text}.parse();
}

}  // namespace shadow::sensitive
