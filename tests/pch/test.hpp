// SPDX-License-Identifier: MIT
// Compiled once for each test program: what its units read first, by the time that it takes. A unit
// still includes what it uses itself; with ccache or -Db_pch=false nothing of this is read.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>
