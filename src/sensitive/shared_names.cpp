// SPDX-License-Identifier: MIT
#include "sensitive/shared_names.hpp"

#include "base/ascii.hpp"
#include "base/words.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace shadow::sensitive {

namespace {

constexpr std::string_view kOfSphinx = "conf.py";

// Where documentation lies, or settings that sphinx-quickstart writes:
// https://www.sphinx-doc.org/en/master/usage/configuration.html
bool is_of_sphinx(std::string_view path, std::string_view text) {
  constexpr std::array<std::string_view, 7> kDirectories = {
      "", "docs", "doc", "documentation", "manual", "sphinx", "source"};
  constexpr std::array<std::string_view, 8> kSettings = {
      "sphinx",     "html_theme", "extensions =",   "extensions=",
      "master_doc", "root_doc",   "templates_path", "source_suffix"};
  const std::string_view directory = sys::split_path(sys::split_path(path).parent).name;
  return std::find(kDirectories.begin(), kDirectories.end(), directory) != kDirectories.end() ||
         has_part(lower_ascii(text), kSettings);
}

// https://doc.qt.io/qt-6/qmake-language.html: calls, variables that are expanded, and those that
// every project sets.
bool is_of_qmake(std::string_view name, std::string_view text) {
  constexpr std::array<std::string_view, 19> kSigns = {
      "$$",        "system(",  "include(",  "load(",     "write_file(", "eval(",    "cache(",
      "exists(",   "qmake",    "template=", "qt+=",      "qt-=",        "config+=", "config-=",
      "sources+=", "sources=", "subdirs+=", "headers+=", "target="};
  if (name.starts_with("proguard") || name.ends_with("-rules.pro")) {
    return false;
  }
  std::string bare = lower_ascii(text);
  bare.erase(
      std::remove_if(
          bare.begin(), bare.end(),
          [](char c) { return std::string_view{" \t\r\n\\"}.find(c) != std::string_view::npos; }),
      bare.end());
  return has_part(bare, kSigns);
}

// XML, in any encoding that its readers take.
bool is_of_msbuild(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos &&
         (text[first] == '<' || static_cast<unsigned char>(text[first]) >= 0x80);
}

}  // namespace

bool is_taken_when_new(std::string_view folded_path) {
  return sys::split_path(folded_path).name == kOfSphinx;
}

bool is_of_another_program(std::string_view folded_path, std::string_view text) {
  const std::string_view name = sys::split_path(folded_path).name;
  if (text.find('\0') != std::string_view::npos) {
    return false;
  }
  if (name == kOfSphinx) {
    return !is_of_sphinx(folded_path, text);
  }
  return name.ends_with(".pro") ? !is_of_qmake(name, text) : !is_of_msbuild(text);
}

}  // namespace shadow::sensitive
