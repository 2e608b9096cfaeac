// SPDX-License-Identifier: MIT
// An overlay of the form that sessions use, mounted and unmounted at will.

#pragma once

#include "overlay/read/view.hpp"
#include "support/scratch.hpp"
#include "support/tree.hpp"
#include "sys/files/fd.hpp"

#include <string>

namespace shadow::test {

class Mounted {
 public:
  explicit Mounted(const Tree& lower, const Tree& upper = {});
  Mounted(const Mounted&) = delete;
  Mounted(Mounted&&) = delete;
  Mounted& operator=(const Mounted&) = delete;
  Mounted& operator=(Mounted&&) = delete;
  ~Mounted();

  // Throws SysError. `remount` unmounts first.
  void mount();
  void unmount();
  void remount() {
    unmount();
    mount();
  }

  [[nodiscard]] std::string lower() const { return scratch_ / "lower"; }
  [[nodiscard]] std::string upper() const { return scratch_ / "layer/upper"; }
  [[nodiscard]] std::string view() const { return scratch_ / "view"; }
  [[nodiscard]] std::string operator/(std::string_view name) const {
    return view() + '/' + std::string{name};
  }

  [[nodiscard]] int upper_fd() const { return upper_.get(); }
  [[nodiscard]] int lower_fd() const { return lower_.get(); }

  // The change set as text, see shadow::test::to_text.
  [[nodiscard]] std::string scan() const;

 private:
  Scratch scratch_;
  shadow::sys::Fd upper_;
  shadow::sys::Fd lower_;
  bool mounted_ = false;
};

}  // namespace shadow::test
