// SPDX-License-Identifier: MIT
// A run's note, which its supervisor may have been killed over.

#include "fuzz/target.hpp"
#include "session/directory/run_spool.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto row =
      shadow::session::parse_note("0123456789abcdef", std::string{fuzz::text_of(data, size)});
  if (row) {
    fuzz::require(!row->argv.empty(), "a run has a command");
    fuzz::require(!row->exit_code || row->ended_ns, "what has a status has ended");
  }
  return 0;
}
