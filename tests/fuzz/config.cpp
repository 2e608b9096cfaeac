// SPDX-License-Identifier: MIT
// The configuration file: read, or refused with a sentence.

#include "shadow/error.hpp"

#include "fuzz/target.hpp"
#include "policy/config_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const shadow::policy::PolicyPlaces places{"/home/you", "/home/you/.local/state/shadow",
                                            "/home/you/p", "/home/you/p"};
  try {
    (void)shadow::policy::parse_config(fuzz::text_of(data, size), "config.toml", places);
  } catch (const shadow::Error& error) {
    fuzz::require(std::string_view{error.what()}.starts_with("cannot "), "an error is a sentence");
  }
  return 0;
}
