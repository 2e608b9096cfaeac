// SPDX-License-Identifier: MIT
#include "sandbox/process/environment.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using shadow::policy::EnvRule;
using shadow::policy::Origin;
using shadow::policy::Policy;
using Variables = std::vector<std::string>;

namespace {

Variables filtered(const Variables& caller, const Policy& policy = {}) {
  std::vector<const char*> pointers;
  for (const std::string& variable : caller) {
    pointers.push_back(variable.c_str());
  }
  pointers.push_back(nullptr);
  Variables result = shadow::sandbox::run_environment(pointers.data(), policy,
                                                      {"0123456789abcdef", "a b", "/p", "/p/sub"});
  std::sort(result.begin(), result.end());
  return result;
}

const Variables always = {"GIT_OPTIONAL_LOCKS=0", "PWD=/p/sub", "SHADOW_INTERLOCUTOR=a b",
                          "SHADOW_SESSION=0123456789abcdef"};

Variables with_always(Variables more) {
  more.insert(more.end(), always.begin(), always.end());
  std::sort(more.begin(), more.end());
  return more;
}

Policy with_rule(EnvRule::Action action, const std::string& name, const std::string& value = {}) {
  Policy policy;
  policy.env.push_back({action, name, value, Origin::CommandLine});
  return policy;
}

}  // namespace

TEST_SUITE("sandbox/environment") {
  TEST_CASE("secrets and ways to the host's sockets are withheld") {
    for (const char* name : {"GITHUB_TOKEN",
                             "gh_token",
                             "CLIENT_SECRET",
                             "DB_SECRET_FILE",
                             "OPENAI_API_KEY",
                             "DB_PASSWORD",
                             "MYSQL_PWD",
                             "X_PASSWD",
                             "GOOGLE_APPLICATION_CREDENTIALS",
                             "CI_CREDENTIALS_DIR",
                             "SSH_AUTH_SOCK",
                             "SSH_CONNECTION",
                             "AWS_PROFILE",
                             "DISPLAY",
                             "WAYLAND_DISPLAY",
                             "XAUTHORITY",
                             "DBUS_SESSION_BUS_ADDRESS",
                             "DOCKER_HOST",
                             "TMUX",
                             "GPG_AGENT_INFO",
                             "VSCODE_IPC_HOOK_CLI",
                             "LECTIC_EDITOR_SOCKET",
                             "PGPASSWORD",
                             "SECRET_KEY_BASE",
                             "SHADOW_STATE_DIR",
                             "npm_config__auth",
                             "npm_config_//registry.example.org/:_authToken",
                             "NPM_CONFIG_ALWAYS_AUTH",
                             "TOKEN",
                             "PASSWORD",
                             "SECRET",
                             "API_KEY",
                             "APIKEY",
                             "PASS",
                             "TF_TOKEN_app_terraform_io",
                             "TF_VAR_db_password",
                             "PASSWORD_OF_DB",
                             "MY_API_KEY_2",
                             "githubToken",
                             "HGPASSWORD",
                             "SECRET_ACCESS_KEY_ID",
                             "STRIPE_KEY",
                             "OPENAI_KEY_OLD_KEY",
                             "DD_APP_KEY",
                             "GOOGLE_MAPS_KEY",
                             "NEW_RELIC_LICENSE_KEY",
                             "APP_KEY",
                             "SLACK_WEBHOOK_URL",
                             "RESTIC_PASSWORD_COMMAND",
                             "CI_JOB_JWT",
                             "NOTIFY_SOCKET"}) {
      CAPTURE(name);
      CHECK(shadow::sandbox::is_withheld(name));
    }
  }

  TEST_CASE("names that gitleaks and trufflehog look for are withheld, and no others like them") {
    for (const char* name :
         {"TS_AUTHKEY", "SHODAN_KEY", "OPENWEATHER_KEY", "OPEN_WEATHER_KEY", "VIRUS_TOTAL_KEY",
          "AIRFLOW__CORE__FERNET_KEY", "DEPLOYER_KEY", "WG_PRIVKEY", "WALLET_MNEMONIC",
          "SEED_PHRASE", "TWITTER_BEARER", "DISCORD_WEBHOOK", "SONAR_LOGIN", "YARN_NPM_AUTH_IDENT",
          "BUNDLE_GEMS__CONTRIBSYS__COM", "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
          "ANTHROPIC_CUSTOM_HEADERS"}) {
      CAPTURE(name);
      CHECK(shadow::sandbox::is_withheld(name));
    }
    for (const char* name : {"KEYMAP", "HOST_KEY", "SORT_KEY", "MANIFEST_KEY", "LS_COLORS",
                             "KERNEL_HEADERS", "BUNDLE_PATH", "BUNDLE_BUILD__NOKOGIRI",
                             "OTEL_EXPORTER_OTLP_ENDPOINT", "XDG_SESSION_TYPE"}) {
      CAPTURE(name);
      CHECK_FALSE(shadow::sandbox::is_withheld(name));
    }
  }

  TEST_CASE("what programs and tool calls need is passed") {
    for (const char* name : {"PATH",
                             "HOME",
                             "LANG",
                             "LC_ALL",
                             "TERM",
                             "OLDPWD",
                             "EDITOR",
                             "CC",
                             "CARGO_HOME",
                             "VIRTUAL_ENV",
                             "HTTP_PROXY",
                             "XDG_RUNTIME_DIR",
                             "LECTIC_INTERLOCUTOR",
                             "LECTIC_TOKEN",
                             "SHADOW_INTERLOCUTOR",
                             "query",
                             "token",
                             "password",
                             "api_key",
                             "GIT_AUTHOR_NAME",
                             "MONKEY",
                             "KEY_SIZE",
                             "CARGO_BUILD_KEY",
                             "PASSENGER_ROOT",
                             "npm_config_cache",
                             "AUTHOR",
                             "KEYBOARD",
                             "COMPASS",
                             "DATABASE_URL",
                             "NODE_OPTIONS",
                             "PYTHONPATH",
                             "TOKENIZERS_PARALLELISM"}) {
      CAPTURE(name);
      CHECK_FALSE(shadow::sandbox::is_withheld(name));
    }
  }

  TEST_CASE("a value with a password in an address is withheld whatever its name") {
    for (const char* value : {"postgres://u:pw@db.example.org/x",
                              "A=1 https://u:pw@h/x",
                              "redis://:pw@h:1",
                              "https://0123456789abcdef0123456789abcdef@sentry.example.org/1",
                              "http://u:p%40@[::1]:80",
                              "Server=h;User=u;Password=pw;",
                              "host=h password=pw dbname=x",
                              "https://h/x?access_token=abc",
                              "DefaultEndpointsProtocol=https;AccountKey=abc==",
                              "ghp_0123456789abcdefghijABCDEFGHIJ012345",
                              "sk-0123456789abcdefghijklm",
                              "AKIAIOSFODNN7EXAMPLE",
                              "-----BEGIN OPENSSH PRIVATE KEY-----\nabc",
                              "glrt-0123456789abcdefghij",
                              "Bearer 0123456789abcdefghij",
                              "Authorization: Basic dTpw",
                              "api-key=abc,team=x",
                              "https://hooks.slack.com/services/T0/B0/x",
                              "https://h.blob.core.windows.net/c?sv=1&sig=abc",
                              "otpauth://totp/x?secret=abc"}) {
      CAPTURE(value);
      CHECK(filtered({std::string{"HARMLESS="} + value}) == always);
      CHECK(filtered({std::string{"HTTP_PROXY="} + value}) == always);
      CHECK(filtered({std::string{"HARMLESS="} + value},
                     with_rule(EnvRule::Action::Pass, "HARMLESS")) ==
            with_always({std::string{"HARMLESS="} + value}));
    }
    for (const char* value :
         {"postgres://db.example.org/x", "ssh://git@h/x", "https://user@h/x", "git@h:x:y/z",
          "a:b@c", "http://h/@x:y@z", "http://user:@h", "password", "password=", "password=$x",
          "() {  curl https://u:pw@h; }", "sk-short", "/usr/share/sk-012345678901234567890",
          "ghp_0123 0123456789abcdefghij", "Basic Latin", "Authorization: $header",
          "https://hooks.slack.com/", "rs=0:di=01;34:*.tar=01;31"}) {
      CAPTURE(value);
      const std::string variable = std::string{"HARMLESS="} + value;
      CHECK(filtered({variable}) == with_always({variable}));
    }
    CHECK(filtered({"LECTIC_X=https://u:pw@h"}) == with_always({"LECTIC_X=https://u:pw@h"}));
  }

  TEST_CASE("all else comes through unchanged, whatever bytes it holds") {
    CHECK(filtered({"A=", "B=new\nline=\xff", "X_TOKEN=t", "broken", "=odd"}) ==
          with_always({"A=", "B=new\nline=\xff"}));
  }

  TEST_CASE("of two variables by one name the first one is taken") {
    CHECK(filtered({"A=1", "A=2"}) == with_always({"A=1"}));
  }

  TEST_CASE("the caller cannot pose as another session") {
    CHECK(filtered({"SHADOW_SESSION=x", "SHADOW_INTERLOCUTOR=y", "PWD=/elsewhere"}) == always);
  }

  TEST_CASE("rules pass, set and unset") {
    using Action = EnvRule::Action;
    CHECK(filtered({"X_TOKEN=t"}, with_rule(Action::Pass, "X_TOKEN")) ==
          with_always({"X_TOKEN=t"}));
    CHECK(filtered({"X_TOKEN=t", "Y_TOKEN=u"}, with_rule(Action::Pass, "X_*")) ==
          with_always({"X_TOKEN=t"}));
    CHECK(filtered({}, with_rule(Action::Pass, "ABSENT")) == always);
    CHECK(filtered({"A=1"}, with_rule(Action::Set, "A", "2=3")) == with_always({"A=2=3"}));
    CHECK(filtered({"A=1", "AB=2"}, with_rule(Action::Unset, "A*")) == always);
  }

  TEST_CASE("the later rule is the stronger one") {
    Policy policy = with_rule(EnvRule::Action::Unset, "*");
    policy.env.push_back({EnvRule::Action::Pass, "A", {}, Origin::CommandLine});
    CHECK(filtered({"A=1", "B=2"}, policy) == with_always({"A=1"}));
  }

  TEST_CASE("a cleared environment keeps five variables and what rules say") {
    Policy policy = with_rule(EnvRule::Action::Pass, "LC_*");
    policy.clear_env.value = true;
    CHECK(filtered({"PATH=/bin", "HOME=/h", "TERM=x", "LANG=C", "TZ=UTC", "USER=u", "LC_ALL=C"},
                   policy) ==
          with_always({"PATH=/bin", "HOME=/h", "TERM=x", "LANG=C", "TZ=UTC", "LC_ALL=C"}));
  }

  TEST_CASE("a temporary directory that the run cannot write is not passed") {
    CHECK(filtered({"TMPDIR=/tmp/user/1000", "TMP=/tmp", "TEMP=/p/tmp", "TEMPDIR=/pq"}) ==
          with_always({"TMP=/tmp", "TEMP=/p/tmp"}));
  }

  TEST_CASE("a person may take git's locks back") {
    const Policy policy = with_rule(EnvRule::Action::Set, "GIT_OPTIONAL_LOCKS", "1");
    const Variables result = filtered({}, policy);
    CHECK(std::count(result.begin(), result.end(), "GIT_OPTIONAL_LOCKS=1") == 1);
    CHECK(std::count(result.begin(), result.end(), "GIT_OPTIONAL_LOCKS=0") == 0);
  }
}
