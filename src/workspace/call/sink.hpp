// SPDX-License-Identifier: MIT
// Sinks whose exceptions are to reach the caller: a reader that goes away ends the writing.

#pragma once

#include "shadow/patch_text.hpp"

#include <exception>
#include <string_view>
#include <utility>

namespace shadow {

// An exception of a sink on its way through the rooms, which must not take it for a failure of
// their own.
class Thrown : public std::exception {
 public:
  explicit Thrown(std::exception_ptr thrown) : thrown_{std::move(thrown)} {}
  [[nodiscard]] const std::exception_ptr& thrown() const { return thrown_; }

 private:
  std::exception_ptr thrown_;
};

// Borrows the sink.
[[nodiscard]] inline PatchSink passing(const PatchSink& sink) {
  return [&sink](PatchPart part, std::string_view bytes) {
    try {
      sink(part, bytes);
    } catch (...) {
      throw Thrown{std::current_exception()};
    }
  };
}

}  // namespace shadow
