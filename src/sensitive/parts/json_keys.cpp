// SPDX-License-Identifier: MIT
#include "sensitive/parts/json_keys.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace shadow::sensitive {

namespace {

std::string json_text(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Writes down the values of some keys, and the texts in them, as they come.
class KeyReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit KeyReader(std::span<const char* const> keys) : keys_{keys}, values_(keys.size()) {}

  [[nodiscard]] std::string values() const {
    std::string all;
    for (const std::string& one : values_) {
      all += one;
    }
    return all;
  }

  [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }

  // Of another JSON than an object no reader takes keys.
  [[nodiscard]] bool is_object() const { return object_; }

  bool null() override { return add("null"); }
  bool boolean(bool value) override { return add(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return add(std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return add(std::to_string(value)); }
  bool number_float(number_float_t /*value*/, const string_t& text) override { return add(text); }
  bool binary(binary_t& /*value*/) override { return false; }

  bool string(string_t& value) override {
    begin();
    if (collected_ != nullptr) {
      texts_.push_back(value);
    }
    return end(json_text(value));
  }

  bool start_object(std::size_t /*elements*/) override {
    object_ = object_ || open_.empty();
    return open("{", false);
  }
  bool start_array(std::size_t /*elements*/) override { return open("[", true); }
  bool end_object() override { return close("}"); }
  bool end_array() override { return close("]"); }

  bool key(string_t& value) override {
    if (collected_ != nullptr) {
      separate();
      *collected_ += json_text(value) + ": ";
    }
    open_.back().key = value;
    return true;
  }

  bool parse_error(std::size_t /*at*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*why*/) override {
    return false;
  }

 private:
  struct Level {
    bool array = false;
    bool fresh = true;  // nothing was written in it
    std::string key;
  };

  static constexpr std::size_t kDeepest = 64;

  void separate() {
    *collected_ += open_.back().fresh ? "\n" : ",\n";
    open_.back().fresh = false;
  }

  void begin() {
    if (collected_ != nullptr) {
      if (open_.back().array) {
        separate();
      }
      return;
    }
    std::string path;
    for (const Level& level : open_) {
      path += level.array ? "/[]" : "/" + level.key;
    }
    const auto at = std::find(keys_.begin(), keys_.end(), path);
    if (at != keys_.end()) {
      collected_ = &values_[static_cast<std::size_t>(at - keys_.begin())];
      depth_ = open_.size();
      *collected_ += path + ": ";
    }
  }

  bool add(const std::string& text) {
    begin();
    return end(text);
  }

  bool open(const char* bracket, bool array) {
    begin();
    if (collected_ != nullptr) {
      *collected_ += bracket;
    }
    open_.push_back({array, true, {}});
    return open_.size() <= kDeepest;
  }

  bool close(const char* bracket) {
    const bool fresh = open_.back().fresh;
    open_.pop_back();
    return end(std::string{fresh ? "" : "\n"} + bracket);
  }

  bool end(const std::string& text) {
    if (collected_ != nullptr) {
      *collected_ += text;
      if (open_.size() == depth_) {
        *collected_ += "\n";
        collected_ = nullptr;
      }
    }
    return true;
  }

  std::span<const char* const> keys_;
  std::vector<std::string> values_;
  std::vector<std::string> texts_;
  std::vector<Level> open_;
  std::string* collected_ = nullptr;  // of values_
  std::size_t depth_ = 0;             // at which that began
  bool object_ = false;
};

bool read_json(std::string_view text, KeyReader& reader) {
  return nlohmann::json::sax_parse(text, &reader, nlohmann::json::input_format_t::json, true,
                                   true) &&
         reader.is_object();
}

bool speaks_of(std::string_view text, std::span<const char* const> keys) {
  return text.find('\\') != std::string_view::npos ||
         std::any_of(keys.begin(), keys.end(), [text](std::string_view key) {
           return text.find(key.substr(key.rfind('/') + 1)) != std::string_view::npos;
         });
}

constexpr std::array<const char*, 2> kOfConfigurations = {"/extends", "/references"};

// A reference without the ending is a directory with a tsconfig.json, and what is extended may be a
// file without one: TypeScript's resolveProjectReferencePath() and getExtendsConfigPath(). An
// absolute path leads out of the project.
bool is_judged_configuration(std::string_view path, bool reference) {
  if (path.starts_with('/') || path.find(':') != std::string_view::npos) {
    return false;
  }
  const std::string_view name = path.substr(path.find_last_of("/\\") + 1);
  return name.ends_with(".json") ? name.starts_with("tsconfig") || name.starts_with("jsconfig")
                                 : reference;
}

// What stands between quotes.
std::vector<std::string> quoted_in(std::string_view text) {
  std::vector<std::string> found;
  for (std::size_t at = text.find('"'); at != std::string_view::npos; at = text.find('"', at + 1)) {
    const std::size_t end = text.find_first_of("\"\n", at + 1);
    if (end == std::string_view::npos) {
      break;
    }
    found.emplace_back(text.substr(at + 1, end - at - 1));
    at = end;
  }
  return found;
}

}  // namespace

std::string keys_of_json(std::string_view text, std::span<const char* const> keys) {
  KeyReader reader{keys};
  if (!read_json(text, reader)) {
    return speaks_of(text, keys) ? std::string{text} : "";
  }
  return reader.values();
}

std::optional<std::vector<std::string>> texts_of_json(std::string_view text, const char* key) {
  KeyReader reader{std::span{&key, 1}};
  return read_json(text, reader) ? std::optional{reader.texts()} : std::nullopt;
}

std::vector<std::string> configurations_in(std::string_view text) {
  std::vector<std::string> paths;
  for (const char* key : kOfConfigurations) {
    const auto texts = texts_of_json(text, key);
    for (const std::string& path : texts ? *texts : quoted_in(text)) {
      paths.push_back(path);
      if (!path.ends_with(".json")) {
        paths.push_back(path + (key == kOfConfigurations[0] ? ".json" : "/tsconfig.json"));
      }
    }
  }
  return paths;
}

std::string other_configurations_in(std::string_view text) {
  std::string parts;
  for (const char* key : kOfConfigurations) {
    const auto texts = texts_of_json(text, key);
    if (!texts) {
      return speaks_of(text, kOfConfigurations) ? std::string{text} : "";
    }
    for (const std::string& path : *texts) {
      const bool judged = is_judged_configuration(path, key == kOfConfigurations[1]);
      parts += judged ? "" : std::string{key} + ": " + json_text(path) + "\n";
    }
  }
  return parts;
}

}  // namespace shadow::sensitive
