// SPDX-License-Identifier: MIT
// Compiled once for each library: what most sources read first, by the time that it takes. A source
// still includes what it uses itself; with ccache or -Db_pch=false nothing of this is read.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
