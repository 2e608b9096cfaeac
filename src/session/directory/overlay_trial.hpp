// SPDX-License-Identifier: MIT
// Trying whether the kernel makes an overlay, before a session depends on it.

#pragma once

#include <string>

namespace shadow::session {

inline constexpr const char* kTrialPrefix = "trial-";

// A directory of its own in the state while it lives: a `lower` of two files and an empty `layer`.
class OverlayTrial {
 public:
  explicit OverlayTrial(const std::string& state);
  OverlayTrial(const OverlayTrial&) = delete;
  OverlayTrial(OverlayTrial&&) = delete;
  OverlayTrial& operator=(const OverlayTrial&) = delete;
  OverlayTrial& operator=(OverlayTrial&&) = delete;
  ~OverlayTrial();

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Why the home cannot be read through, so that `--home=auto` gives a private one; "" where it can.
[[nodiscard]] std::string why_no_home_overlay(const std::string& state, const std::string& home);

}  // namespace shadow::session
