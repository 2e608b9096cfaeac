// SPDX-License-Identifier: MIT
// Both: the first follows from the second only where doctest is read here for the first time, which
// it is not behind a precompiled header.
#define DOCTEST_CONFIG_IMPLEMENT
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
