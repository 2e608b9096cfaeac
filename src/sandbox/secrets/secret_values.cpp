// SPDX-License-Identifier: MIT
#include "base/ascii.hpp"
#include "sandbox/secrets/secret_tokens.hpp"
#include "sandbox/secrets/secret_variables.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

namespace shadow::sandbox {
namespace {

// Settings in connection strings and queries.
constexpr std::array kSettings = std::to_array<std::string_view>(
    {"password=", "passwd=", "pwd=", "accountkey=", "api_key=", "api-key=", "apikey=",
     "sharedaccesskey=", "token=", "secret=", "authorization=", "&sig=", "x-amz-signature=",
     "x-goog-signature=", "_gitlab_session="});

// Headers, as git, curl and exporters of telemetry take them.
constexpr std::array<std::string_view, 3> kHeaders = {
    "authorization: ", "x-api-key: ", "private-token: "};

// Whoever knows such an address may write there, or be the bot.
constexpr std::array<std::string_view, 6> kHooks = {
    "hooks.slack.com/",    "discord.com/api/webhooks/", "discordapp.com/api/webhooks/",
    "webhook.office.com/", "hooks.zapier.com/hooks/",   "api.telegram.org/bot"};

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kDigits = "0123456789";

bool stands_in_name_of_header(char c) {
  return c == '-' || (c >= '0' && c <= '9') || (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z');
}

// "user:word" between "://" and "@"; of the web also a long name alone, which is a token.
bool has_password(std::string_view address) {
  const std::string_view word = address.substr(0, address.find_first_of(" \t\n\"'"));
  const std::string_view rest = word.substr(0, word.find_first_of("/?#"));
  const std::size_t colon = rest.find(':');
  const std::size_t at = rest.rfind('@');
  if (at != std::string_view::npos) {
    constexpr std::size_t kToken = 20;
    return colon < at ? colon + 1 < at : at >= kToken;
  }
  // A password with a slash in it, as people write it. Not a port, nor a host as ssh writes it.
  return colon != std::string_view::npos && colon > 0 && colon + 1 < rest.size() &&
         rest.substr(0, colon).find('.') == std::string_view::npos &&
         rest.find_first_not_of(kDigits, colon + 1) != std::string_view::npos &&
         word.find('@', rest.size()) != std::string_view::npos;
}

// "user:word@host:port", without a scheme.
bool is_login_at_port(std::string_view value) {
  const std::size_t at = value.rfind('@');
  if (at == std::string_view::npos || value.find_first_of(" \t\n\"'") != std::string_view::npos) {
    return false;
  }
  const std::string_view login = value.substr(0, at);
  const std::size_t colon = login.find(':');
  const std::string_view place = value.substr(at + 1, value.find_first_of("/?", at) - at - 1);
  const std::size_t port = place.rfind(':');
  constexpr std::size_t kLongestPort = 5;
  return colon != std::string_view::npos && colon > 0 && colon + 1 < login.size() &&
         login.find('/') == std::string_view::npos && port != std::string_view::npos && port > 0 &&
         port + 1 < place.size() && place.size() - port - 1 <= kLongestPort &&
         place.find_first_not_of(kDigits, port + 1) == std::string_view::npos;
}

// "jdbc:oracle:thin:user/word@host".
bool is_oracle_login(std::string_view value) {
  const std::size_t scheme = value.find("jdbc:oracle:");
  if (scheme == std::string_view::npos) {
    return false;
  }
  const std::size_t at = value.find('@', scheme);
  const std::size_t slash = value.find('/', scheme);
  return at != std::string_view::npos && slash + 1 < at;
}

bool holds_address_with_password(std::string_view value) {
  constexpr std::string_view kMark = "://";
  for (std::size_t at = value.find(kMark); at != std::string_view::npos;
       at = value.find(kMark, at + 1)) {
    if (has_password(value.substr(at + kMark.size()))) {
      return true;
    }
  }
  return is_oracle_login(value) || is_login_at_port(value);
}

bool holds_setting_of_password(std::string_view value) {
  if (value.find('=') == std::string_view::npos) {
    return false;
  }
  const std::string small = lower_ascii(value);
  return std::any_of(kSettings.begin(), kSettings.end(), [&](std::string_view setting) {
    const std::size_t at = small.find(setting);
    return at != std::string::npos && at + setting.size() < small.size() &&
           small.find_first_of("$ ;&", at + setting.size()) != at + setting.size();
  });
}

// JSON, also within a string of another: "password": "...".
bool holds_member_of_password(std::string_view value) {
  for (std::size_t colon = value.find(':'); colon != std::string_view::npos;
       colon = value.find(':', colon + 1)) {
    const std::size_t close = value.find_last_not_of(kBlanks, colon - 1);
    if (colon == 0 || close == std::string_view::npos || close == 0 || value[close] != '"') {
      continue;
    }
    std::string_view name = value.substr(0, close);
    name.remove_prefix(std::min(name.rfind('"') + 1, name.size()));
    while (name.ends_with('\\')) {
      name.remove_suffix(1);
    }
    const std::size_t open = value.find_first_not_of(" \t\r\n\\", colon + 1);
    if (open != std::string_view::npos && value[open] == '"' && open + 1 < value.size() &&
        value.find_first_of("\"\\$", open + 1) != open + 1 && says_secret(name)) {
      return true;
    }
  }
  return false;
}

// "X-Auth-Token: ...".
bool holds_named_header(std::string_view value) {
  constexpr std::size_t kShortest = 8;
  for (std::size_t colon = value.find(':'); colon != std::string_view::npos;
       colon = value.find(':', colon + 1)) {
    std::size_t begin = colon;
    while (begin > 0 && stands_in_name_of_header(value[begin - 1])) {
      --begin;
    }
    const std::string_view name = value.substr(begin, colon - begin);
    const std::size_t content = value.find_first_not_of(' ', colon + 1);
    // Without a blank it may be an image and its tag, or two entries of a list of paths.
    if (name.find('-') == std::string_view::npos || content == std::string_view::npos ||
        (content == colon + 1 && ascii_lower(name.front()) != 'x')) {
      continue;
    }
    const std::size_t end = std::min(value.find_first_of(" \t\r\n\"',;", content), value.size());
    if (end - content >= kShortest && value[content] != '$' && value[content] != '/' &&
        says_secret(name)) {
      return true;
    }
  }
  return false;
}

bool holds_header_of_login(std::string_view value) {
  constexpr std::size_t kShortest = 20;
  const std::string small = lower_ascii(value);
  const bool scheme = small.starts_with("bearer ") || small.starts_with("basic ");
  return (scheme && small.size() >= kShortest && small.find(' ') == small.rfind(' ')) ||
         std::any_of(kHeaders.begin(), kHeaders.end(),
                     [&small](std::string_view header) {
                       const std::size_t at = small.find(header);
                       return at != std::string::npos && at + header.size() < small.size() &&
                              small[at + header.size()] != '$';
                     }) ||
         holds_named_header(value);
}

constexpr std::string_view kOfBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// What is in base64 up to its end, or up to the first sign that is none.
std::string decoded(std::string_view text) {
  std::string plain;
  unsigned bits = 0;
  unsigned count = 0;
  for (const char c : text) {
    const std::size_t digit = kOfBase64.find(c);
    if (digit == std::string_view::npos) {
      break;
    }
    bits = (bits << 6U | static_cast<unsigned>(digit)) & 0xffffU;
    count += 6;
    if (count >= 8) {
      count -= 8;
      plain += static_cast<char>(bits >> count & 0xffU);
    }
  }
  return plain;
}

// "Basic dTpw": "user:word" in base64, however short.
bool holds_basic_login(std::string_view value) {
  constexpr std::string_view kScheme = "basic ";
  const std::string small = lower_ascii(value);
  for (std::size_t at = small.find(kScheme); at != std::string::npos;
       at = small.find(kScheme, at + 1)) {
    const std::string login = decoded(value.substr(at + kScheme.size()));
    const std::size_t colon = login.find(':');
    const bool word = at == 0 || !is_letter_or_digit(value[at - 1]);
    if (word && colon != std::string::npos && colon + 1 < login.size() &&
        std::all_of(login.begin(), login.end(), [](char c) { return c >= ' ' && c <= '~'; })) {
      return true;
    }
  }
  return false;
}

// Up to the next blank or quote, without those before it; taken off the text.
std::string_view next_word(std::string_view& text) {
  constexpr std::string_view kBetween = " \t\r\n\"'";
  text.remove_prefix(std::min(text.find_first_not_of(kBetween), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(kBetween));
  text.remove_prefix(word.size());
  return word;
}

bool is_login(std::string_view word) {
  const std::size_t colon = word.find(':');
  return colon != std::string_view::npos && colon > 0 && colon + 1 < word.size() &&
         word[colon + 1] != '$';
}

// Options of curl's and the like, without the program: "-u user:WORD". Not who a container runs as:
// "-u 1000:1000", "-u node:node".
bool begins_with_login(std::string_view value) {
  const std::string_view option = next_word(value);
  const std::string_view login = next_word(value);
  const std::size_t colon = login.find(':');
  return (option == "-u" || option == "--user") && is_login(login) &&
         login.find_first_not_of(kDigits, colon + 1) != std::string_view::npos &&
         login.substr(0, colon) != login.substr(colon + 1);
}

// A line of netrc(5): "machine HOST login USER password WORD".
bool holds_line_of_netrc(std::string_view value) {
  bool machine = false;
  bool login = false;
  while (!value.empty()) {
    const std::string_view word = next_word(value);
    if (word == "password" && login) {
      return !next_word(value).empty();
    }
    machine = machine || word == "machine";
    login = machine && (login || word == "login");
  }
  return false;
}

// A command line: "mysql -u root -pWORD", "curl -u user:WORD".
bool holds_password_of_command(std::string_view value) {
  constexpr std::array<std::string_view, 2> kOfMysql = {"mysql", "mariadb"};
  bool mysql = false;
  bool curl = false;
  bool user = false;  // the next word is one, with a password
  while (!value.empty()) {
    const std::string_view word = next_word(value);
    const std::string_view name = word.substr(word.rfind('/') + 1);
    const bool short_user = curl && word.starts_with("-u");
    constexpr std::string_view kUser = "--user=";
    if ((user && is_login(word)) || (short_user && is_login(word.substr(2))) ||
        (curl && word.starts_with(kUser) && is_login(word.substr(kUser.size()))) ||
        (mysql && word.starts_with("-p") && word.size() > 2 && word[2] != '$')) {
      return true;
    }
    user = curl && (word == "-u" || word == "--user");
    curl = curl || name == "curl";
    mysql = mysql || std::any_of(kOfMysql.begin(), kOfMysql.end(), [name](std::string_view one) {
              return name.starts_with(one) && name.find(':') == std::string_view::npos;
            });
  }
  return false;
}

bool holds_webhook(std::string_view value) {
  return std::any_of(kHooks.begin(), kHooks.end(), [value](std::string_view hook) {
    const std::size_t at = value.find(hook);
    return at != std::string_view::npos && at + hook.size() < value.size();
  });
}

}  // namespace

bool is_secret_value(std::string_view value) {
  if (value.starts_with("() {")) {
    return false;  // a function of bash
  }
  return holds_marked_token(value) || holds_private_key(value) ||
         holds_address_with_password(value) || holds_setting_of_password(value) ||
         holds_member_of_password(value) || holds_header_of_login(value) ||
         holds_basic_login(value) || holds_password_of_command(value) || begins_with_login(value) ||
         holds_line_of_netrc(value) || holds_webhook(value);
}

}  // namespace shadow::sandbox
