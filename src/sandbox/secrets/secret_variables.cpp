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
constexpr std::array kWords = std::to_array<std::string_view>(
    {"TOKEN",     "TOKENS",     "SECRET",        "SECRETS",     "PASSWORD",   "PASSWORDS",
     "PASSWD",    "PASSPHRASE", "CREDENTIAL",    "CREDENTIALS", "CREDS",      "APIKEY",
     "APIKEYS",   "AUTHKEY",    "ACCESSKEY",     "SECRETKEY",   "PRIVATEKEY", "PRIVKEY",
     "MASTERKEY", "SIGNINGKEY", "ENCRYPTIONKEY", "MNEMONIC"});

// Last components: elsewhere they say something else as well.
constexpr std::array kLastWords = std::to_array<std::string_view>(
    {"PASS", "PWD", "AUTH", "PAT", "COOKIE", "COOKIES", "DSN", "JWT", "PASSCODE", "OTP", "BEARER",
     "AUTHORIZATION", "WEBHOOK", "WEBHOOKS", "PASSKEY"});

// With KEY or KEYS behind them.
constexpr std::array kKeysOf = std::to_array<std::string_view>(
    {"API",          "ACCESS",   "SECRET",  "PRIVATE",  "SIGNING", "ENCRYPTION", "DECRYPTION",
     "MASTER",       "AUTH",     "DEPLOY",  "ACCOUNT",  "LICENSE", "STORAGE",    "SERVICE",
     "ADMIN",        "APP",      "SESSION", "SHARED",   "SSH",     "GPG",        "PGP",
     "HMAC",         "COOKIE",   "CLIENT",  "ROOT",     "INGEST",  "WRITE",      "DATA",
     "SUBSCRIPTION", "AES",      "CRYPTO",  "DEPLOYER", "FERNET",  "INSERT",     "INTEGRATION",
     "JWT",          "PERSONAL", "ROUTING", "RSA",      "SERVER",  "SIGNER",     "SSL",
     "TLS",          "WALLET",   "WEBHOOK"});

// Names before KEY that make it a secret: the providers that gitleaks and trufflehog look for,
// without those whose name is a plain word ("host", "column", "manifest").
constexpr std::string_view kProviders = R"(
ABLY ABUSEIPDB ABYSSALE ACCUWEATHER ADAFRUIT ADOBE ADZUNA AERISWEATHER AFTERSHIP AGORA AI21
AIRBRAKE AIRSHIP AIRTABLE AIRVISUAL AIVEN AKAMAI ALCHEMY ALEGRA ALGOLIA ALIBABA ALIENVAULT ALIYUN
ALLSPORTS ALPHAVANTAGE AMADEUS AMBEE AMPLITUDE ANTHROPIC ANYPOINT APIDECK APIFLASH APIFY APILAYER
APIMATIC APITEMPLATE APOLLO APPCUES APPFOLLOW APPTIVO ARTIFACTORY ASANA ASSEMBLYAI ATERA ATLASSIAN
AUDD AUTH0 AUTHRESS AUTODESK AUTOKLOSE AVALARA AVIATIONSTACK AXONAUT AYLIEN AYRSHARE BANNERBEAR
BAREMETRICS BASISTHEORY BEEBOLE BESTTIME BILLOMAT BINANCE BINTRAY BITBAR BITBUCKET BITFINEX BITGO
BITLY BITMEX BITTREX BLAZEMETER BLOCKNATIVE BOMBBOMB BORGBASE BRAINTREE BRANDFETCH BRAVE BREVO
BRIGHTLOCAL BROWSERSTACK BROWSHOT BSCSCAN BUDDYNS BUGHERD BUGSNAG BUILDKITE BULKSMS BUTTERCMS
CALENDARIFIC CALENDLY CAMPAYN CAPSULECRM CASHBOARD CASPIO CENSYS CEREBRAS CEXIO CHARTMOGUL CHECKLY
CHECKVIST CIRCLECI CLARIFAI CLAUDE CLEARBIT CLICKHELP CLICKHOUSE CLICKSEND CLICKUP CLOCKIFY
CLOJARS CLOUDANT CLOUDCONVERT CLOUDELEMENTS CLOUDFLARE CLOUDIMAGE CLOUDINARY CLOUDMERSIVE
CLOUDSIGHT CLOUDSMITH CLOUDWAYS CODACY CODECLIMATE CODECOV CODEMAGIC COHERE COINAPI COINBASE
COINGECKO COINLAYER COINLIB COINMARKETCAP COMETCHAT COMMERCEJS CONFLUENCE CONFLUENT CONTENTFUL
CONTENTSTACK CONVERTAPI CONVERTKIT COPYSCAPE COUCHBASE COUNTRYLAYER COVERALLS CROWDIN
CRYPTOCOMPARE CURRENCYCLOUD CURRENCYFREAKS CURRENCYLAYER CURRENTSAPI CUSTOMERIO DAILYCO DATABOX
DATABRICKS DATADOG DATAGOV DD DEBOUNCE DEEPAI DEEPGRAM DEEPL DEEPSEEK DEMIO DENO DETECTIFY
DETECTLANGUAGE DFUSE DIFFBOT DIGITALOCEAN DISCORD DISQUS DOCKER DOCKERHUB DOCPARSER DOCUSIGN
DOPPLER DOTMAILER DRONECI DROPBOX DUFFEL DWOLLA DYNADOT DYNALIST DYNATRACE EASYPOST EDAMAM EDENAI
ELASTIC ELASTICEMAIL ELEVENLABS EMAILOCTOPUS ENDORLABS EQUINIX ETHERSCAN ETHPLORER ETSY EVENTBRITE
EVERHOUR EVERSIGN EXA EXCHANGERATESAPI FACEBOOK FACEPLUSPLUS FASTFOREX FASTLY FASTSPRING FEEDLY
FIBERY FIGMA FILESTACK FINAGE FINICITY FINNHUB FIREBASE FIRECRAWL FIREWORKS FIXERIO FLAGSMITH
FLEETBASE FLICKR FLIGHTAPI FLIGHTLABS FLUTTERWAVE FLY FORMIO FORMSTACK FOURSQUARE FRAMEIO FREEMIUS
FRESHBOOKS FRESHDESK FULLCONTACT FULLSTORY FUSEBILL FXMARKET GCP GECKOBOARD GEMINI GENGO GEOAPIFY
GEOCODIFY GEOCODIO GEOIPIFY GETRESPONSE GITHUB GITLAB GITTER GLASSNODE GOCARDLESS GOOGLE GOSHIPPO
GOSQUARED GRAFANA GRAPHCMS GRAPHHOPPER GROQ GTMETRIX GUMROAD GYAZO HASHICORP HELICONE HELLOSIGN
HELPCRUNCH HELPSCOUT HEREAPI HEROKU HF HOLIDAYAPI HONEYBADGER HONEYCOMB HUBSPOT HUGGINGFACE
HYPERTRACK IBM ICONFINDER IEXCLOUD IMAGEKIT IMAGGA IMGIX IMGUR INFOBIP INFRACOST INFURA INSIGHTLY
INTERCOM INTRINIO INVOICEOCEAN IPAPI IPGEOLOCATION IPIFY IPINFO IPINFODB IPQUALITY IPSTACK JFROG
JINA JIRA JOTFORM JSONBIN JUMPCLOUD JUMPSELLER KAKAO KALEYRA KALTURA KEENIO KEYGEN KICKBOX KLAVIYO
KLIPFOLIO KONTENT KRAKEN KUCOIN LANGCHAIN LANGFUSE LANGSMITH LANGUAGELAYER LASTFM LAUNCHDARKLY
LEADFEEDER LEMLIST LINEAR LINENOTIFY LINKEDIN LINKPREVIEW LINODE LITELLM LIVEAGENT LLAMACLOUD
LOADMILL LOCATIONIQ LOGGLY LOGINRADIUS LOGZIO LOKALISE LOYVERSE LUNCHMONEY LUNO MAILBOXLAYER
MAILCHIMP MAILERLITE MAILERSEND MAILGUN MAILJET MAILMODO MAILSAC MANDRILL MAPBOX MAPQUEST MAPS
MARKETSTACK MATTERMOST MAXMIND MEDIASTACK MEISTERTASK MERAKI MESIBO MESSAGEBIRD METAAPI MINIMAX
MIRO MISTRAL MIXCLOUD MIXPANEL MOCKAROO MOLLIE MONKEYLEARN MOONCLERK MOONSHOT MOOSEND MORALIS
NASDAQ NEON NETLIFY NEUTRINOAPI NEWRELIC NEWSAPI NEWSCATCHER NEXMO NFTPORT NGC NGROK NICEHASH
NIGHTFALL NOMIC NORDIGEN NOTION NPM NUGET NUMVERIFY NUTRITIONIX NVIDIA NYLAS NYTIMES OANDA
OCRSPACE OKTA OMNISEND ONELOGIN ONESIGNAL OPENAI OPENCAGE OPENROUTER OPENUV OPENWEATHER
OPENWEATHERMAP OPSGENIE OPTIMIZELY OVH OWLBOT PACKAGECLOUD PADDLE PAGERDUTY PANDADOC PANDASCORE
PARSEHUB PARSEUR PASTEBIN PAYMONGO PAYPAL PAYSTACK PDFLAYER PDFSHIFT PENDO PEPIPOST PERCY
PERPLEXITY PEXELS PINATA PINECONE PIPEDREAM PIPEDRIVE PIVOTALTRACKER PIXABAY PLAID PLANETSCALE
PLIVO PODIO POLONIEX PORTKEY POSITIONSTACK POSTAGEAPP POSTHOG POSTMAN POSTMARK POWRBOT PREFECT
PRIVATEAI PROSPECTCRM PROXYCRAWL PUBNUB PULUMI PUSHBULLET PUSHER PUSHOVER PYPI QASE QDRANT
QUICKBASE RAPIDAPI RAYGUN RAZORPAY REBRANDLY RECAPTCHA RELIC REPLICATE RESEND RESTPACK RETELL
RINGCENTRAL RIOTGAMES ROBOFLOW ROCKSET ROLLBAR ROOTLY ROUTE4ME RUBYGEMS RUNPOD RUNWAY SALESBLINK
SALESFLARE SALESFORCE SALESMATE SAMBANOVA SAMSARA SAUCE SAUCELABS SCALEWAY SCALINGO SCALR
SCRAPEOWL SCRAPERAPI SCRAPFLY SCRAPINGANT SCRAPINGBEE SCRAPINGDOG SCREENSHOTAPI SCREENSHOTLAYER
SECURITYTRAILS SEGMENT SELLFY SENDBIRD SENDGRID SENDINBLUE SENTRY SERPAPI SERPER SERPSTACK SHODAN
SHOPIFY SHOTSTACK SHUTTERSTOCK SIGNALWIRE SIGOPT SIMFIN SINCH SKYBIOMETRY SLACK SMARTSHEET
SMARTYSTREETS SMOOCH SMSAPI SNIPCART SNYK SONAR SONARCLOUD SOURCEGRAPH SPARKPOST SPEECHMATICS
SPLUNK SPOONACULAR SPORTRADAR SPOTIFY SQUARE SQUARESPACE SQUAREUP SSLMATE STABILITY STATUSCAKE
STATUSPAGE STORMGLASS STORYBLOK STRAVA STREAMCHAT STRIPE STYTCH SUMOLOGIC SUPABASE SURVEYMONKEY
SURVEYSPARROW SWIFTYPE TALLYFY TATUM TAVILY TAXJAR TEAMVIEWER TEAMWORK TELEGRAM TELESIGN TELNYX
TENCENT TENCENTCLOUD TEXTMAGIC THOUSANDEYES TICKETMASTER TIINGO TIMEZONEAPI TOGETHER TOGGL
TOMORROWIO TOMTOM TRADIER TRANSFERWISE TRAVIS TRAVISCI TRELLO TRIPADVISOR TWELVEDATA TWILIO TWITCH
TWITTER TYPEFORM TYPESENSE UBIDOTS UNIFYID UNSPLASH UPCDATABASE UPLEAD UPLOADCARE UPSTASH
UPTIMEROBOT URLSCAN USERSTACK VATLAYER VBOUT VERCEL VERIPHONE VIRUSTOTAL VISUALCROSSING VOICEGAIN
VOLCENGINE VONAGE VOYAGE VPNAPI VULTR WAKATIME WALKSCORE WANDB WEATHERBIT WEATHERSTACK WEAVIATE
WEBEX WEBFLOW WEBSCRAPER WECHAT WEPAY WHOXY WISTIA WORDSAPI WORLDCOININDEX WORLDWEATHER WPENGINE
WRIKE XAI XRAY YANDEX YELP YOUTUBE ZAPIER ZENDESK ZENROWS ZENSCRAPE ZENSERP ZEPLIN ZEROBOUNCE
ZHIPU ZIPCODEAPI ZIPCODEBASE ZULIP ZUPLO
)";

// Beginnings of tokens that their providers mark.
constexpr std::string_view kMarks = R"(
-----BEGIN AGE-SECRET-KEY- AIza AKIA ASIA SG. dckr_pat_ dop_v1_ doo_v1_ dp.pt. eyJ ghp_ gho_ ghu_
ghs_ ghr_ github_pat_ glpat- glsa_ gsk_ hf_ hvs. npm_ nvapi- pplx- pul- pypi- rk_live_ rubygems_
shpat_ sk- sk_live_ sk_test_ sntrys_ tskey- whsec_ xai- xoxb- xoxp- xapp- xoxe- ya29. A3- ops_eyJ
p8e- LTAI AKCp cmVmd ATATT3 ATCTT3 ATBB dapi dnkey- dor_v1_ dckr_oat_ dp.st. dp.ct. dp.sa.
dp.scim. dp.audit. duffel_ dt0c01. EZAK EZTK FLWSECK fo1_ fm1r_ fm1a_ fm2_ FlyV1 fio-u- figd_
glcbt- gldt- glffct- glft- glimt- glagent- gloas- glptt- GR1348941 glrt- glsoat- glc_ GOCSPX-
HRKU- api_org_ lin_api_ lin_oauth_ lsv2_ ntn_ NRAK- NRII- NRJS- sha256~ pscale_ PMAK- pnu_ phx_
r8_ rdme_ sbp_ sb_secret_ tk-us- xkeysib- xsmtpsib- sntryu_ sm_aat_ sm_pat_ sm_sat_ shippo_ shpca_
shppa_ shpss_ sk_prod_ rk_test_ rk_prod_ sgp_ sq0atp- sq0csp- tfp_ tvly- hvb. hvr. AQVN xoxo-
xoxs- xoxa- xoxr- apify_api_ csk- nfp_ LS0tLS1CRUdJTi ZXlK
)";

// Settings in connection strings and queries.
constexpr std::array kSettings = std::to_array<std::string_view>(
    {"password=", "passwd=", "pwd=", "accountkey=", "api_key=", "api-key=", "apikey=",
     "sharedaccesskey=", "token=", "secret=", "authorization=", "&sig=", "x-amz-signature=",
     "x-goog-signature=", "_gitlab_session="});

// Headers, as git, curl and exporters of telemetry take them.
constexpr std::array<std::string_view, 3> kHeaders = {
    "authorization: ", "x-api-key: ", "private-token: "};

// Whoever knows such an address may write there.
constexpr std::array<std::string_view, 5> kHooks = {
    "hooks.slack.com/", "discord.com/api/webhooks/", "discordapp.com/api/webhooks/",
    "webhook.office.com/", "hooks.zapier.com/hooks/"};

// A name of bundler's whose setting is the login at a host: BUNDLE_GEMS__EXAMPLE__COM.
constexpr std::array<std::string_view, 8> kHostEnds = {"__COM", "__ORG", "__NET", "__IO",
                                                       "__DEV", "__EU",  "__APP", "__CLOUD"};

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

// True if the predicate holds for any of the words between blanks and ends of lines.
template <class Predicate>
bool any_word(std::string_view list, const Predicate& is) {
  for (std::size_t at = list.find_first_not_of(" \n"); at != std::string_view::npos;
       at = list.find_first_not_of(" \n", at)) {
    const std::size_t end = std::min(list.find_first_of(" \n", at), list.size());
    if (is(list.substr(at, end - at))) {
      return true;
    }
    at = end;
  }
  return false;
}

bool is_provider(std::string_view word) {
  return any_word(kProviders, [word](std::string_view provider) { return provider == word; });
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
  if (parts.size() < 2 || !is_key(parts.back())) {
    return false;
  }
  // Some are written as one word and as two: OPENWEATHER_KEY, OPEN_WEATHER_KEY.
  std::string_view before;
  return std::any_of(parts.begin(), parts.end() - 1, [&before](std::string_view part) {
    const std::string both = std::string{before}.append(part);
    before = part;
    return is_provider(part) || is_provider(both);
  });
}

// Logins of which the name has no such word.
bool is_named_login(std::string_view capitals) {
  const auto ends = [capitals](std::string_view ending) { return capitals.ends_with(ending); };
  return ends("WEBHOOK_URL") || ends("WEBHOOK_URLS") || ends("SONAR_LOGIN") ||
         ends("SEED_PHRASE") || ends("CUSTOM_HEADERS") || ends("EXTRAHEADER") ||
         capitals.find("NPM_AUTH") != std::string_view::npos ||
         (capitals.starts_with("OTEL_EXPORTER_OTLP_") && ends("HEADERS")) ||
         (capitals.starts_with("NPM_CONFIG_") && capitals.find("AUTH") != std::string_view::npos) ||
         (capitals.starts_with("BUNDLE_") && !capitals.starts_with("BUNDLE_MIRROR__") &&
          std::any_of(kHostEnds.begin(), kHostEnds.end(), ends));
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

bool holds_header_of_login(std::string_view value) {
  constexpr std::size_t kShortest = 20;
  const std::string small = lower_ascii(value);
  const bool scheme = small.starts_with("bearer ") || small.starts_with("basic ");
  return (scheme && small.size() >= kShortest && small.find(' ') == small.rfind(' ')) ||
         std::any_of(kHeaders.begin(), kHeaders.end(), [&small](std::string_view header) {
           const std::size_t at = small.find(header);
           return at != std::string::npos && at + header.size() < small.size() &&
                  small[at + header.size()] != '$';
         });
}

bool holds_webhook(std::string_view value) {
  return std::any_of(kHooks.begin(), kHooks.end(), [value](std::string_view hook) {
    const std::size_t at = value.find(hook);
    return at != std::string_view::npos && at + hook.size() < value.size();
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
  if (is_named_login(capitals)) {
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
  const bool marked =
      value.size() >= kShortest && value.find_first_of(" \t/") >= kShortest &&
      any_word(kMarks, [value](std::string_view mark) { return value.starts_with(mark); });
  return marked || value.starts_with("-----BEGIN") || holds_address_with_password(value) ||
         holds_setting_of_password(value) || holds_header_of_login(value) || holds_webhook(value);
}

}  // namespace shadow::sandbox
