// SPDX-License-Identifier: MIT
// JSON to be written: a value that grows member by member, in the order in which they are set.
// Small, because nearly every command prints some and nlohmann/json takes each source three
// seconds.

#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace shadow {

class Json {
 public:
  using Member = std::pair<std::string, Json>;

  // Each value as JSON has it.
  // NOLINTBEGIN(google-explicit-constructor): members are set from plain fields
  Json() = default;  // null
  template <class Value>
  requires std::same_as<Value, bool> Json(Value value) : value_{value} {}
  template <class Value>
  requires(std::integral<Value> && !std::same_as<Value, bool>) Json(Value value)
      : value_{Integer{static_cast<std::uint64_t>(value), value < Value{}}} {}
  Json(const char* text) : value_{std::string{text}} {}
  Json(std::string_view text) : value_{std::string{text}} {}
  Json(std::string text) : value_{std::move(text)} {}
  Json(const std::vector<std::string>& texts);
  Json(std::initializer_list<Member> members);
  // NOLINTEND(google-explicit-constructor): so far
  [[nodiscard]] static Json array();

  // The member of that name, made as null where there is none; what is null becomes a record.
  Json& operator[](std::string_view key);
  // What is null becomes a list.
  void push_back(Json item);

  // One line without its end. Text that is not UTF-8 is written with U+FFFD for what is not.
  [[nodiscard]] std::string dump() const;

 private:
  struct Integer {
    std::uint64_t bits;
    bool negative;
  };
  using Members = std::vector<Member>;
  using Items = std::vector<Json>;
  void append_to(std::string& out) const;

  std::variant<std::nullptr_t, bool, Integer, std::string, Items, Members> value_;
};

// The text with U+FFFD for each part that is not UTF-8.
[[nodiscard]] std::string as_utf8(std::string_view text);

}  // namespace shadow
