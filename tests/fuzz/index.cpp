// SPDX-License-Identifier: MIT
// git's index file. What the user's git wrote is harmless; what lies at that place need not be.

#include "fuzz/target.hpp"
#include "review/git_index.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuzz::text_of(data, size);
  const auto names = shadow::review::parse_index(bytes);
  if (names) {
    for (const std::string& name : names->names) {
      fuzz::require(!name.empty() || !bytes.empty(), "a name comes from the file");
    }
    fuzz::require(names->shared_id.size() % 2 == 0, "an id is whole bytes in hex");
  }
  return 0;
}
