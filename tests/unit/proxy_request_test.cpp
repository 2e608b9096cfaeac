// SPDX-License-Identifier: MIT
#include "proxy/request.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>

using shadow::proxy::parse_request;
using shadow::proxy::Refusal;
using shadow::proxy::Request;

namespace {

int status_of(const std::string& head) {
  try {
    (void)parse_request(head);
    return 200;
  } catch (const Refusal& refusal) {
    return refusal.status();
  }
}

}  // namespace

TEST_SUITE("proxy/request") {
  TEST_CASE("a tunnel names a host and a port") {
    const Request request =
        parse_request("CONNECT Example.ORG:443 HTTP/1.1\r\nHost: other\r\nX: y\r\n\r\n");
    CHECK(request.tunnel);
    CHECK(request.host == "example.org");
    CHECK(request.port == 443);
    CHECK(request.head.empty());
    CHECK(parse_request("CONNECT [2001:DB8::1]:22 HTTP/1.0\r\n\r\n").host == "2001:db8::1");
  }

  TEST_CASE("a plain request goes on for the host that was checked, and for one answer") {
    const Request request = parse_request(
        "GET http://Example.org:8080/a?b=c HTTP/1.1\r\nHost: lie.example\r\nhOST: lie2\r\n"
        "Proxy-Authorization: secret\r\nConnection: keep-alive\r\nAccept: */*\r\n\r\n");
    CHECK(!request.tunnel);
    CHECK(request.host == "example.org");
    CHECK(request.port == 8080);
    CHECK(request.head ==
          "GET /a?b=c HTTP/1.1\r\nHost: example.org:8080\r\nAccept: */*\r\n"
          "Connection: close\r\n\r\n");
  }

  TEST_CASE("a URL may leave out port and path") {
    CHECK(parse_request("GET http://a.example HTTP/1.1\r\n\r\n").port == 80);
    CHECK(parse_request("GET http://a.example HTTP/1.1\r\n\r\n").head ==
          "GET / HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n");
    CHECK(parse_request("GET HTTP://a.example?q HTTP/1.1\r\n\r\n").head.starts_with("GET /?q "));
  }

  TEST_CASE("what two readers could read in two ways is refused") {
    for (const char* head :
         {"GET http://a.example/ HTTP/1.1\nHost: b\n\r\n\r\n",
          "GET http://a.example/ HTTP/1.1\r\n folded\r\n\r\n",
          "GET http://a.example/ HTTP/1.1\r\nHost : a\r\n\r\n",
          "GET http://a.example/ HTTP/1.1\r\nno colon\r\n\r\n",
          "GET http://a.example/ HTTP/1.1\r\nX: a\rb\r\n\r\n",
          "GET http://a.example/\tb HTTP/1.1 \r\n\r\n", "GET  http://a.example/ HTTP/1.1\r\n\r\n",
          "GET http://a.example/ HTTP/1.1 x\r\n\r\n", "GET http://a.example/ HTTP/2\r\n\r\n",
          "GET http://a.example/\r\n\r\n", "G(T http://a.example/ HTTP/1.1\r\n\r\n",
          " GET http://a.example/ HTTP/1.1\r\n\r\n", "\r\n\r\n", "", "GET", "GET ", "CONNECT  "}) {
      CAPTURE(head);
      CHECK(status_of(head) == 400);
    }
  }

  TEST_CASE("what is no host and port is refused") {
    for (const char* target :
         {"a.example", "a.example:", "a.example:0", "a.example:443x", "a.example:99999", ":443",
          "user@a.example:443", "127.1:443", "2130706433:443", "::1:443", "[::1]", "[::1]443",
          "a.example:443/x", "http://a.example:443", "*.example:443", "\xff:443", "a,b:443"}) {
      CAPTURE(target);
      CHECK(status_of(std::string{"CONNECT "} + target + " HTTP/1.1\r\n\r\n") == 400);
    }
    for (const char* url : {"/path", "*", "https://a.example/", "ftp://a.example/", "http://",
                            "http:///x", "http://u:p@a.example/", "http://a.example:/",
                            "http://[::1/", "http://127.1/", "http:a.example"}) {
      CAPTURE(url);
      CHECK(status_of(std::string{"GET "} + url + " HTTP/1.1\r\n\r\n") == 400);
    }
    CHECK(status_of("CONNECT 127.0.0.1" + std::string(1, '\0') +
                    ".example.com:443 HTTP/1.1\r\n\r\n") == 400);
  }

  TEST_CASE("any bytes end in a request or a refusal") {
    std::mt19937 random{7};  // the same bytes each time
    const std::string valid =
        "GET http://a.example:80/x HTTP/1.1\r\nHost: a.example\r\nX: y\r\n\r\n";
    for (int round = 0; round < 20000; ++round) {
      std::string head = valid;
      for (int change = 0; change < 3; ++change) {
        head[random() % head.size()] = static_cast<char>(random() % 256);
      }
      try {
        const Request request = parse_request(head);
        CHECK(request.port != 0);
        CHECK(request.host.find_first_of(std::string_view{"\r\n\0 ", 4}) == std::string::npos);
        CHECK(request.head.find("\r\n\r\n") == request.head.size() - 4);
      } catch (const Refusal& refusal) {
        CHECK(refusal.status() == 400);
      }
    }
  }

  TEST_CASE("a refusal says why in a whole answer") {
    const std::string text = shadow::proxy::refusal_text(Refusal{403, "no"});
    CHECK(text.starts_with("HTTP/1.1 403 Forbidden by --net=allow\r\n"));
    CHECK(text.ends_with("Content-Length: 11\r\nConnection: close\r\n\r\nshadow: no\n"));
  }
}
