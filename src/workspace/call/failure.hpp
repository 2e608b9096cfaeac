// SPDX-License-Identifier: MIT
// From what the rooms below throw to what programs get.

#pragma once

#include "shadow/failure.hpp"

#include "workspace/call/call.hpp"

#include <type_traits>

namespace shadow {

// Called in a handler: throws what is handled on, as a Failure unless it is std::bad_alloc.
// `otherwise` is the kind of an Error that says nothing of its own.
[[noreturn]] void throw_failure(workspace::Kind otherwise = workspace::Kind::Trouble);

// A call of the public interface: has its turn, and throws nothing but Failure and std::bad_alloc.
template <class Work>
std::invoke_result_t<Work> as_call(const Work& work,
                                   workspace::Kind otherwise = workspace::Kind::Trouble) {
  try {
    const Turn turn;
    return work();
  } catch (...) {
    throw_failure(otherwise);
  }
}

}  // namespace shadow
