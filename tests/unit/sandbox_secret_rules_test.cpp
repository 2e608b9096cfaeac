// SPDX-License-Identifier: MIT
#include "sandbox/secrets/secret_rules.hpp"

#include <doctest/doctest.h>

using shadow::sandbox::is_left_over;
using shadow::sandbox::names_history;
using shadow::sandbox::names_secret;

TEST_SUITE("sandbox/secret_rules") {
  TEST_CASE("a copy of a known name is known by what stands before a sign, or around it") {
    const auto known = [](std::string_view name) { return name == ".netrc" || name == "chrome"; };
    for (const char* name :
         {".netrc~", ".netrc.bak", ".netrc-2024", ".netrc_old", ".netrc (copy)", "..netrc.swp",
          "#.netrc#", ".#.netrc", ".netrc.tar.gz", "chrome-beta", ".chrome.swo", "#chrome#"}) {
      CAPTURE(name);
      CHECK(is_left_over(name, known));
    }
    for (const char* name : {".netrc", ".netrcs", ".netrc2", "chrome", "chromedriver",
                             "x.netrc.bak", "google-chrome", "", "."}) {
      CAPTURE(name);
      CHECK_FALSE(is_left_over(name, known));
    }
  }

  TEST_CASE("a name is a secret's by whole words") {
    for (const char* name :
         {"token", ".github_token", "tokens.json", "auth-token.txt", "Passwords.kdbx",
          "my.password", ".secrets", "credentials", "API_KEY", "wallet.dat", ".dogecoin", "Cookies",
          "recovery-codes.txt", ".vault_pass.txt"}) {
      CAPTURE(name);
      CHECK(names_secret(name));
    }
    for (const char* name : {".tokenizers", "secretary.txt", "passwordless", ".cookiecutters",
                             "coin", "walletconnect", "keyboard", ".config"}) {
      CAPTURE(name);
      CHECK_FALSE(names_secret(name));
    }
    CHECK(names_history(".zsh_history"));
    CHECK(names_history(".lesshst"));
    CHECK(names_history(".pythonhist"));
    CHECK_FALSE(names_history(".config"));
  }
}
