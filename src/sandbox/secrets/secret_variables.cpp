// SPDX-License-Identifier: MIT
#include "sandbox/secrets/secret_variables.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace shadow::sandbox {
namespace {

// Ends of a component of the name ("PG" + "PASSWORD"), whichever component it is.
constexpr std::array<std::string_view, 13> kWords = {
    "TOKEN",      "TOKENS",     "SECRET",      "SECRETS", "PASSWORD", "PASSWORDS", "PASSWD",
    "PASSPHRASE", "CREDENTIAL", "CREDENTIALS", "CREDS",   "APIKEY",   "APIKEYS"};

// Last components: elsewhere they say something else as well.
constexpr std::array<std::string_view, 10> kLastWords = {
    "PASS", "PWD", "AUTH", "PAT", "COOKIE", "COOKIES", "DSN", "JWT", "PASSCODE", "OTP"};

// With KEY or KEYS behind them.
constexpr std::array<std::string_view, 29> kKeysOf = {
    "API",     "ACCESS", "SECRET",  "PRIVATE", "SIGNING",     "ENCRYPTION", "DECRYPTION", "MASTER",
    "AUTH",    "DEPLOY", "ACCOUNT", "LICENSE", "STORAGE",     "SERVICE",    "ADMIN",      "APP",
    "SESSION", "SHARED", "SSH",     "GPG",     "PGP",         "HMAC",       "COOKIE",     "CLIENT",
    "ROOT",    "INGEST", "WRITE",   "DATA",    "SUBSCRIPTION"};

// Whose KEY it is, where the name says no more: the providers of the published lists of leaks.
constexpr std::array kProviders = std::to_array<std::string_view>(
    {"ABLY",       "ADAFRUIT",     "AI21",       "AIRTABLE",    "ALCHEMY",   "ALGOLIA",
     "AMPLITUDE",  "ANTHROPIC",    "ASANA",      "ASSEMBLYAI",  "ATLASSIAN", "AUTH0",
     "BINANCE",    "BITBUCKET",    "BRAINTREE",  "BRAVE",       "BUGSNAG",   "CEREBRAS",
     "CIRCLECI",   "CLAUDE",       "CLOUDFLARE", "CODECOV",     "COHERE",    "COINBASE",
     "CONFLUENT",  "CONTENTFUL",   "DATABRICKS", "DATADOG",     "DD",        "DEEPGRAM",
     "DEEPSEEK",   "DIGITALOCEAN", "DISCORD",    "DOCKER",      "DOPPLER",   "DROPBOX",
     "DYNATRACE",  "ELASTIC",      "ELEVENLABS", "ETHERSCAN",   "EXA",       "FASTLY",
     "FIREBASE",   "FIREWORKS",    "FLY",        "GCP",         "GEMINI",    "GITHUB",
     "GITLAB",     "GOOGLE",       "GRAFANA",    "GROQ",        "HASHICORP", "HEROKU",
     "HF",         "HONEYCOMB",    "HUBSPOT",    "HUGGINGFACE", "INFURA",    "INTERCOM",
     "JFROG",      "JINA",         "JIRA",       "KRAKEN",      "LANGCHAIN", "LANGFUSE",
     "LANGSMITH",  "LAUNCHDARKLY", "LINEAR",     "LINODE",      "MAILCHIMP", "MAILGUN",
     "MAPBOX",     "MAPS",         "MISTRAL",    "NETLIFY",     "NEWRELIC",  "NGROK",
     "NOTION",     "NPM",          "NUGET",      "NVIDIA",      "OKTA",      "OPENAI",
     "OPENROUTER", "PAYPAL",       "PERPLEXITY", "PINECONE",    "PLAID",     "POSTHOG",
     "POSTMARK",   "PULUMI",       "PYPI",       "QDRANT",      "RELIC",     "REPLICATE",
     "ROLLBAR",    "RUBYGEMS",     "SEGMENT",    "SENDGRID",    "SENTRY",    "SERPAPI",
     "SERPER",     "SHOPIFY",      "SLACK",      "SNYK",        "SONAR",     "SQUARE",
     "STRIPE",     "SUPABASE",     "TAVILY",     "TELEGRAM",    "TOGETHER",  "TWILIO",
     "TWITTER",    "UPSTASH",      "VERCEL",     "VOYAGE",      "VULTR",     "WANDB",
     "WEAVIATE",   "XAI",          "YANDEX",     "ZENDESK"});

// How tokens begin whose providers mark them.
constexpr std::array kMarks = std::to_array<std::string_view>({"-----BEGIN",  "AGE-SECRET-KEY-",
                                                               "AIza",        "AKIA",
                                                               "ASIA",        "SG.",
                                                               "dckr_pat_",   "dop_v1_",
                                                               "doo_v1_",     "dp.pt.",
                                                               "eyJ",         "ghp_",
                                                               "gho_",        "ghu_",
                                                               "ghs_",        "ghr_",
                                                               "github_pat_", "glpat-",
                                                               "glsa_",       "gsk_",
                                                               "hf_",         "hvs.",
                                                               "npm_",        "nvapi-",
                                                               "pplx-",       "pul-",
                                                               "pypi-",       "rk_live_",
                                                               "rubygems_",   "shpat_",
                                                               "sk-",         "sk_live_",
                                                               "sk_test_",    "sntrys_",
                                                               "tskey-",      "whsec_",
                                                               "xai-",        "xoxb-",
                                                               "xoxp-",       "xapp-",
                                                               "xoxe-",       "ya29."});

// Of connection strings and queries.
constexpr std::array<std::string_view, 8> kSettings = {
    "password=", "passwd=",          "pwd=",          "accountkey=",
    "api_key=",  "sharedaccesskey=", "access_token=", "client_secret="};

template <class List>
bool contains(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::vector<std::string_view> components_of(std::string_view name) {
  std::vector<std::string_view> parts;
  while (!name.empty()) {
    const std::size_t end = std::min(name.find_first_of("_-.:/"), name.size());
    if (end > 0) {
      parts.push_back(name.substr(0, end));
    }
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return parts;
}

bool is_key(std::string_view part) {
  return part == "KEY" || part == "KEYS";
}

bool names_key(const std::vector<std::string_view>& parts) {
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (is_key(parts[i]) && contains(kKeysOf, parts[i - 1])) {
      return true;
    }
  }
  return parts.size() > 1 && is_key(parts.back()) &&
         std::any_of(parts.begin(), parts.end(),
                     [](std::string_view part) { return contains(kProviders, part); });
}

bool is_word_alone(std::string_view name, const std::vector<std::string_view>& parts) {
  const bool small =
      std::none_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  return small &&
         (parts.size() == 1
              ? contains(kWords, parts.front()) || contains(kLastWords, parts.front())
              : parts.size() == 2 && is_key(parts.back()) && contains(kKeysOf, parts.front()));
}

// "user:word" between "://" and "@"; of the web also a long name alone, which is a token.
bool has_password(std::string_view address) {
  const std::string_view rest =
      address.substr(0, std::min(address.find_first_of("/?# \t\n\"'"), address.size()));
  const std::size_t at = rest.rfind('@');
  if (at == std::string_view::npos) {
    return false;
  }
  constexpr std::size_t kToken = 20;
  const std::string_view user = rest.substr(0, at);
  const std::size_t colon = user.find(':');
  return colon == std::string_view::npos ? user.size() >= kToken : colon + 1 < user.size();
}

bool holds_address_with_password(std::string_view value) {
  constexpr std::string_view kMark = "://";
  for (std::size_t at = value.find(kMark); at != std::string_view::npos;
       at = value.find(kMark, at + 1)) {
    if (has_password(value.substr(at + kMark.size()))) {
      return true;
    }
  }
  return false;
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

}  // namespace

bool is_secret_variable(std::string_view name) {
  std::string capitals{name};
  std::transform(capitals.begin(), capitals.end(), capitals.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  const std::vector<std::string_view> parts = components_of(capitals);
  if (parts.empty() || is_word_alone(name, parts) || name == "PWD") {
    return false;
  }
  if (capitals.ends_with("WEBHOOK_URL") ||
      (capitals.starts_with("NPM_CONFIG_") && capitals.find("AUTH") != std::string::npos)) {
    return true;
  }
  const bool by_word = std::any_of(parts.begin(), parts.end(), [](std::string_view part) {
    return std::any_of(kWords.begin(), kWords.end(),
                       [part](std::string_view word) { return part.ends_with(word); });
  });
  return by_word || contains(kLastWords, parts.back()) || names_key(parts);
}

bool is_secret_value(std::string_view value) {
  constexpr std::size_t kShortest = 20;  // of a marked token
  if (value.starts_with("() {")) {
    return false;  // a function of bash
  }
  const bool marked = value.size() >= kShortest && value.find_first_of(" \t/") >= kShortest &&
                      std::any_of(kMarks.begin(), kMarks.end(), [value](std::string_view mark) {
                        return value.starts_with(mark);
                      });
  return marked || value.starts_with("-----BEGIN") || holds_address_with_password(value) ||
         holds_setting_of_password(value);
}

}  // namespace shadow::sandbox
