// SPDX-License-Identifier: MIT
#include "sensitive/parts/editor_settings.hpp"

#include "base/ascii.hpp"
#include "base/words.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace shadow::sensitive {

namespace {

constexpr std::size_t kMostPlaces = 2'000;
constexpr std::size_t kLongestPlace = 400;

// Parts of keys, in small letters. What is tested runs when somebody has it tested.
constexpr std::array<std::string_view, 33> kHarmlessKeys = {"exclude",
                                                            "include",
                                                            "search.",
                                                            "files.",
                                                            "explorer.",
                                                            "watch",
                                                            "analysis.",
                                                            "extrapaths",
                                                            "sourcepaths",
                                                            "workingdirector",
                                                            "enablepaths",
                                                            "testing.",
                                                            "cspell.",
                                                            "editor.",
                                                            "workbench.",
                                                            "words",
                                                            "todo",
                                                            "markdown.",
                                                            "scope",
                                                            "ignore",
                                                            "git.",
                                                            "folders",
                                                            "linkedproject",
                                                            "outputpath",
                                                            "locale",
                                                            "docs",
                                                            "colortheme",
                                                            "associations",
                                                            "builddirectory",
                                                            "compilationdatabase",
                                                            "compile_commands",
                                                            "terminal.integrated.cwd",
                                                            "recommendations"};

class SettingsReader {
 public:
  explicit SettingsReader(std::string_view text) : text_{text} {}

  PlacesOfSettings read() {
    while (at_ < text_.size() && found_.any.size() < kMostPlaces) {
      take(text_[at_]);
    }
    return std::move(found_);
  }

 private:
  struct OpenValue {
    bool list;
    bool harmless;
  };

  void take(char c) {
    if (c == '"') {
      take_string();
      return;
    }
    if (c == '{' || c == '[') {
      open_.push_back({c == '[', is_harmless()});
      key_harmless_ = false;
    } else if ((c == '}' || c == ']') && !open_.empty()) {
      open_.pop_back();
      key_harmless_ = false;
    } else if (text_.substr(at_, 2) == "//") {
      at_ = std::min(text_.find('\n', at_), text_.size() - 1);
    }
    ++at_;
  }

  [[nodiscard]] bool is_harmless() const {
    return key_harmless_ || (!open_.empty() && open_.back().harmless);
  }

  void take_string() {
    std::string word;
    for (++at_; at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n'; ++at_) {
      at_ += text_[at_] == '\\' && at_ + 1 < text_.size() ? 1U : 0U;
      word += text_[at_];
    }
    ++at_;
    const std::size_t next = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
    const bool list = !open_.empty() && open_.back().list;
    if (!list && next < text_.size() && text_[next] == ':') {
      key_harmless_ = has_part(lower_ascii(word), kHarmlessKeys);
    } else if (!is_harmless() && !word.empty() && word.size() < kLongestPlace) {
      add(word, list);
    }
  }

  // "${workspaceFolder}/x", "./x", "--dir=x".
  void add(std::string_view word, bool list) {
    const std::size_t equals = word.find('=');
    if (equals != std::string_view::npos) {
      word.remove_prefix(equals + 1);
    }
    if (word.starts_with("${")) {
      const std::size_t close = word.find("}/");
      word.remove_prefix(close == std::string_view::npos ? word.size() : close + 2);
    }
    if (word.empty() || word == "." || word == "./" || word.find('*') != std::string_view::npos) {
      return;
    }
    found_.any.emplace_back(word);
    if (list) {
      found_.arguments.emplace_back(word);
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<OpenValue> open_;
  bool key_harmless_ = false;
  PlacesOfSettings found_;
};

}  // namespace

PlacesOfSettings places_of_settings(std::string_view text) {
  return SettingsReader{text}.read();
}

}  // namespace shadow::sensitive
