// SPDX-License-Identifier: MIT
#include "policy/allow_list.hpp"

#include "shadow/error.hpp"

#include "base/ascii.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <arpa/inet.h>
#include <netinet/in.h>

namespace shadow::policy {
namespace {

constexpr std::uint16_t kHttp = 80;
constexpr std::uint16_t kHttps = 443;

std::optional<std::string> canonical_address(const std::string& text) {
  std::array<unsigned char, sizeof(in6_addr)> binary{};
  std::array<char, INET6_ADDRSTRLEN> written{};
  for (const int family : {AF_INET, AF_INET6}) {
    if (::inet_pton(family, text.c_str(), binary.data()) == 1 &&
        ::inet_ntop(family, binary.data(), written.data(), written.size()) != nullptr) {
      return written.data();
    }
  }
  return std::nullopt;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Letters, digits, hyphens inside, and the underscore that some real names have (RFC 1123, 2.1).
bool is_label(std::string_view label) {
  constexpr std::size_t kMostBytes = 63;
  return !label.empty() && label.size() <= kMostBytes && label.front() != '-' &&
         label.back() != '-' && std::all_of(label.begin(), label.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || is_digit(c) || c == '-' || c == '_';
         });
}

// getaddrinfo(3) passes names that end in a number to inet_aton(3).
bool is_number(std::string_view label) {
  return label.starts_with("0x") || std::all_of(label.begin(), label.end(), is_digit);
}

AllowedHost parse_entry(std::string_view text, std::string_view option) {
  constexpr std::string_view kBelow = "*.";
  AllowedHost entry;
  entry.subdomains = text.starts_with(kBelow);
  const auto read = parse_host_and_port(text.substr(entry.subdomains ? kBelow.size() : 0));
  if (!read || (entry.subdomains && is_address(read->host))) {
    throw Error{"cannot read " + std::string{option} + " " + quoted(text) +
                    ": not a host that can be allowed",
                "a name, an address, or *.NAME for the names below it, each with a :PORT if need "
                "be; IPv6 addresses in []"};
  }
  entry.host = read->host;
  entry.port = read->port;
  return entry;
}

}  // namespace

std::optional<std::string> canonical_host(std::string_view text) {
  constexpr std::size_t kMostBytes = 253;
  std::string host = lower_ascii(text);
  // An embedded NUL would end the name for the C library.
  if (host.find('\0') != std::string::npos) {
    return std::nullopt;
  }
  if (auto address = canonical_address(host)) {
    return address;
  }
  if (host.ends_with('.')) {
    host.pop_back();
  }
  const std::vector<std::string> labels = split(host, '.');
  if (host.size() > kMostBytes || !std::all_of(labels.begin(), labels.end(), is_label) ||
      labels.empty() || is_number(labels.back())) {
    return std::nullopt;
  }
  return host;
}

bool is_address(const std::string& host) {
  return canonical_address(host).has_value();
}

std::optional<std::uint16_t> parse_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc{} || stop != text.data() + text.size() || port == 0) {
    return std::nullopt;
  }
  return port;
}

std::optional<HostAndPort> parse_host_and_port(std::string_view text) {
  std::string_view host = text;
  std::string_view rest;
  const bool bracketed = text.starts_with('[');
  if (bracketed) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) {
      return std::nullopt;
    }
    host = text.substr(1, end - 1);
    rest = text.substr(end + 1);
  } else if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    host = text.substr(0, colon);
    rest = text.substr(colon);
  }
  HostAndPort read;
  const auto canonical = canonical_host(host);
  const bool v6 = canonical && canonical->find(':') != std::string::npos;
  if (!canonical || v6 != bracketed) {
    return std::nullopt;
  }
  read.host = *canonical;
  if (!rest.empty()) {
    const auto port = rest.front() == ':' ? parse_port(rest.substr(1)) : std::nullopt;
    if (!port) {
      return std::nullopt;
    }
    read.port = *port;
  }
  return read;
}

std::string host_text(const std::string& host, std::uint16_t port) {
  const std::string shown = host.find(':') == std::string::npos ? host : "[" + host + "]";
  return port == 0 ? shown : shown + ":" + std::to_string(port);
}

AllowList parse_allow_list(std::string_view text, std::string_view option) {
  AllowList list;
  for (const std::string& entry : split(text, ',')) {
    list.push_back(parse_entry(entry, option));
  }
  return list;
}

std::string allow_list_text(const AllowList& list) {
  std::vector<std::string> entries;
  entries.reserve(list.size());
  for (const AllowedHost& entry : list) {
    entries.push_back((entry.subdomains ? "*." : "") + host_text(entry.host, entry.port));
  }
  return join(entries, ",");
}

bool allows(const AllowList& list, const std::string& host, std::uint16_t port) {
  return std::any_of(list.begin(), list.end(), [&](const AllowedHost& entry) {
    const bool same_port = entry.port == 0 ? port == kHttp || port == kHttps : entry.port == port;
    const bool same_host = entry.subdomains ? host.ends_with("." + entry.host) : host == entry.host;
    return same_port && same_host;
  });
}

}  // namespace shadow::policy
