// SPDX-License-Identifier: MIT
#include "base/json.hpp"
#include "support/chance.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

using shadow::Json;

namespace {

using Other = nlohmann::ordered_json;

// What nlohmann/json writes for the same text.
std::string as_other(const std::string& text) {
  return Other(text).dump(-1, ' ', false, Other::error_handler_t::replace);
}

}  // namespace

TEST_SUITE("base/json") {
  TEST_CASE("values of every kind are written, members in the order in which they were set") {
    Json top;
    top["text"] = "a\"\\\n\x01\x7f/";
    top["yes"] = true;
    top["least"] = std::numeric_limits<std::int64_t>::min();
    top["most"] = std::numeric_limits<std::uint64_t>::max();
    top["nothing"];
    top["empty"] = Json::array();
    top["list"].push_back(Json{{"a", -1}, {"b", std::vector<std::string>{"x", "y"}}});
    top["text"] = std::string{"b"};
    top["list"].push_back(false);
    CHECK(top.dump() ==
          R"({"text":"b","yes":true,"least":-9223372036854775808,"most":18446744073709551615,)"
          R"("nothing":null,"empty":[],"list":[{"a":-1,"b":["x","y"]},false]})");
    CHECK(Json{}.dump() == "null");
  }

  TEST_CASE("text of any bytes is written as another library writes it") {
    for (const char* text :
         {"", "plain", "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80", "\xFF", "a\xC3", "\xE0\x80\x80",
          "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xF0\x9F\x98z", "\xC0\xAF"}) {
      CAPTURE(text);
      CHECK(Json{text}.dump() == as_other(text));
    }
    test::Chance chance{1};
    for (int round = 0; round < 20'000; ++round) {
      std::string text;
      for (std::size_t length = chance.below(12); length > 0; --length) {
        // Leads and tails more often than chance has them.
        constexpr std::string_view kOften =
            "\x80\x8F\x90\x9F\xA0\xBF\xC2\xE0\xE2\xED\xF0\xF1\xF4\"\\\t";
        text += chance.below(2) == 0 ? kOften[chance.below(kOften.size())]
                                     : static_cast<char>(chance.below(256));
      }
      CAPTURE(text);
      REQUIRE(Json{text}.dump() == as_other(text));
      REQUIRE(Json{shadow::as_utf8(text)}.dump() == as_other(text));
    }
  }
}
