// SPDX-License-Identifier: MIT
#include "cli/program.hpp"

#include "cli/output/output.hpp"
#include "cli/parser/verbs.hpp"
#include "cli/render/json.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>

#include <unistd.h>

namespace shadow::cli {

namespace {

const char* kind_of(ExitCode code) {
  switch (code) {
    case ExitCode::Ok:
      return "ok";
    case ExitCode::No:
      return "no";
    case ExitCode::Conflict:
      return "conflict";
    case ExitCode::Refused:
      return "refused";
    case ExitCode::NotStarted:
    case ExitCode::NotExecutable:
    case ExitCode::NotFound:
      return "not-started";
    case ExitCode::Trouble:
      break;
  }
  return "trouble";
}

// A session with very many names needs the memory: a part of it can be reviewed and discarded, and
// all of it discarded. What an apply or a refresh decides depends on all of it.
std::string hint_without_memory(const std::string& verb) {
  const char* drop = "'shadow discard --yes' drops the whole session";
  if (verb == "status" || verb == "diff" || verb == "discard") {
    return fmt::format("a smaller part needs less: 'shadow {} DIRECTORY'; {}", verb, drop);
  }
  if (verb == "apply" || verb == "refresh") {
    return fmt::format(
        "it needs memory for all that the session has changed: drop a part of that with 'shadow "
        "discard DIRECTORY'; {}",
        drop);
  }
  return verb == "undo" ? "try again with more memory" : "";
}

void print_error(const Error& error, const Glance& seen) {
  const std::string text = error_text(
      Error{error.what(), with_agent(error.hint(), seen.agent), error.code(), error.paths()},
      seen.json);
  // If stderr is gone too, there is nobody left to inform.
  (void)std::fwrite(text.data(), 1, text.size(), stderr);
}

Error no_memory(const std::string& verb) {
  return Error{"cannot go on: out of memory", hint_without_memory(verb)};
}

// What a destructor throws cannot be caught, and nlohmann's allocates to take a large value apart:
// after std::bad_alloc it meets the next one.
class LastWords {
 public:
  explicit LastWords(const Glance& seen) {
    spare_.reserve(kSpare);
    speaker = this;
    seen_ = &seen;
    before_ = std::set_terminate(speak);
  }
  LastWords(const LastWords&) = delete;
  LastWords(LastWords&&) = delete;
  LastWords& operator=(const LastWords&) = delete;
  LastWords& operator=(LastWords&&) = delete;
  ~LastWords() {
    std::set_terminate(before_);
    speaker = nullptr;
  }

 private:
  [[noreturn]] static void speak() noexcept {
    try {
      if (std::current_exception() != nullptr) {
        throw;
      }
    } catch (const std::bad_alloc&) {
      const Glance& seen = *speaker->seen_;
      std::string{}.swap(speaker->spare_);
      const Error error = no_memory(seen.verb);
      print_error(error, seen);
      ::_exit(exit_status(error, seen.verb));
    } catch (...) {
      speaker->before_();
    }
    speaker->before_();
    std::abort();
  }

  static constexpr std::size_t kSpare = std::size_t{64} << 10U;
  static LastWords* speaker;

  std::string spare_;  // never written: its room costs nothing until it is given back
  const Glance* seen_ = nullptr;
  std::terminate_handler before_ = nullptr;
};

LastWords* LastWords::speaker = nullptr;

}  // namespace

std::string error_text(const Error& error, bool json) {
  if (!json) {
    std::string text = fmt::format("shadow: {}\n", error.what());
    if (!error.hint().empty()) {
      text += fmt::format("hint: {}\n", error.hint());
    }
    return text;
  }
  Json record;
  record["kind"] = kind_of(error.code());
  record["message"] = error.what();
  if (!error.hint().empty()) {
    record["hint"] = error.hint();
  }
  record["paths"] = Json::array();
  for (const std::string& path : error.paths()) {
    Json item;
    set_bytes(item, "path", path);
    record["paths"].push_back(std::move(item));
  }
  Json top;
  top["error"] = std::move(record);
  return to_line(top);
}

int exit_status(const Error& error, const std::string& verb) {
  const bool runs = verb == "run" || verb == "shell";
  const bool of_command =
      error.code() == ExitCode::NotExecutable || error.code() == ExitCode::NotFound;
  return static_cast<int>(runs && !of_command ? ExitCode::NotStarted : error.code());
}

int print_text(const PrintText& print) {
  Output out;
  out.write(print.text);
  out.flush();
  return static_cast<int>(ExitCode::Ok);
}

int guarded(const Glance& seen, const std::function<int()>& work) {
  const auto fail = [&seen](const Error& error) {
    print_error(error, seen);
    return exit_status(error, seen.verb);
  };
  const LastWords last_words{seen};
  try {
    return work();
  } catch (const ReaderGone&) {
    return kReaderGoneStatus;
  } catch (const Error& error) {
    return fail(error);
  } catch (const std::bad_alloc&) {
    return fail(no_memory(seen.verb));
  } catch (const std::exception& error) {
    return fail(Error{fmt::format("cannot go on: internal error: {}", error.what())});
  }
}

}  // namespace shadow::cli
