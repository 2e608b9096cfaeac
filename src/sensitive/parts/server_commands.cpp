// SPDX-License-Identifier: MIT
#include "sensitive/parts/server_commands.hpp"

#include "base/ascii.hpp"
#include "base/words.hpp"
#include "sensitive/scripts/quoted_text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace shadow::sensitive {

namespace {

constexpr std::size_t kDeepest = 64;  // of objects in each other

// Model Context Protocol, VS Code's tasks and launches, pre-commit, goose, opencode, codex.
constexpr std::array<std::string_view, 8> kCommandKeys = {
    "command", "cmd", "entry", "program", "runtimeexecutable", "executable", "path", "exec"};
constexpr std::array<std::string_view, 3> kArgumentKeys = {"args", "arguments", "runtimeargs"};
constexpr std::array<std::string_view, 4> kDirectoryKeysOfServers = {"cwd", "workdir", "directory",
                                                                     "workingdirectory"};
constexpr std::array<std::string_view, 4> kVariableKeys = {"env", "envs", "environment",
                                                           "environmentvariables"};

struct ServerParts {
  std::string command;
  std::vector<std::string> arguments;
  std::string directory;
  std::string variables;
  bool of_variables = false;  // the object is the variables of the one around it
};

class ServerReader {
 public:
  explicit ServerReader(std::string_view text) : text_{text} {}

  std::string read() {
    open_.emplace_back();
    while (at_ < text_.size()) {
      take();
    }
    while (!open_.empty()) {
      flush();
      open_.pop_back();
    }
    return std::move(lines_);
  }

 private:
  void take() {
    const char c = text_[at_];
    if (c == '\n') {
      ++at_;
      begin_line();
    } else if (c == '{' || c == '}') {
      ++at_;
      c == '{' ? open_object() : close_object();
    } else if (c == '[' || c == ']') {
      ++at_;
      in_list_ = c == '[';
      key_ = in_list_ ? std::move(key_) : "";
    } else if (c == ',') {
      ++at_;
      key_ = in_list_ ? std::move(key_) : "";
    } else if (c == '#' || text_.substr(at_, 2) == "//") {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (c == ' ' || c == '\t' || c == '\r' || c == ':' || c == '=') {
      ++at_;
    } else {
      take_text();
    }
  }

  // "[servers.x]" of TOML; "- " of YAML, before an argument or what begins another command.
  void begin_line() {
    at_ = std::min(text_.find_first_not_of(" \t\r", at_), text_.size());
    if (in_list_) {
      return;
    }
    const std::string_view line = text_.substr(at_, text_.find('\n', at_) - at_);
    if (line.starts_with('[') && open_.size() == 1) {
      const std::string_view name = line.substr(0, line.find(']'));
      const bool of_variables = name.ends_with(".env");
      if (!of_variables) {
        flush();
      }
      open_.back().of_variables = of_variables;
      key_.clear();
      at_ += line.size();
    } else if (line.starts_with("- ")) {
      at_ += 2;
      const bool argument = is_one_of(key_, kArgumentKeys) || is_one_of(key_, kCommandKeys);
      if (!argument || is_key(line)) {
        flush();
        key_.clear();
      }
    } else if (!line.empty() && !is_one_of(key_, kVariableKeys)) {
      key_.clear();
    }
  }

  static bool is_key(std::string_view line) {
    const std::size_t colon = line.find(": ");
    return colon != std::string_view::npos && line.find_first_of("\"'") > colon;
  }

  void open_object() {
    if (open_.size() < kDeepest) {
      open_.emplace_back();
      open_.back().of_variables = is_one_of(key_, kVariableKeys);
    } else {
      ++too_deep_;
    }
    key_.clear();
    in_list_ = false;
  }

  void close_object() {
    if (too_deep_ > 0) {
      --too_deep_;
    } else if (open_.size() > 1) {
      if (open_.back().of_variables) {
        std::string variables = std::move(open_.back().variables);
        open_.pop_back();
        open_.back().variables += variables;
      } else {
        flush();
        open_.pop_back();
      }
    }
    key_.clear();
    in_list_ = false;
  }

  void take_text() {
    const bool quoted = text_[at_] == '"' || text_[at_] == '\'';
    std::string word = quoted ? quoted_text() : bare_text();
    const std::size_t next = std::min(text_.find_first_not_of(" \t\r", at_), text_.size());
    const bool is_key = !in_list_ && next < text_.size() &&
                        (text_[next] == ':' || text_[next] == '=') &&
                        (quoted || next > at_ || text_[next] != ':' || ends_key(next));
    if (is_key) {
      key_name_ = word;
      key_ = lower_ascii(word);
      std::erase_if(key_, [](char c) { return c == '_' || c == '-'; });
      at_ = next + 1;
    } else {
      take_value(std::move(word));
    }
  }

  [[nodiscard]] bool ends_key(std::size_t colon) const {
    return colon + 1 == text_.size() ||
           std::string_view{" \t\r\n"}.find(text_[colon + 1]) != std::string_view::npos;
  }

  std::string quoted_text() {
    const char quote = text_[at_++];
    std::string word;
    for (; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_) {
      if (text_[at_] == '\\' && quote == '"' && at_ + 1 < text_.size()) {
        ++at_;
      }
      word += text_[at_];
    }
    at_ += at_ < text_.size() && text_[at_] == quote ? 1U : 0U;
    return word;
  }

  // Up to a sign; of a value that stands alone in its line, all of it.
  std::string bare_text() {
    const bool value = !key_.empty() && !in_list_ && open_.size() == 1;
    const std::size_t begin = at_;
    at_ = std::min(text_.find_first_of(value ? "\n" : "\n:=,{}[]\"' \t\r", at_), text_.size());
    at_ = std::max(at_, begin + 1);
    std::string_view word = text_.substr(begin, at_ - begin);
    return std::string{word.substr(0, word.find_last_not_of(" \t\r") + 1)};
  }

  void take_value(std::string word) {
    ServerParts& now = open_.back();
    if (now.of_variables && !key_.empty()) {
      now.variables += key_name_ + "=" + as_one_word(word) + " ";
    } else if (is_one_of(key_, kArgumentKeys) ||
               (is_one_of(key_, kCommandKeys) && !now.command.empty() && in_list_)) {
      now.arguments.push_back(as_one_word(word));
    } else if (is_one_of(key_, kCommandKeys)) {
      now.command = in_list_ ? as_one_word(word) : std::move(word);
    } else if (is_one_of(key_, kDirectoryKeysOfServers)) {
      now.directory = as_one_word(word);
    }
  }

  void flush() {
    ServerParts& now = open_.back();
    if (!now.command.empty() && !now.arguments.empty()) {
      lines_ += now.directory.empty() ? "" : "cd " + now.directory + " && ";
      lines_ += now.variables + now.command;
      for (const std::string& argument : now.arguments) {
        lines_ += " " + argument;
      }
      lines_ += "\n";
    }
    now = {};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<ServerParts> open_;
  std::size_t too_deep_ = 0;
  std::string key_;       // that the next value has, in small letters
  std::string key_name_;  // as it is written
  bool in_list_ = false;
  std::string lines_;
};

}  // namespace

std::string server_commands(std::string_view text) {
  return text.find("arg") == std::string_view::npos &&
                 text.find("command") == std::string_view::npos
             ? std::string{}
             : ServerReader{text}.read();
}

}  // namespace shadow::sensitive
