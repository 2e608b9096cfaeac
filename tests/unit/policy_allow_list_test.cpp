// SPDX-License-Identifier: MIT
#include "shadow/error.hpp"

#include "policy/allow_list.hpp"
#include "policy/policy.hpp"
#include "policy/policy_values.hpp"

#include <doctest/doctest.h>

#include <string>

using shadow::policy::allow_list_text;
using shadow::policy::AllowList;
using shadow::policy::allows;
using shadow::policy::canonical_host;
using shadow::policy::Network;
using shadow::policy::parse_allow_list;

namespace {

std::string round_trip(const std::string& text) {
  return allow_list_text(parse_allow_list(text, "--net"));
}

}  // namespace

TEST_SUITE("policy/allow_list") {
  TEST_CASE("hosts are made canonical") {
    CHECK(canonical_host("Example.ORG.") == "example.org");
    CHECK(canonical_host("a_b-c.1x") == "a_b-c.1x");
    CHECK(canonical_host("192.0.2.1") == "192.0.2.1");
    CHECK(canonical_host("2001:DB8:0::1") == "2001:db8::1");
    CHECK(canonical_host("xn--bcher-kva.example") == "xn--bcher-kva.example");
  }

  TEST_CASE("what a resolver would take for an address in disguise is no host") {
    for (const char* text :
         {"127.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "1.2.3.4.", "1.2.3.4.5",
          "a.0x1", "127.0.0.01", "::1%lo", "fe80::1%1"}) {
      CAPTURE(text);
      CHECK(!canonical_host(text));
    }
  }

  TEST_CASE("hostile names are no hosts") {
    const std::string nul{"a\0.example", 10};
    const std::string long_label(64, 'a');
    std::string long_name = "a";
    for (int i = 0; i < 127; ++i) {
      long_name += ".a";
    }
    for (const std::string& text :
         {nul, long_label, long_name, std::string{}, std::string{"."}, std::string{"a..b"},
          std::string{".a"}, std::string{"a b"}, std::string{"new\nline"}, std::string{"\xff"},
          std::string{"-dash"}, std::string{"dash-"}, std::string{":,\\"}, std::string{"a@b"},
          std::string{"a/b"}, std::string{"*"}, std::string{"*.a"}, std::string{"b\xc3\xbc"}}) {
      CAPTURE(text);
      CHECK(!canonical_host(text));
    }
  }

  TEST_CASE("a list is written as it can be read again") {
    CHECK(round_trip("Example.org") == "example.org");
    CHECK(round_trip("a:22,*.B.c:8443,10.0.0.1:80,[::1],[::1]:80") ==
          "a:22,*.b.c:8443,10.0.0.1:80,[::1],[::1]:80");
    const auto read = shadow::policy::parse_network("allow:a,b:1", "--net");
    CHECK(read.network == Network::Allow);
    CHECK(shadow::policy::name_of(read) == "allow:a,b:1");
    CHECK(shadow::policy::parse_network(shadow::policy::name_of(read), "--net") == read);
  }

  TEST_CASE("a list with anything else in it is refused whole") {
    for (const char* text : {"",          ",",        "a,",   "a:",   "a:0", "a:65536",   "a:-1",
                             "a:+1",      "a: 1",     "a:1x", "*",    "*.",  "**.a",      "a.*",
                             "*.1.2.3.4", "*.[::1]",  "::1",  "[::1", "[a]", "[1.2.3.4]", "[::1]x",
                             "[::1]:",    "http://a", "a b",  "a;b"}) {
      CAPTURE(text);
      CHECK_THROWS_AS((void)parse_allow_list(text, "--net"), shadow::Error);
    }
  }

  TEST_CASE("without a port an entry stands for those of the web") {
    const AllowList list = parse_allow_list("example.org", "--net");
    CHECK(allows(list, "example.org", 443));
    CHECK(allows(list, "example.org", 80));
    CHECK(!allows(list, "example.org", 22));
    CHECK(!allows(list, "example.org", 8443));
  }

  TEST_CASE("with a port an entry stands for that port only") {
    const AllowList list = parse_allow_list("example.org:22", "--net");
    CHECK(allows(list, "example.org", 22));
    CHECK(!allows(list, "example.org", 443));
  }

  TEST_CASE("a name stands for itself only, a wildcard for the names below it only") {
    const AllowList list = parse_allow_list("example.org,*.example.net", "--net");
    CHECK(!allows(list, "www.example.org", 443));
    CHECK(!allows(list, "example.org.evil.example", 443));
    CHECK(!allows(list, "notexample.org", 443));
    CHECK(!allows(list, "example.net", 443));
    CHECK(!allows(list, "evilexample.net", 443));
    CHECK(allows(list, "a.example.net", 443));
    CHECK(allows(list, "b.a.example.net", 443));
  }

  TEST_CASE("an address is allowed by itself only") {
    const AllowList list = parse_allow_list("127.0.0.1:80,[::1]:80", "--net");
    CHECK(allows(list, "127.0.0.1", 80));
    CHECK(allows(list, "::1", 80));
    CHECK(!allows(list, "127.0.0.2", 80));
    CHECK(!allows(list, "::ffff:127.0.0.1", 80));
    CHECK(!allows(list, "localhost", 80));
  }

  TEST_CASE("an empty list allows nothing") {
    CHECK(!allows({}, "", 0));
    CHECK(!allows({}, "example.org", 443));
  }
}
