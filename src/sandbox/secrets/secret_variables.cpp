// SPDX-License-Identifier: MIT
#include "sandbox/secrets/secret_variables.hpp"

#include "base/ascii.hpp"
#include "sandbox/secrets/words.hpp"

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
     "MASTERKEY", "SIGNINGKEY", "ENCRYPTIONKEY", "MNEMONIC",    "SSHKEY",     "SIGNKEY",
     "ENCKEY",    "CRYPTKEY"});

// Last components: elsewhere they say something else as well.
constexpr std::array kLastWords = std::to_array<std::string_view>(
    {"PASS",     "PWD",   "AUTH",   "PAT",           "COOKIE",  "COOKIES",  "DSN",     "JWT",
     "PASSCODE", "OTP",   "BEARER", "AUTHORIZATION", "WEBHOOK", "WEBHOOKS", "PASSKEY", "CRED",
     "TOTP",     "OAUTH", "PSW",    "PSWD",          "PASSW",   "PASSWRD",  "USERPWD"});

// Behind another component only.
constexpr std::array kLastOfSeveral = std::to_array<std::string_view>({"PW", "SK", "PATS"});

// Ends of the last component: LDAP_BINDPW, PGPASS. But for words that end so and say something
// else.
constexpr std::array kLastEnds = std::to_array<std::string_view>({"PASS", "PW"});
constexpr std::array kOtherEnds = std::to_array<std::string_view>(
    {"BYPASS", "COMPASS", "ENCOMPASS", "TRESPASS", "SURPASS", "OVERPASS", "UNDERPASS", "ASKPASS",
     "LOWPASS", "HIGHPASS", "BANDPASS", "ALLPASS", "MULTIPASS", "SINGLEPASS", "ONEPASS",
     "TWOPASS"});

// Which one of several secrets it is, or how it is written: DB_PASS_PROD, CI_JOB_JWT_V2.
constexpr std::array kQualifiers = std::to_array<std::string_view>(
    {"PROD",    "PRODUCTION", "STAGING",  "STAGE",   "DEV",     "DEVELOPMENT", "TEST",
     "TESTING", "QA",         "UAT",      "SANDBOX", "LIVE",    "LOCAL",       "OLD",
     "NEW",     "WORK",       "PERSONAL", "MAIN",    "DEFAULT", "PRIMARY",     "SECONDARY",
     "BACKUP",  "VALUE",      "BASE64",   "B64",     "PREVIEW", "RO",          "RW"});

// With KEY or KEYS behind them.
constexpr std::array kKeysOf = std::to_array<std::string_view>(
    {"API",          "ACCESS",  "SECRET",    "PRIVATE",  "SIGNING",     "ENCRYPTION", "DECRYPTION",
     "MASTER",       "AUTH",    "DEPLOY",    "ACCOUNT",  "LICENSE",     "STORAGE",    "SERVICE",
     "ADMIN",        "APP",     "SESSION",   "SHARED",   "SSH",         "GPG",        "PGP",
     "HMAC",         "COOKIE",  "CLIENT",    "ROOT",     "INGEST",      "WRITE",      "DATA",
     "SUBSCRIPTION", "AES",     "CRYPTO",    "DEPLOYER", "FERNET",      "INSERT",     "INTEGRATION",
     "JWT",          "AGE",     "PERSONAL",  "ROUTING",  "RSA",         "SERVER",     "SIGNER",
     "SSL",          "TLS",     "WALLET",    "WEBHOOK",  "APPLICATION", "CONSUMER",   "PRIV",
     "DJANGO",       "FLASK",   "WIREGUARD", "WG",       "SIGN",        "ENC",        "ENCRYPT",
     "CRYPT",        "DECRYPT", "HASH",      "SECURITY"});

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
JINA JIRA JOTFORM JSONBIN JUMPCLOUD JUMPSELLER KAGGLE
KAKAO KALEYRA KALTURA KEENIO KEYGEN KICKBOX KLAVIYO
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

bool is_provider(std::string_view word) {
  return any_word(kProviders, [word](std::string_view provider) { return provider == word; });
}

std::string_view without_number(std::string_view part) {
  return part.substr(0, part.find_last_not_of("0123456789") + 1);
}

// A number or version, or a word that only says which of several it is.
bool is_qualifier(std::string_view part) {
  const std::string_view rest = without_number(part);
  return rest.empty() || (rest == "V" && rest.size() < part.size()) ||
         contains(kQualifiers, part) || contains(kQualifiers, rest);
}

bool is_key(std::string_view part) {
  return without_number(part) == "KEY" || part == "KEYS";
}

bool ends_as_password(std::string_view last) {
  return !contains(kOtherEnds, last) &&
         std::any_of(kLastEnds.begin(), kLastEnds.end(), [last](std::string_view end) {
           return last.size() > end.size() && last.ends_with(end);
         });
}

// Without qualifiers at the end.
bool names_key(const std::vector<std::string_view>& parts) {
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (is_key(parts[i]) && contains(kKeysOf, parts[i - 1])) {
      return true;
    }
  }
  if (parts.size() < 2) {
    return false;
  }
  if (is_key(parts.front())) {
    return is_provider(parts[1]) ||
           (parts.size() > 2 && is_provider(std::string{parts[1]}.append(parts[2])));
  }
  if (!is_key(parts.back())) {
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
         ends("SEED_PHRASE") || ends("OTP_SEED") || ends("WALLET_SEED") || ends("PASSCOMMAND") ||
         ends("CARD_PIN") || ends("YUBIKEY_PIN") || ends("PIV_PIN") || ends("HSM_PIN") ||
         ends("PKCS11_PIN") || ends("SUPABASE_SERVICE_ROLE") || ends("FASTLANE_SESSION") ||
         ends("CUSTOM_HEADERS") || ends("EXTRAHEADER") ||
         capitals.find("NPM_AUTH") != std::string_view::npos ||
         (capitals.starts_with("OTEL_EXPORTER_OTLP_") && ends("HEADERS")) ||
         (capitals.starts_with("NPM_CONFIG_") && capitals.find("AUTH") != std::string_view::npos &&
          capitals.find("AUTHOR") == std::string_view::npos) ||
         (capitals.starts_with("BUNDLE_") && !capitals.starts_with("BUNDLE_MIRROR__") &&
          std::any_of(kHostEnds.begin(), kHostEnds.end(), ends));
}

// How many a model may read or write: MAX_OUTPUT_TOKENS, TOKEN_LIMIT.
bool counts_tokens(const std::vector<std::string_view>& parts) {
  constexpr std::array<std::string_view, 7> kBefore = {"MAX",     "MIN",   "NUM",   "N",
                                                       "MAXIMUM", "LIMIT", "BUDGET"};
  constexpr std::array<std::string_view, 4> kBehind = {"LIMIT", "BUDGET", "COUNT", "PER"};
  const auto token = std::find_if(parts.begin(), parts.end(), [](std::string_view part) {
    return part == "TOKEN" || part == "TOKENS";
  });
  if (token == parts.end()) {
    return false;
  }
  const bool last = token + 1 == parts.end();
  return last ? *token == "TOKENS" &&
                    std::any_of(parts.begin(), token,
                                [&](std::string_view part) { return contains(kBefore, part); })
              : contains(kBehind, *(token + 1));
}

bool is_word_alone(std::string_view name, const std::vector<std::string_view>& parts) {
  const bool small =
      std::none_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  const std::string_view first = without_number(parts.front());
  return small && (parts.size() == 1 ? contains(kWords, first) || contains(kLastWords, first)
                                     : parts.size() == 2 && is_key(parts.back()) &&
                                           contains(kKeysOf, parts.front()));
}

}  // namespace

bool is_secret_variable(std::string_view name) {
  const std::string capitals = upper_ascii(name);
  const std::vector<std::string_view> parts = components_of(capitals);
  return !parts.empty() && !is_word_alone(name, parts) && name != "PWD" && says_secret(name);
}

bool says_secret(std::string_view name) {
  const std::string capitals = upper_ascii(name);
  std::vector<std::string_view> parts = components_of(capitals);
  if (parts.empty() || is_named_login(capitals)) {
    return !parts.empty();
  }
  const bool by_word =
      !counts_tokens(parts) && std::any_of(parts.begin(), parts.end(), [](std::string_view part) {
        const std::string_view rest = without_number(part);
        return std::any_of(kWords.begin(), kWords.end(),
                           [rest](std::string_view word) { return rest.ends_with(word); });
      });
  while (parts.size() > 1 && is_qualifier(parts.back())) {
    parts.pop_back();
  }
  const std::string_view last = without_number(parts.back());
  return by_word || contains(kLastWords, last) || ends_as_password(last) ||
         (parts.size() > 1 && contains(kLastOfSeveral, last)) || names_key(parts);
}

}  // namespace shadow::sandbox
