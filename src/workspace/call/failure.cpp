// SPDX-License-Identifier: MIT
#include "workspace/call/failure.hpp"

#include "shadow/error.hpp"

#include "apply/choice/sensitive_message.hpp"
#include "upkeep/open_review.hpp"
#include "workspace/call/sink.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <exception>
#include <new>
#include <utility>

namespace shadow {

namespace workspace {

Failure::Failure(Kind kind, const std::string& message, std::string hint,
                 std::vector<std::string> paths, bool written)
    : std::runtime_error{message},
      kind_{kind},
      hint_{std::move(hint)},
      paths_{std::move(paths)},
      written_{written} {
}

const char* to_word(Kind kind) noexcept {
  constexpr std::array kWords = {"no-session", "nothing", "conflict", "sensitive",
                                 "unseen",     "stale",   "busy",     "not-started",
                                 "invalid",    "inside",  "system",   "trouble"};
  static_assert(kWords.size() == static_cast<std::size_t>(Kind::Trouble) + 1);
  const auto index = static_cast<std::size_t>(kind);
  return index < kWords.size() ? kWords.at(index) : "trouble";
}

}  // namespace workspace

namespace {

using workspace::Failure;
using workspace::Kind;

// The more telling type first: what a later try or a flag would change is told apart here, where
// the command line has one exit status for it.
Kind kind_of(const Error& error, Kind otherwise) {
  if (dynamic_cast<const upkeep::NoSessionError*>(&error) != nullptr) {
    return Kind::NoSession;
  }
  if (dynamic_cast<const apply::SensitiveError*>(&error) != nullptr) {
    return Kind::Sensitive;
  }
  if (dynamic_cast<const UnseenError*>(&error) != nullptr) {
    return Kind::Unseen;
  }
  if (dynamic_cast<const StaleError*>(&error) != nullptr) {
    return Kind::Stale;
  }
  switch (error.code()) {
    case ExitCode::No:
      return Kind::Nothing;
    case ExitCode::Conflict:
      return Kind::Conflict;
    case ExitCode::Refused:
      return Kind::Busy;
    case ExitCode::NotStarted:
    case ExitCode::NotExecutable:
    case ExitCode::NotFound:
      return Kind::NotStarted;
    case ExitCode::Ok:
    case ExitCode::Trouble:
      break;
  }
  return dynamic_cast<const SysError*>(&error) != nullptr ? Kind::System : otherwise;
}

}  // namespace

void throw_failure(Kind otherwise) {
  try {
    throw;
  } catch (const Thrown& passed) {
    std::rethrow_exception(passed.thrown());
  } catch (const Failure&) {
    throw;
  } catch (const SysError& error) {
    if (error.errno_value() == ENOMEM) {
      throw std::bad_alloc{};  // the kernel counts to the same bound what it keeps for the process
    }
    throw Failure{kind_of(error, otherwise), error.what(), error.hint(), error.paths()};
  } catch (const Error& error) {
    throw Failure{kind_of(error, otherwise), error.what(), error.hint(), error.paths()};
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw Failure{Kind::Trouble, std::string{"cannot go on: internal error: "} + error.what()};
  }
}

}  // namespace shadow
