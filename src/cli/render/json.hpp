// SPDX-License-Identifier: MIT
// JSON for programs. The top level is a record, the items of lists are records, so that both can
// grow; readers ignore keys they do not know.

#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace shadow::cli {

using Json = nlohmann::ordered_json;

// Sets `key` to raw bytes: text when they are UTF-8; else the text with U+FFFD for what is not, and
// KEY_hex with the bytes in hexadecimal.
void set_bytes(Json& record, const std::string& key, std::string_view bytes);

// One line with its newline.
[[nodiscard]] std::string to_line(const Json& record);

// An object as text from the start, for lists without a bound: as values they take six times the
// room.
class JsonText {
 public:
  void set(std::string_view key, const Json& value);
  void set_bytes(const std::string& key, std::string_view bytes);  // as the function above does

  // A list of what `make` makes of each item.
  template <class Items, class Make>
  void list(std::string_view key, const Items& items, const Make& make) {
    begin_list(key);
    for (const auto& item : items) {
      add(make(item));
    }
    end_list();
  }

  // In parts, for a list of several things.
  void begin_list(std::string_view key);
  void add(const Json& item);
  void end_list() { text_ += ']'; }

  // One line with its newline.
  [[nodiscard]] std::string line() && { return std::move(text_) + "}\n"; }

 private:
  void key(std::string_view key);

  std::string text_ = "{";
};

}  // namespace shadow::cli
