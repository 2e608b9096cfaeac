// SPDX-License-Identifier: MIT
// A value that most things of a kind do not have: a pointer's room where there is none, while a
// std::optional takes the whole of it. RareText is the same for text.

#pragma once

#include <memory>
#include <optional>
#include <utility>

namespace shadow {

// Used as a std::optional is; copies are deep.
template <class Value>
class Rare {
 public:
  Rare() = default;
  // NOLINTBEGIN(google-explicit-constructor): it stands where a std::optional stood
  Rare(Value value) : value_{std::make_unique<Value>(std::move(value))} {}
  Rare(std::optional<Value> value)
      : value_{value ? std::make_unique<Value>(*std::move(value)) : nullptr} {}
  // NOLINTEND(google-explicit-constructor): so far
  Rare(const Rare& other) : value_{other ? std::make_unique<Value>(*other) : nullptr} {}
  Rare(Rare&&) noexcept = default;
  Rare& operator=(const Rare& other) {
    if (this != &other) {
      *this = Rare{other};
    }
    return *this;
  }
  Rare& operator=(Rare&&) noexcept = default;
  ~Rare() = default;

  explicit operator bool() const { return value_ != nullptr; }
  Value& operator*() { return *value_; }
  const Value& operator*() const { return *value_; }
  Value* operator->() { return value_.get(); }
  const Value* operator->() const { return value_.get(); }

  // The value; an empty one where there is none.
  [[nodiscard]] const Value& or_none() const {
    static const Value none{};
    return value_ ? *value_ : none;
  }

  void reset() { value_.reset(); }

 private:
  std::unique_ptr<Value> value_;
};

}  // namespace shadow
