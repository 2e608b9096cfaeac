// SPDX-License-Identifier: MIT
#include "shadow/error.hpp"
#include "shadow/session.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "sys/processes/process.hpp"

namespace shadow {
namespace {

std::string checked(std::string value, const std::string& origin) {
  if (value.empty()) {
    throw Error{"cannot use an empty agent name (" + origin + ")", "give a name: --as NAME"};
  }
  // Lectic leaves an unknown $NAME in the words of a sandbox command as it is: the same name would
  // then silently stand for every agent.
  if (value == "$LECTIC_INTERLOCUTOR" || value == "${LECTIC_INTERLOCUTOR}") {
    throw Error{
        "cannot use " + quoted(value) + " as the name of an agent: it was not replaced by a name",
        "MCP servers get no LECTIC_* variables; write --as NAME with a name of your own"};
  }
  return value;
}

}  // namespace

std::string session_id(const SessionKey& key) {
  constexpr std::size_t kIdDigits = 16;
  return to_hex(hash_bytes(key.project + '\0' + key.agent)).substr(0, kIdDigits);
}

std::optional<std::string> named_agent(const std::optional<std::string>& as) {
  if (as) {
    return checked(*as, "--as");
  }
  for (const char* name : {"SHADOW_INTERLOCUTOR", "LECTIC_INTERLOCUTOR"}) {
    if (std::optional<std::string> value = sys::environment(name)) {
      return checked(std::move(*value), name);
    }
  }
  return std::nullopt;
}

}  // namespace shadow
