// SPDX-License-Identifier: MIT
// What a list of changes has that git's patches cannot show.

#pragma once

#include "shadow/review.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace shadow::cli {

// "not in the patch: run.sh (mode 644 became 600), queue (fifo added), out/ (directory deleted)";
// empty when the patch has all of it. `items` are sorted by path; paths are as seen from the
// directory `from` of the project. A directory is left out where something in it is listed.
[[nodiscard]] std::string beyond_patch_text(const std::vector<ReviewItem>& items,
                                            const std::vector<std::string>& new_repositories,
                                            std::string_view from = {});

// The same of the lists that name the files of a patch: "not listed: ...", without permissions.
[[nodiscard]] std::string unlisted_text(const std::vector<ReviewItem>& items,
                                        std::string_view from = {});

}  // namespace shadow::cli
