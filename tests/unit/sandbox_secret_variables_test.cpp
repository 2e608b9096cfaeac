// SPDX-License-Identifier: MIT
#include "sandbox/secrets/secret_variables.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using shadow::sandbox::is_secret_value;
using shadow::sandbox::is_secret_variable;

namespace {

const std::vector<std::string> kSecretNames = {"MAX_TOKEN",
                                               "MIN_API_TOKEN",
                                               "GITHUB_TOKENS",
                                               "npm_config__auth",
                                               "npm_config_authtoken",
                                               "TOKEN_LIMITED_KEY",
                                               "TOKEN2",
                                               "PASSWORD1",
                                               "PASSWD2",
                                               "SECRETKEY1",
                                               "OPENAI_KEY_2",
                                               "KEY_OPENAI",
                                               "KEY_OPEN_AI_2",
                                               "DB_PASS_PROD",
                                               "GH_PAT_WORK",
                                               "CI_JOB_JWT_V2",
                                               "CRED",
                                               "GITHUB_CRED",
                                               "DB_PW",
                                               "SMTP_PW",
                                               "ROOT_PW",
                                               "LDAP_BIND_PW",
                                               "DB_PW_OLD",
                                               "PASS_2",
                                               "AUTH_TEST",
                                               "APPLICATION_KEY",
                                               "CONSUMER_KEY",
                                               "SECRET_KEY2",
                                               "OTP_SEED",
                                               "FASTLANE_SESSION",
                                               "BORG_PASSCOMMAND",
                                               "MY_TOTP",
                                               "DSN_STAGING",
                                               "STRIPE_KEY_B64",
                                               "SESSION_COOKIE_VALUE",
                                               "B2_APPLICATION_KEY",
                                               "KAGGLE_KEY",
                                               "SOPS_AGE_KEY",
                                               "GMAIL_OAUTH",
                                               "LDAP_BINDPW",
                                               "ROOTPW",
                                               "PGPASS",
                                               "SMTPPASS_PROD",
                                               "WG_PRIV_KEY",
                                               "QINIU_SK",
                                               "DJANGO_KEY",
                                               "WIREGUARD_KEY"};

const std::vector<std::string> kPlainNames = {"PATH",
                                              "MAX_TOKENS",
                                              "MAX_THINKING_TOKENS",
                                              "CLAUDE_CODE_MAX_OUTPUT_TOKENS",
                                              "TOKEN_LIMIT",
                                              "TOKENS_PER_MINUTE",
                                              "npm_config_init_author_name",
                                              "PACKAGE_KEY",
                                              "OAUTH_REDIRECT",
                                              "KEYBOARD",
                                              "XDG_SESSION_ID",
                                              "PWD",
                                              "OLDPWD",
                                              "AUTHOR_2",
                                              "MONKEY2",
                                              "KEY_2",
                                              "PW_TEST",
                                              "PW",
                                              "PYTHON_SEED",
                                              "RANDOM_SEED",
                                              "GIT_AUTHOR_NAME",
                                              "XDG_SESSION_DESKTOP",
                                              "DESKTOP_SESSION",
                                              "GDMSESSION",
                                              "VIRTUAL_ENV",
                                              "NODE_ENV",
                                              "APP_ENV_PROD",
                                              "COMPASS_TEST",
                                              "KEY_DEFAULT",
                                              "HOST_KEY_2",
                                              "V2",
                                              "CI",
                                              "TOKENIZERS_PARALLELISM",
                                              "password1",
                                              "token2",
                                              "pw",
                                              "PASSENGER_2",
                                              "SEED",
                                              "SHLVL",
                                              "COLORTERM",
                                              "LS_COLORS",
                                              "LESSOPEN",
                                              "INVOCATION_ID",
                                              "GTK_MODULES",
                                              "SSH_ASKPASS",
                                              "GIT_ASKPASS",
                                              "PROXY_BYPASS",
                                              "COMPASS",
                                              "SK",
                                              "PRIV"};

const std::string hex32 = "0123456789abcdef0123456789abcdef";
const std::string capitals16 = "Z2MNBVCXLKJHGFD3";

const std::vector<std::string> kSecretValues = {
    R"({"type":"service_account","private_key":"-----BEGIN PRIVATE KEY-----\nMII"})",
    " -----BEGIN RSA PRIVATE KEY-----\nabc",
    "x -----BEGIN PGP PRIVATE KEY BLOCK-----",
    "https://user:pa/ss@host/",
    "https://u:p@ss/w@h/",
    "jdbc:oracle:thin:scott/tiger@//h:1521/s",
    "user:pass@host:5432",
    "user:pass@host:5432/db",
    "https://api.telegram.org/bot123456:AAF/",
    R"({"endpointCredentials":[{"password":"p"}]})",
    R"({"auths":{"r":{"auth":"dTpw"}}})",
    R"([{"a":1,"clientSecret" : "x"}])",
    R"({"a":"{\"api_key\":\"p\"}"})",
    "token ghp_0123456789abcdefghijABCDEFGHIJ012345",
    "foo:ghp_0123456789abcdefghijABCDEFGHIJ012345",
    "\"ghp_0123456789abcdefghijABCDEFGHIJ012345\"",
    "--header=x,ghp_0123456789abcdefghijABCDEFGHIJ012345",
    "X-Auth-Token: abcdefgh",
    "-H X-Api-Key:abcdefgh",
    "Accept: x\nCF-Access-Client-Secret: abcdefgh",
    "ABIA" + capitals16,
    "id=ACCA" + capitals16,
    "A3TX" + capitals16,
    "CLOJARS_" + hex32,
    "EAAA" + hex32,
    "EAAM" + hex32,
    "ico-" + hex32,
    "CFPAT-" + hex32,
    "rzp_live_Ab3dEf6hIj9kLm",
    "ATTA" + hex32 + hex32,
    "pat-na1-01234567-89ab-cdef-0123-456789abcdef",
    "aio_" + hex32.substr(4),
    "1//0" + hex32,
    "access-production-01234567-89ab-cdef-0123-456789abcdef",
    "API-" + capitals16 + "ABCDE12345",
    "SK" + hex32,
    "pat." + hex32.substr(10) + "." + hex32.substr(8) + "." + hex32.substr(12),
    "ab38Q~" + hex32,
    "mysql -u root -psecret app",
    "/usr/bin/mysqldump '-psecret' app",
    "curl -s -u user:pass https://h/",
    "curl --user=user:pass https://h/",
    "curl -uuser:pass https://h/",
    "Basic dTpw",
    "Proxy-Authorization=basic dXNlcjpwYXNz"};

const std::vector<std::string> kPlainValues = {
    "see -----BEGIN CERTIFICATE-----",
    "http://host:8080/a@b",
    "git+ssh://git.example.org:group/repo.git@v1",
    "nginx:1.27@sha256:" + hex32 + hex32,
    "npm:left-pad@1.2.3",
    "a:b@c",
    "host:5432",
    "jdbc:oracle:thin:@//h:1521/s",
    "https://api.telegram.org/",
    R"({"locale":"de","keyboard":"us","tokens":12,"password":""})",
    R"({"password":"$PASSWORD"})",
    R"({"author":"x","path":"/a"})",
    "/opt/x-auth:/usr/lib/x-token:/bin",
    "registry/my-auth:v1.2.3-alpha",
    "X-Auth-Token: $token",
    "no-sk-learn sk-learn-contrib-package-name",
    "/home/u/ghp_0123456789abcdefghijABCDEFGHIJ012345",
    "API-REFERENCE-OF-THE-LIBRARY",
    "s.abcdefghijklmnopqrstuvwx",
    "SKELETON",
    "pat.ch",
    "ico-set",
    "EAAA",
    "1//0",
    "rs=0:di=01;34:ln=01;36:*.tar=01;31",
    "-fno-plt -march=native sk-",
    "unix:path=/run/user/1000/bus",
    "mysql -p app",
    "mysql -u root -p$PW app",
    "mysql -P3306 app",
    "ssh -p2222 host",
    "mkdir -pv /opt/mysql",
    "docker run mysql:8 -p3306:3306",
    "curl -u user https://h/",
    "curl -u user:$PASS https://h/",
    "sort -u a:b",
    "Basic auth: dTpw",
    "Basic settings",
    "visualbasic dTpw",
    "basic"};

}  // namespace

TEST_SUITE("sandbox/secret_variables") {
  TEST_CASE("a number or a word behind the name of a secret says only which one it is") {
    for (const std::string& name : kSecretNames) {
      CAPTURE(name);
      CHECK(is_secret_variable(name));
    }
    for (const std::string& name : kPlainNames) {
      CAPTURE(name);
      CHECK_FALSE(is_secret_variable(name));
    }
  }

  TEST_CASE("a secret that is a part of the value is one") {
    for (const std::string& value : kSecretValues) {
      CAPTURE(value);
      CHECK(is_secret_value(value));
    }
    for (const std::string& value : kPlainValues) {
      CAPTURE(value);
      CHECK_FALSE(is_secret_value(value));
    }
  }
}
