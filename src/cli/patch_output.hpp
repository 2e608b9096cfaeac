// SPDX-License-Identifier: MIT
// A patch on its way out.

#pragma once

#include "shadow/patch.hpp"

#include "cli/output.hpp"

#include <vector>

namespace shadow::cli {

// On a terminal, and with colours that are meant for one, the contents cannot steer it; anywhere
// else they are what `git apply` needs.
void print_patch(const std::vector<PatchFile>& files, const PatchOptions& options, bool color,
                 Output& out);

}  // namespace shadow::cli
