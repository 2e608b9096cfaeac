// SPDX-License-Identifier: MIT
#include "proxy/denials.hpp"
#include "sandbox/process/proxy_protocol.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using shadow::proxy::Denials;
using shadow::proxy::kMostDeniedNames;

TEST_SUITE("proxy/denials") {
  TEST_CASE("each destination is named once, with its count") {
    Denials denials;
    CHECK(denials.text().empty());
    denials.add("b.example:443");
    denials.add("a.example:80");
    denials.add("b.example:443");
    CHECK(denials.text() == "1 a.example:80\n2 b.example:443\n");
  }

  TEST_CASE("a run that makes names up fills neither memory nor the log") {
    Denials denials;
    const std::string longest(253, 'a');
    for (int i = 0; i < 1000; ++i) {
      denials.add(std::to_string(i) + longest.substr(4) + ":65535 at " + std::string(39, 'f'));
    }
    const std::string text = denials.text();
    CHECK(std::count(text.begin(), text.end(), '\n') == kMostDeniedNames + 1);
    CHECK(text.ends_with("936 others\n"));
    CHECK(text.size() < shadow::sandbox::kMostProxyMessage);
  }
}
