// SPDX-License-Identifier: MIT
#include "sensitive/parts/maven_parts.hpp"

#include "base/ascii.hpp"
#include "base/text.hpp"

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
                                                          {"plugin", "extensions>"}}};

// With a prefix for its namespace, or without.
bool opens_at(std::string_view text, std::size_t at, std::string_view name) {
  constexpr std::string_view kEnds = " \t\r\n/>";
  const std::string_view tag = text.substr(at + 1, text.find_first_of(kEnds, at + 1) - at - 1);
  const std::size_t colon = tag.rfind(':');
  return at + 1 + tag.size() < text.size() &&
         tag.substr(colon == std::string_view::npos ? 0 : colon + 1) == name;
}

std::size_t next_of(std::string_view text, std::string_view name, std::size_t at) {
  do {
    at = text.find('<', at);
  } while (at != std::string_view::npos && !opens_at(text, at++, name));
  return at == std::string_view::npos ? at : at - 1;
}

// Each up to its last end before the next begins: an end in a comment is none. Calls `each` with
// the position and the text.
template <class Each>
void for_each_element(std::string_view small, std::string_view name, const Each& each) {
  for (std::size_t at = next_of(small, name, 0); at != std::string_view::npos;) {
    const std::size_t next = next_of(small, name, at + 1);
    const std::string_view until = small.substr(at, next - at);
    std::size_t end = until.rfind(std::string{name} + ">");
    end = end == std::string_view::npos ? end : until.rfind("</", end);
    each(at, until.substr(0, end));
    at = next;
  }
}

// The elements of this name that say the word.
std::string elements_with(std::string_view text, std::string_view small, std::string_view name,
                          std::string_view word) {
  std::string parts;
  for_each_element(small, name, [&](std::size_t at, std::string_view inside) {
    if (inside.find(word) != std::string_view::npos) {
      parts += std::string{text.substr(at, inside.size())} + "\n";
    }
  });
  return parts;
}

// A parent or a module is a directory with a pom.xml, which is judged by its name, or a file of any
// name, which is not (https://maven.apache.org/ref/current/maven-model/maven.html#class_parent).
bool names_directory_or_pom(std::string_view inside) {
  const std::string_view path = inside.substr(std::min(inside.find('>'), inside.size()));
  const std::string_view last = path.substr(path.find_last_of("/\\>") + 1);
  const bool is_plain = path.find_first_of("&<!$") == std::string_view::npos;
  return is_plain &&
         (last == "pom.xml" || last == ".." || last.find('.') == std::string_view::npos);
}

// The elements by which one pom.xml goes on with another.
constexpr std::array<std::string_view, 2> kOtherPoms = {"relativepath", "module"};

std::string other_poms(std::string_view text, std::string_view small) {
  std::string parts;
  for (const std::string_view name : kOtherPoms) {
    for_each_element(small, name, [&](std::size_t at, std::string_view inside) {
      if (!names_directory_or_pom(inside)) {
        parts += std::string{text.substr(at, inside.size())} + "\n";
      }
    });
  }
  return parts;
}

// "x/y" of "${d}/y", where <d>x</d> stands anywhere in the file
// (https://maven.apache.org/pom.html#Properties).
std::string with_properties(std::string_view path, std::string_view text) {
  std::string whole;
  while (!path.empty()) {
    const std::size_t open = std::min(path.find("${"), path.size());
    whole += path.substr(0, open);
    path.remove_prefix(open);
    const std::size_t close = path.find('}');
    if (path.empty() || close == std::string_view::npos) {
      return whole.append(path);
    }
    const std::string tag = "<" + std::string{path.substr(2, close - 2)} + ">";
    const std::size_t at = text.find(tag);
    if (at != std::string_view::npos) {
      const std::size_t begin = at + tag.size();
      whole += trimmed(text.substr(begin, text.find('<', begin) - begin));
    }
    path.remove_prefix(close + 1);
  }
  return whole;
}

}  // namespace

std::string parts_of_maven(std::string_view text) {
  const std::string small = lower_ascii(text);
  std::string parts;
  for (const MavenElement& element : kMavenElements) {
    parts += elements_with(text, small, element.name, element.word);
  }
  return parts + other_poms(text, small);
}

std::vector<std::string> poms_in(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::string small = lower_ascii(text);
  std::vector<std::string> poms;
  for (const std::string_view name : kOtherPoms) {
    for_each_element(small, name, [&](std::size_t at, std::string_view inside) {
      const std::size_t end = std::min(inside.find('>'), inside.size());
      std::string_view path = text.substr(at + end, inside.size() - end);
      path.remove_prefix(path.empty() ? 0 : 1);
      path = path.substr(0, path.find('<'));
      path.remove_prefix(std::min(path.find_first_not_of(kBlanks), path.size()));
      path = path.substr(0, path.find_last_not_of(kBlanks) + 1);
      std::string& pom = poms.emplace_back(with_properties(path, text));
      std::replace(pom.begin(), pom.end(), '\\', '/');
    });
  }
  return poms;
}

}  // namespace shadow::sensitive
