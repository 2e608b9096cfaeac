// SPDX-License-Identifier: MIT
// Runs a function when the scope is left, unless released. For clean-up that has no owner type.

#pragma once

#include <utility>

namespace shadow {

template <class Function>
class [[nodiscard]] ScopeExit {
 public:
  explicit ScopeExit(Function function) : function_{std::move(function)} {}
  ScopeExit(const ScopeExit&) = delete;
  ScopeExit(ScopeExit&&) = delete;
  ScopeExit& operator=(const ScopeExit&) = delete;
  ScopeExit& operator=(ScopeExit&&) = delete;
  ~ScopeExit() {
    if (armed_) {
      function_();
    }
  }

  void release() { armed_ = false; }

 private:
  Function function_;
  bool armed_ = true;
};

}  // namespace shadow
