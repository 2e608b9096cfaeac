// SPDX-License-Identifier: MIT
#include "sandbox/secrets/secret_tokens.hpp"

#include "base/ascii.hpp"
#include "sandbox/secrets/words.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace shadow::sandbox {
namespace {

// Beginnings of tokens that their providers mark. These and kForms: what gitleaks and trufflehog
// look for, without what only the name beside it tells.
constexpr std::string_view kMarks = R"(
AGE-SECRET-KEY- AIza AKIA ASIA SG. dckr_pat_ dop_v1_ doo_v1_ dp.pt. eyJ ghp_ gho_ ghu_ ghs_ ghr_
github_pat_ glpat- glsa_ gsk_ hf_ hvs. npm_ nvapi- pplx- pul- pypi- rk_live_ rubygems_ shpat_ sk-
sk_live_ sk_test_ sntrys_ tskey- whsec_ xai- xoxb- xoxp- xapp- xoxe- ya29. A3- ops_eyJ p8e- LTAI
AKCp cmVmd ATATT3 ATCTT3 ATBB dapi dnkey- dor_v1_ dckr_oat_ dp.st. dp.ct. dp.sa. dp.scim. dp.audit.
duffel_ dt0c01. EZAK EZTK FLWSECK fo1_ fm1r_ fm1a_ fm2_ FlyV1 fio-u- figd_ glcbt- gldt- glffct-
glft- glimt- glagent- gloas- glptt- GR1348941 glrt- glsoat- glc_ GOCSPX- HRKU- api_org_ lin_api_
lin_oauth_ lsv2_ ntn_ NRAK- NRII- NRJS- sha256~ pscale_ PMAK- pnu_ phx_ r8_ rdme_ sbp_ sb_secret_
tk-us- xkeysib- xsmtpsib- sntryu_ sm_aat_ sm_pat_ sm_sat_ shippo_ shpca_ shppa_ shpss_ sk_prod_
rk_test_ rk_prod_ sgp_ sq0atp- sq0csp- tfp_ tvly- hvb. hvr. AQVN xoxo- xoxs- xoxa- xoxr- apify_api_
csk- nfp_ LS0tLS1CRUdJTi ZXlK CLOJARS_ CFPAT- EAAA EAAC EAAM rzp_live_ pat-na1- pat-eu1-
access-production- access-development- access-sandbox- vercel_blob_rw_ wandb_v1_ CCIPAT_ AVNS_
)";

// Marks so short that only the whole form of the token tells it from a word.
enum class Signs : std::uint8_t { Hex, CapitalsAndDigits, Letters, Word };
struct Form {
  std::string_view mark;
  std::size_t least;  // signs behind the mark
  std::size_t most;
  Signs signs;
};
constexpr std::size_t kAny = std::string_view::npos;
constexpr auto kForms = std::to_array<Form>({
    {"ABIA", 16, 16, Signs::CapitalsAndDigits},
    {"ACCA", 16, 16, Signs::CapitalsAndDigits},
    {"A3T", 17, 17, Signs::CapitalsAndDigits},
    {"API-", 26, 26, Signs::CapitalsAndDigits},
    {"SK", 32, 32, Signs::Hex},
    {"ATTA", 64, kAny, Signs::Letters},
    {"4b1d", 38, 38, Signs::Letters},
    {"aio_", 28, 28, Signs::Letters},
    {"ico-", 32, 32, Signs::Letters},
    {"s.", 24, 24, Signs::Letters},
    {"pat.", 68, 68, Signs::Word},
    {"sat.", 68, 68, Signs::Word},
    {"v1.0-", 171, 171, Signs::Word},
    {"1//0", 30, kAny, Signs::Word},
    {"rnd_", 28, kAny, Signs::Letters},
    {"bkua_", 40, 40, Signs::Hex},
    {"fc-", 32, 32, Signs::Hex},
    {"re_", 33, 33, Signs::Word},
    {"vcp_", 24, kAny, Signs::Letters},
    {"napi_", 30, kAny, Signs::Letters},
});

constexpr std::string_view kDecimals = "0123456789";

bool is_decimal(char c) {
  return c >= '0' && c <= '9';
}

bool is_sign(Signs signs, char c) {
  switch (signs) {
    case Signs::Hex:
      return is_decimal(c) || (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'f');
    case Signs::CapitalsAndDigits:
      return is_decimal(c) || (c >= 'A' && c <= 'Z');
    case Signs::Letters:
      return is_decimal(c) || (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z');
    case Signs::Word:
      break;
  }
  return is_sign(Signs::Letters, c) || c == '_' || c == '-' || c == '.';
}

// A secret that Entra issues has its mark behind three random signs and a digit.
bool is_entra_secret(std::string_view token) {
  constexpr std::size_t kMark = 4;
  constexpr std::size_t kLeast = 37;
  constexpr std::size_t kMost = 40;
  return token.size() >= kLeast && token.size() <= kMost && is_decimal(token[kMark - 1]) &&
         token.substr(kMark, 2) == "Q~";
}

// The text from where a token begins.
bool has_form(std::string_view text) {
  return std::any_of(kForms.begin(), kForms.end(), [text](const Form& form) {
    if (!text.starts_with(form.mark)) {
      return false;
    }
    const std::string_view rest = text.substr(form.mark.size());
    const auto end = std::find_if_not(rest.begin(), rest.end(),
                                      [&form](char c) { return is_sign(form.signs, c); });
    const auto count = static_cast<std::size_t>(end - rest.begin());
    return count >= form.least && count <= form.most &&
           rest.substr(0, count).find_first_of(kDecimals) != std::string_view::npos &&
           (end == rest.end() || !is_sign(Signs::Word, *end));
  });
}

enum class Where : std::uint8_t { AtBeginning, Within };

bool is_marked_token(std::string_view token, Where where) {
  return is_entra_secret(token) || any_word(kMarks, [&](std::string_view mark) {
           // Words of a list that begin like one have no digit.
           return token.starts_with(mark) &&
                  (where == Where::AtBeginning ||
                   token.find_first_of(kDecimals, mark.size()) != std::string_view::npos);
         });
}

}  // namespace

bool holds_marked_token(std::string_view value) {
  constexpr std::size_t kShortest = 20;
  constexpr std::string_view kBefore = " \t\r\n\"'`:=,;|(<>[{&";
  constexpr std::string_view kBehind = " \t\r\n\"'`:,;|()<>[]{}&/\\@$";
  for (std::size_t at = 0; at + kShortest <= value.size();) {
    const std::string_view rest = value.substr(at);
    const std::size_t length = std::min(rest.find_first_of(kBehind), rest.size());
    const Where where = at == 0 ? Where::AtBeginning : Where::Within;
    if ((length >= kShortest && is_marked_token(rest.substr(0, length), where)) || has_form(rest)) {
      return true;
    }
    const std::size_t before = value.find_first_of(kBefore, at);
    if (before == std::string_view::npos) {
      return false;
    }
    at = before + 1;
  }
  return false;
}

bool holds_private_key(std::string_view value) {
  constexpr std::string_view kBegin = "-----BEGIN";
  constexpr std::size_t kLongestKind = 100;  // as gitleaks has it
  if (value.starts_with(kBegin)) {
    return true;
  }
  for (std::size_t at = value.find(kBegin); at != std::string_view::npos;
       at = value.find(kBegin, at + 1)) {
    const std::string_view kind = value.substr(at + kBegin.size(), kLongestKind);
    if (kind.substr(0, kind.find("-----")).find("PRIVATE KEY") != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace shadow::sandbox
