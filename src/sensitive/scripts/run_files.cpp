// SPDX-License-Identifier: MIT
#include "sensitive/scripts/run_files.hpp"

#include "sensitive/scripts/run_words.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>

namespace shadow::sensitive {

namespace {

// The options of a program that name a file for it to run: make(1), awk(1), sed(1), vim(1), gdb(1),
// lldb(1), psql(1), sqlite3(1), emacs(1), bash(1), node(1), cmake(1), and the manuals of just,
// task, rake, nox, ninja, ant, maven, gradle, scons, expect, R, php, m4, gnuplot, nix.
struct Taker {
  std::string_view programs;  // each with a blank around it
  std::string_view options;
};
constexpr auto kTakers = std::to_array<Taker>({
    {" make gmake bmake nmake ", " -f --file --makefile "},
    {" awk gawk mawk nawk ", " -f --file -i --include -E --exec "},
    {" sed gsed ", " -f --file "},
    {" vim nvim vi ex view gvim vimdiff nvimdiff ", " -S -s -u -U --cmd "},
    {" gdb ", " -x --command -ix --init-command "},
    {" lldb ", " -s --source -S --source-before-file "},
    {" psql ", " -f --file "},
    {" sqlite3 ", " -init --init "},
    {" emacs ", " -l --load --script -x "},
    {" bash ", " --rcfile --init-file "},
    {" node nodejs ", " -r --require --import --loader --experimental-loader "},
    {" cmake ", " -C -P --toolchain "},
    {" just ", " -f --justfile "},
    {" task go-task ", " -t --taskfile "},
    {" rake ", " -f --rakefile -r --require "},
    {" nox ", " -f --noxfile "},
    {" ninja ", " -f "},
    {" ant ", " -f -file -buildfile "},
    {" mvn mvnw ", " -f --file -s --settings "},
    {" gradle gradlew ", " -b --build-file -c --settings-file -I --init-script "},
    {" scons ", " -f --file --sconstruct --makefile "},
    {" expect tclsh gnuplot osascript ", " -f -c "},
    {" R ", " -f --file "},
    {" php ", " -c -f "},
    {" pytest py.test tox mypy pylint flake8 ", " -c --rootdir "},
    {" eslint stylelint prettier mocha jest vitest webpack rollup ", " -c -r --rulesdir "},
    {" nix-build nix-shell ", " -f --file "},
});
// Of any program.
constexpr std::string_view kLongOptions =
    " --config --config-file --configfile --conf --rcfile --init-file --init-script --require "
    "--import "
    "--preload --loader --plugin --plugins --script --justfile --makefile --taskfile "
    "--toolchain-file "
    "--env-file --startup-file --load --load-plugin ";
constexpr std::string_view kModuleOptions = " --load-plugins ";
// What they print of a file may be code.
constexpr std::string_view kPrinters =
    " cat sed envsubst grep head tail tr cut awk sort gunzip zcat base64 tac ";

constexpr std::string_view kOfCrates =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
constexpr std::string_view kEndsOfCommand = ";&()`|{}";

bool is_listed_word(std::string_view list, std::string_view word) {
  for (std::size_t at = word.empty() ? std::string_view::npos : list.find(word);
       at != std::string_view::npos; at = list.find(word, at + 1)) {
    if (at > 0 && list[at - 1] == ' ' && list[at + word.size()] == ' ') {
      return true;
    }
  }
  return false;
}

const Taker* find_taker(std::string_view name) {
  static const std::unordered_map<std::string_view, const Taker*> by_name = [] {
    std::unordered_map<std::string_view, const Taker*> all;
    for (const Taker& one : kTakers) {
      std::string_view rest = one.programs.substr(1);
      for (std::size_t end = rest.find(' '); end != std::string_view::npos; end = rest.find(' ')) {
        all.emplace(rest.substr(0, end), &one);
        rest.remove_prefix(end + 1);
      }
    }
    return all;
  }();
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

// One command after another.
class LineOfCommands {
 public:
  RunFiles read(std::string_view line) {
    constexpr std::string_view kParts = " \t\r\"',[]";
    while (!line.empty()) {
      const std::size_t end = std::min(line.find_first_of(kParts), line.size());
      take_words(line.substr(0, end));
      line.remove_prefix(std::min(end + 1, line.size()));
    }
    end_command('\n');
    return std::move(found_);
  }

 private:
  enum class Takes : std::uint8_t { Nothing, File, Module, Directory, Binary, Package, Example };

  void take_words(std::string_view text) {
    constexpr std::string_view kOperators = ";&()`|{}<>";
    while (!text.empty()) {
      const std::size_t end = std::min(text.find_first_of(kOperators), text.size());
      if (end > 0) {
        take_word(text.substr(0, end));
      }
      if (end < text.size()) {
        take_sign(text[end]);
      }
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  void take_sign(char sign) {
    if (sign == '<') {
      from_file_ = true;
      evaluated_ = evaluated_ || interpreter_;  // "sh <(cat x)", "sh <<<"$(cat x)""
    } else if (kEndsOfCommand.find(sign) != std::string_view::npos) {
      end_command(sign);
    }
  }

  // A shell without a file of its own runs what it is fed.
  void end_command(char sign) {
    if (interpreter_ && (!has_file_ || reads_input_)) {
      run(std::exchange(printed_, {}));
    }
    if (sign != '|') {
      printed_.clear();
      evaluated_ = evaluated_ && sign != ';' && sign != '&';
    }
    finish_build();
    program_ = nullptr;
    interpreter_ = shell_ = has_file_ = reads_input_ = printer_ = from_file_ = false;
    takes_ = Takes::Nothing;
  }

  void take_word(std::string_view word) {
    word.remove_prefix(std::min(word.find_first_not_of("@$"), word.size()));
    const std::string_view name = sys::split_path(word).name;
    if (word.empty()) {
      return;
    }
    if (from_file_) {
      from_file_ = false;
      if (interpreter_ || evaluated_) {
        add(word);
      }
    } else if (takes_ != Takes::Nothing && word.front() != '-') {
      take_value(word);
    } else if (word.front() == '-' && word.size() > 1) {
      take_option(word);
    } else if (!take_program(word, name)) {
      take_argument(word);
    }
  }

  bool take_program(std::string_view word, std::string_view name) {
    const Taker* taker = find_taker(name);
    program_ = taker != nullptr ? taker : program_;
    if (word == "eval" || word == "source" || word == ".") {
      evaluated_ = true;
    }
    const bool printer = is_listed_word(kPrinters, name);
    const bool runner =
        is_interpreter(word) && word != "exec" && word != "source" && word != "." && !printer_;
    printer_ = printer_ || printer;
    interpreter_ = interpreter_ || runner;
    shell_ = shell_ || (runner && name.ends_with("sh"));
    const bool builder = name == "go" || name == "cargo" || name == "dotnet";
    builder_ = builder ? name : builder_;
    runs_ = runs_ || word == "run";
    return taker != nullptr || runner || printer || builder || word == "run" || word == "eval" ||
           word == "source";
  }

  void take_argument(std::string_view word) {
    reads_input_ = reads_input_ || word == "-";
    has_file_ = true;
    if (printer_) {
      printed_.emplace_back(word);
      if (evaluated_) {
        add(word);
      }
    }
    if (builder_ == "go" && runs_ && !built_) {
      found_.directories.emplace_back(word);
      built_ = true;
    } else if (builder_ == "dotnet" && word.ends_with(".cs")) {
      add(word);
    }
  }

  void take_option(std::string_view word) {
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string_view name = word.substr(0, equals);
    const std::string_view value = word.substr(std::min(equals + 1, word.size()));
    // Code in the place of a file: "-c" of a shell, of others "-e", "-m", "-ne".
    const bool several = word[1] != '-';
    const bool code = interpreter_ && several &&
                      word.find_first_of(shell_ ? "c" : "cemEnp") != std::string_view::npos;
    has_file_ = has_file_ || code;
    evaluated_ = evaluated_ || code;
    reads_input_ = reads_input_ || (shell_ && several && word.ends_with('s'));
    takes_ = takes_by(name);
    if (takes_ == Takes::Nothing && word.size() > 2 && word[1] != '-' &&
        takes_by(word.substr(0, 2)) != Takes::Nothing && program_ != nullptr) {
      takes_ = takes_by(word.substr(0, 2));
      take_value(word.substr(2));
    } else if (takes_ != Takes::Nothing && equals < word.size()) {
      take_value(value);
    } else if (word.starts_with("-D") && name.find("FILE") != std::string_view::npos) {
      add(value);  // of CMake: a toolchain's, or one to include
    }
  }

  [[nodiscard]] Takes takes_by(std::string_view option) const {
    if (runs_) {
      const auto of_cargo = option == "--bin"                         ? Takes::Binary
                            : option == "-p" || option == "--package" ? Takes::Package
                            : option == "--example"                   ? Takes::Example
                                                                      : Takes::Nothing;
      if (of_cargo != Takes::Nothing) {
        return of_cargo;
      }
    }
    if (builder_ == "dotnet" && option == "--project") {
      return Takes::Directory;
    }
    const bool of_program = program_ != nullptr && is_listed_word(program_->options, option);
    return of_program || is_listed_word(kLongOptions, option) ? Takes::File
           : is_listed_word(kModuleOptions, option) || (option == "-p" && is_of_pytest())
               ? Takes::Module
               : Takes::Nothing;
  }

  [[nodiscard]] bool is_of_pytest() const {
    return program_ != nullptr && program_->programs.starts_with(" pytest ");
  }

  void take_value(std::string_view value) {
    const std::string whole{value};
    switch (takes_) {
      case Takes::Module:
        found_.modules.push_back(whole);
        break;
      case Takes::Directory:
        found_.directories.push_back(whole);
        break;
      case Takes::Binary:
        found_.files.insert(found_.files.end(), {"src/bin/" + whole + ".rs", "src/main.rs"});
        found_.directories.push_back("src/bin/" + whole);
        built_ = true;
        break;
      case Takes::Package:
        // Not "docker run -p 80:80".
        if (value.find_first_not_of(kOfCrates) != std::string_view::npos) {
          break;
        }
        for (const std::string_view above : {"", "crates/", "tools/", "packages/"}) {
          found_.directories.push_back(std::string{above} + whole);
        }
        built_ = true;
        break;
      case Takes::Example:
        found_.files.push_back("examples/" + whole + ".rs");
        found_.directories.push_back("examples/" + whole);
        built_ = true;
        break;
      case Takes::File:
      case Takes::Nothing:
        add(value);
        break;
    }
    takes_ = Takes::Nothing;
  }

  // "cargo run" alone runs the package that it stands in.
  void finish_build() {
    if (builder_ == "cargo" && runs_ && !built_) {
      found_.directories.emplace_back("src");
    }
    builder_ = {};
    runs_ = built_ = false;
  }

  void run(const std::vector<std::string>& files) {
    for (const std::string& file : files) {
      add(file);
    }
  }

  void add(std::string_view file) {
    if (!file.empty()) {
      found_.files.emplace_back(file);
    }
  }

  RunFiles found_;
  std::vector<std::string> printed_;  // files whose text goes down the pipe
  const Taker* program_ = nullptr;
  Takes takes_ = Takes::Nothing;
  std::string_view builder_;  // go, cargo, dotnet
  bool runs_ = false;         // what it builds
  bool built_ = false;        // and what that is is told
  bool interpreter_ = false;
  bool shell_ = false;
  bool has_file_ = false;  // of its own, or code
  bool reads_input_ = false;
  bool printer_ = false;
  bool from_file_ = false;
  bool evaluated_ = false;  // what is printed from here on
};

}  // namespace

RunFiles files_run_by(std::string_view line) {
  return LineOfCommands{}.read(line);
}

}  // namespace shadow::sensitive
