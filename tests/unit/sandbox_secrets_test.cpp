// SPDX-License-Identifier: MIT
#include "shadow/error.hpp"

#include "sandbox/secrets/secrets.hpp"
#include "sys/files/beneath.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using shadow::sandbox::home_masks;
using shadow::sandbox::is_secret_file;

namespace {

bool has(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

TEST_SUITE("sandbox/secrets") {
  TEST_CASE("the built-in masks are plain, distinct paths, none below another") {
    const std::vector<std::string> masks = home_masks({});
    for (const std::string& mask : masks) {
      CAPTURE(mask);
      CHECK(shadow::sys::is_plain_relative(mask));
      CHECK(std::count(masks.begin(), masks.end(), mask) == 1);
      CHECK_FALSE(std::any_of(masks.begin(), masks.end(), [&](const std::string& other) {
        return mask.starts_with(other + "/");
      }));
    }
    for (const char* name : {".ssh",
                             ".gnupg",
                             ".aws",
                             ".azure",
                             ".kube",
                             ".netrc",
                             ".git-credentials",
                             ".pypirc",
                             ".npmrc",
                             ".docker/config.json",
                             ".config/gh",
                             ".config/gcloud",
                             ".cargo/credentials",
                             ".cargo/credentials.toml",
                             ".password-store",
                             ".local/share/keyrings",
                             ".mozilla",
                             ".config/google-chrome",
                             ".bash_history",
                             ".zsh_history",
                             ".local/state/shadow"}) {
      CAPTURE(name);
      CHECK(has(masks, name));
    }
  }

  TEST_CASE("own masks are added, and cover built-in ones below them") {
    const std::vector<std::string> masks = home_masks({"a b/new\nline", ".ssh", ".config"});
    CHECK(has(masks, "a b/new\nline"));
    CHECK(has(masks, ".config"));
    CHECK_FALSE(has(masks, ".config/gh"));
    CHECK(std::count(masks.begin(), masks.end(), ".ssh") == 1);
    for (const char* bad : {"/etc", "../x", "a/../b", "", "a//b", "."}) {
      CAPTURE(bad);
      CHECK_THROWS_AS((void)home_masks({bad}), shadow::Error);
    }
  }

  TEST_CASE("secret files of a project are known by name") {
    for (const char* path :
         {".env", "a/.env.local", ".envrc", "x/key.PEM", "id_rsa", "k/id_work", "tls.key",
          "secrets.yaml", ".git-credentials", "d/\xff.pem", "vpn/Home.ovpn", "db.kdb",
          "AuthKey_1.p8", "service-account.json", "a/service_account.json"}) {
      CAPTURE(path);
      CHECK(is_secret_file(path, {}));
    }
    for (const char* path : {"env", ".env.example", "id_map.c", "id_rsa.pub", "pem", "a.env/b",
                             "src/key.c", "tokens.py", "keys/readme"}) {
      CAPTURE(path);
      CHECK_FALSE(is_secret_file(path, {}));
    }
  }

  TEST_CASE("own patterns match names, or whole paths when they have a slash") {
    CHECK(is_secret_file("a/b.env.example", {"*.example"}));
    CHECK(is_secret_file("conf/live/db.yml", {"conf/live/*"}));
    CHECK_FALSE(is_secret_file("x/conf/live/db.yml", {"conf/live/*"}));
  }
}
