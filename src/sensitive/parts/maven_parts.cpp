// SPDX-License-Identifier: MIT
#include "sensitive/parts/maven_parts.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace shadow::sensitive {

namespace {

// https://maven.apache.org/pom.html#Extensions,
// https://maven.apache.org/plugins/maven-compiler-plugin/compile-mojo.html. In small letters; of
// the later ones only an element that says one of the words.
struct MavenElement {
  std::string_view name;
  std::string_view word;
};
constexpr std::array<MavenElement, 14> kMavenElements = {{{"extensions", ""},
                                                          {"annotationprocessorpaths", ""},
                                                          {"annotationprocessors", ""},
                                                          {"systempath", ""},
                                                          {"compilerargs", "processor"},
                                                          {"compilerargs", "plugin"},
                                                          {"compilerargs", "-j"},
                                                          {"compilerargument", "processor"},
                                                          {"compilerargument", "plugin"},
                                                          {"compilerargument", "-j"},
                                                          {"compilerarguments", "processor"},
                                                          {"url", "file:"},
                                                          {"url", ">${"},
                                                          {"plugin", "<extensions"}}};

bool opens_at(std::string_view text, std::size_t at, std::string_view name) {
  const std::size_t end = at + 1 + name.size();
  return end < text.size() && text.substr(at + 1, name.size()) == name &&
         std::string_view{" \t\r\n/>"}.find(text[end]) != std::string_view::npos;
}

std::size_t next_of(std::string_view text, std::string_view name, std::size_t at) {
  do {
    at = text.find('<', at);
  } while (at != std::string_view::npos && !opens_at(text, at++, name));
  return at == std::string_view::npos ? at : at - 1;
}

// The elements of this name that say the word, each up to its last end before the next begins: an
// end in a comment is none.
std::string elements_with(std::string_view text, std::string_view small, std::string_view name,
                          std::string_view word) {
  const std::string end_tag = "</" + std::string{name} + ">";
  std::string parts;
  for (std::size_t at = next_of(small, name, 0); at != std::string_view::npos;) {
    const std::size_t next = next_of(small, name, at + 1);
    const std::string_view until = small.substr(at, next - at);
    const std::string_view inside = until.substr(0, until.rfind(end_tag));
    if (inside.find(word) != std::string_view::npos) {
      parts += std::string{text.substr(at, inside.size())} + "\n";
    }
    at = next;
  }
  return parts;
}

}  // namespace

std::string parts_of_maven(std::string_view text) {
  const std::string small = lower_ascii(text);
  std::string parts;
  for (const MavenElement& element : kMavenElements) {
    parts += elements_with(text, small, element.name, element.word);
  }
  return parts;
}

}  // namespace shadow::sensitive
