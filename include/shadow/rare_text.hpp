// SPDX-License-Identifier: MIT
// Text that most things of a kind do not have: a pointer's room where it is empty. A million
// changes each have half a dozen such members.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace shadow {

// Used as a std::string is; copies are deep.
class RareText {
 public:
  RareText() = default;
  // NOLINTBEGIN(google-explicit-constructor): it stands where a std::string stood
  RareText(std::string text)
      : text_{text.empty() ? nullptr : std::make_unique<std::string>(std::move(text))} {}
  RareText(const char* text) : RareText{std::string{text}} {}
  RareText(std::string_view text) : RareText{std::string{text}} {}
  operator const std::string&() const { return str(); }
  // NOLINTEND(google-explicit-constructor): so far
  RareText(const RareText& other) : RareText{other.str()} {}
  RareText(RareText&&) noexcept = default;
  RareText& operator=(const RareText& other) {
    if (this != &other) {
      *this = RareText{other};
    }
    return *this;
  }
  RareText& operator=(RareText&&) noexcept = default;
  ~RareText() = default;

  // The text; "" where there is none.
  [[nodiscard]] const std::string& str() const {
    static const std::string none;
    return text_ ? *text_ : none;
  }
  [[nodiscard]] bool empty() const { return !text_; }  // true of "" as well
  void clear() { text_.reset(); }                      // frees its memory

  friend bool operator==(const RareText& a, const RareText& b) { return a.str() == b.str(); }
  friend bool operator==(const RareText& a, std::string_view b) { return a.str() == b; }
  friend bool operator==(const RareText& a, const std::string& b) { return a.str() == b; }
  friend bool operator==(const RareText& a, const char* b) { return a.str() == b; }

 private:
  std::unique_ptr<std::string> text_;
};

}  // namespace shadow
