// SPDX-License-Identifier: MIT
#include "sensitive/names/script_words.hpp"

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "base/words.hpp"
#include "sensitive/names/behind_variables.hpp"
#include "sensitive/names/script_lines.hpp"
#include "sensitive/names/script_names.hpp"
#include "sensitive/names/search_paths.hpp"
#include "sensitive/parts/git_settings.hpp"
#include "sensitive/parts/server_commands.hpp"
#include "sensitive/parts/settings_mentions.hpp"
#include "sensitive/scripts/git_commands.hpp"
#include "sensitive/scripts/lisp_files.hpp"
#include "sensitive/scripts/quoted_text.hpp"
#include "sensitive/scripts/run_files.hpp"
#include "sensitive/scripts/run_words.hpp"
#include "sensitive/scripts/shell_values.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <set>
#include <unordered_set>
#include <utility>

namespace shadow::sensitive {

namespace {

constexpr std::size_t kMostWordsOfAText = 50'000;  // to read as many takes some 40 ms

constexpr std::array<std::string_view, 3> kOfModule = {".py", "/__init__.py", "/__main__.py"};
constexpr std::array<std::string_view, 18> kOfFile = {
    "",           ".js",        ".cjs",      ".mjs",        ".ts",           ".mts",
    ".cts",       ".tsx",       ".jsx",      ".node",       ".rb",           "/index.js",
    "/index.cjs", "/index.mjs", "/index.ts", "/index.node", "/package.json", "/__main__.py"};
// "entry" is what pre-commit runs.
constexpr std::array<std::string_view, 21> kRunners = {
    "sh",      "bash", "dash",    "zsh",   "ksh",       "fish", "python",
    "python3", "node", "ruby",    "perl",  "php",       "lua",  "source",
    "exec",    "env",  "Rscript", "entry", "run-parts", "bun",  "deno"};
bool is_of_python(std::string_view name, std::string_view text) {
  const std::string_view first = text.substr(0, text.find('\n'));
  return name.ends_with(".py") ||
         (first.starts_with("#!") && first.find("python") != std::string_view::npos);
}

class MentionReader {
 public:
  // `words`: read before, of what may be read at all.
  explicit MentionReader(TextKind kind, std::size_t words = 0) : kind_{kind}, words_{words} {}

  [[nodiscard]] std::size_t words() const { return words_; }

  // Of lines that are known already nothing is found again.
  std::vector<Mention> read(std::string_view text,
                            const std::unordered_set<std::string>& known = {}) {
    names_commands_ = text.find("\"command\"") != std::string_view::npos;
    const ShellValues values{is_of_shell() ? text : std::string_view{}};
    for (const std::string& line : split(text, '\n')) {
      if (kind_ == TextKind::Python && take_import(without_indent(line))) {
        continue;
      }
      if (kind_ != TextKind::Imports || imports(line) || in_import_) {
        const bool fresh = !known.contains(line);
        take_line(line, fresh);
        for (const std::string& whole : values.put_in(line)) {
          if (fresh || has_stand_in(whole)) {
            take_words(whole);
          }
        }
        take_settings(line);
      }
      in_import_ = opens_import(line);
      if (words_ > kMostWordsOfAText) {
        break;
      }
    }
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool is_of_shell() const {
    return kind_ == TextKind::Script || kind_ == TextKind::Words;
  }

  void take_line(const std::string& line, bool fresh) {
    calls_python_ =
        calls_python_ || (is_of_shell() && line.find("python") != std::string_view::npos);
    // A list may follow the key line by line.
    in_list_ = names_directory(line) || (in_list_ && without_indent(line).starts_with("- "));
    const bool indented = without_indent(line).size() < line.size();
    in_module_path_ =
        kind_ == TextKind::Words && (names_module_path(line) || (in_module_path_ && indented));
    in_files_ = includes_files(line) || (in_files_ && without_indent(line).starts_with("- "));
    if (fresh) {
      take_words(line);
    } else {
      loops_.runs(line);
    }
    take_import_of_command(line);
    moves_next_ = ends_with_directory_option(line);
  }

  void take_words(const std::string& line) {
    const bool on_path = puts_on_path(line);
    const bool many = in_list_ || on_path || takes_many(line);
    const bool moves =
        in_module_path_ || moves_next_ || changes_directory(line) || sets_module_path(line);
    const std::vector<std::string> words = words_of_command(line);
    words_ += words.size();
    const RunWords run{line};
    std::string_view before;
    for (const std::string& word : words) {
      take_word(without_brackets(word), before, {many, moves, run.has(word), on_path});
      if (run.opens(word)) {
        take_unknown(word.substr(0, word.find_last_not_of('/') + 1));
      }
      before = word;
    }
    if (loops_.runs(line)) {
      take_unknown(".");
    }
    take_run_files(line);
    take_lisp(line);
    take_behind_variables(line, run);
    for (std::string& directory : directories_taken_whole(line)) {
      found_.push_back({std::move(directory), true});
    }
    if (line.find("PYTHONPATH") != std::string::npos) {
      for (const std::string& word : words) {
        found_.push_back({word});
        found_.back().python_path = true;
        found_.push_back({word, false, false, true});
      }
    }
    if (kind_ == TextKind::Words) {
      add_of_direnv(words);
    }
  }

  void take_run_files(const std::string& line) {
    RunFiles run = is_of_shell() ? files_run_by(line) : RunFiles{};
    for (std::vector<std::string> files :
         {std::move(run.files), files_required(line), files_read_by_default(line)}) {
      for (std::string& file : files) {
        found_.push_back({std::move(file)});
        found_.back().run = true;
      }
    }
    for (std::string& directory : run.directories) {
      take_unknown(std::move(directory));
    }
    for (const std::string& module : run.modules) {
      add_module(module);
    }
  }

  void take_lisp(const std::string& line) {
    LispFiles lisp = files_loaded_by(line);
    for (std::string& file : lisp.files) {
      found_.push_back({std::move(file)});
      found_.back().run = true;
    }
    for (std::string& directory : lisp.directories) {
      found_.push_back({std::move(directory), true, false, true});
    }
  }

  // A directory of which the line runs a file that it does not name; "." is where it stands.
  void take_unknown(std::string directory) {
    const bool here = directory == ".";
    found_.push_back({std::move(directory), true});
    found_.back().stood_in = here;
  }

  void take_behind_variables(const std::string& line, const RunWords& run) {
    bool runs = run.any();  // "source "$(dirname "$0")/x.inc""
    for (std::string& name : names_behind_variables(line)) {
      if (!name.empty() && name.find_first_of("/*?[") == std::string::npos) {
        found_.push_back({std::move(name)});
        found_.back().run = runs;
        runs = runs && run.by_source();
      }
    }
  }

  // A value may go on in the next line.
  void take_settings(const std::string& line) {
    for (ValuePart& part : variables_.read(line)) {
      found_.push_back({std::move(part.path), part.below});
      found_.back().of_variable = true;
      found_.back().right_in = part.right_in;
      found_.back().if_fresh = part.if_fresh;
    }
  }

  // "sys.path.insert(0, 'tools')", also of a program in a shell's command or here-document.
  [[nodiscard]] bool sets_module_path(std::string_view line) const {
    return (kind_ == TextKind::Python || calls_python_) &&
           line.find("sys.path") != std::string_view::npos;
  }

  // "python3 -c 'import a.b'", and such lines of a here-document.
  void take_import_of_command(std::string_view line) {
    const std::size_t at = std::min(line.find("import "), line.find("from "));
    if (calls_python_ && at != std::string_view::npos) {
      take_import(line.substr(at));
    }
  }

  // "[in/base.yml]" is a list of YAML.
  static std::string without_brackets(std::string word) {
    word.erase(0, std::min(word.find_first_not_of('['), word.size()));
    if (word.ends_with(']') && word.find('[') == std::string::npos) {
      word.pop_back();
    }
    return word;
  }

  // What is known of a word by its line.
  struct InLine {
    bool many = false;
    bool moves = false;
    bool run = false;
    bool on_path = false;
  };

  void take_word(const std::string& word, std::string_view before, const InLine& in) {
    const std::size_t star = word.find_first_of("*?[");
    if (star != std::string::npos) {
      const std::size_t slash = word.rfind('/', star);
      if ((in.many || in_files_) && slash != std::string::npos && slash > 0) {
        found_.push_back({word.substr(0, slash), true});
      }
      return;
    }
    const bool counts = kind_ == TextKind::Words || in_list_ || in.run || in.on_path ||
                        word.find('/') != std::string::npos || is_one_of(before, kRunners) ||
                        has_ending_of_program(word);
    if (counts || in.moves) {
      found_.push_back({word, in.many && counts, false, in.moves});
      found_.back().run = in.run;
      found_.back().package = in.run || names_commands_;
    }
    // mypy.ini, "plugins = tools.checks"; "python3 -m tools.checks", "python3 -mpre_commit".
    if (kind_ == TextKind::Words || before == "-m") {
      add_module(word);
    } else if (word.starts_with("-m") && word.size() > 2) {
      add_module(word.substr(2));
    }
  }

  // direnv-stdlib(1): what these read, or put on the PATH.
  void add_of_direnv(const std::vector<std::string>& words) {
    const auto calls = [&words](std::string_view what, std::string_view which) {
      return is_one_of(what, words) && is_one_of(which, words);
    };
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kRead = {
        {{"flake", "flake.nix"},
         {"flake", "flake.lock"},
         {"nix", "shell.nix"},
         {"nix", "default.nix"}}};
    for (const auto& [which, file] : kRead) {
      if (calls("use", which)) {
        found_.push_back({std::string{file}});
      }
    }
    // A lock says which inputs are evaluated, which may be a directory of the project.
    for (const std::string_view tool : {"devenv", "devbox"}) {
      if (is_one_of(tool, words)) {
        found_.push_back({std::string{tool} + ".lock"});
      }
    }
    if (is_one_of("dotenv", words) || is_one_of("dotenv_if_exists", words)) {
      found_.push_back({".env"});
    }
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kPut = {
        {{"node", "node_modules/.bin"}, {"go", "bin"}, {"php", "vendor/bin"}}};
    for (const auto& [which, directory] : kPut) {
      if (calls("layout", which)) {
        found_.push_back({std::string{directory}, true});
      }
    }
  }

  // "import a.b, c as d", "from .a import b, c".
  bool take_import(std::string_view line) {
    const bool from = line.starts_with("from ");
    if (!from && !line.starts_with("import ")) {
      return false;
    }
    std::vector<std::string> words = words_of_command(line);
    words_ += words.size();
    std::string package;
    bool imported = false;
    for (const std::string& word : words) {
      if (word == "from" || word == "as") {
        continue;
      }
      if (word == "import") {
        imported = true;
        continue;
      }
      std::string module = imported ? package : "";
      add_module(module.append(word));
      if (from && !imported) {
        package = word + ".";
      }
    }
    return true;
  }

  // With each package that it is in, which is loaded first.
  void add_module(const std::string& dotted) {
    std::string path = dotted.substr(std::min(dotted.find_first_not_of('.'), dotted.size()));
    std::replace(path.begin(), path.end(), '.', '/');
    for (std::size_t end = 0; end < path.size();) {
      end = std::min(path.find('/', end + 1), path.size());
      found_.push_back({path.substr(0, end), false, true});
    }
  }

  TextKind kind_;
  bool in_list_ = false;         // of directories
  bool in_module_path_ = false;  // likewise
  bool in_import_ = false;       // that goes on
  bool in_files_ = false;        // a list of files that are included
  bool moves_next_ = false;      // a directory follows
  bool calls_python_ = false;    // the text so far
  bool names_commands_ = false;  // the text does, of servers and hooks in JSON
  std::size_t words_;
  VariableReader variables_;
  LoopsOverHere loops_;
  std::vector<Mention> found_;
};

}  // namespace

TextKind kind_of_script(std::string_view name, std::string_view text) {
  return is_of_python(name, text)     ? TextKind::Python
         : is_git_configuration(text) ? TextKind::GitConfig
                                      : TextKind::Script;
}

// Once as if nothing were quoted: rather one word too many.
std::vector<Mention> mentions_in(std::string_view text, TextKind kind) {
  if (kind == TextKind::Values || kind == TextKind::Places || kind == TextKind::GitConfig) {
    SettingsMentions settings = settings_mentions(text, kind);
    std::vector<Mention> all = mentions_in(settings.script, TextKind::Script);
    std::move(settings.found.begin(), settings.found.end(), std::back_inserter(all));
    return all;
  }
  std::vector<Mention> found = MentionReader{kind}.read(text);
  std::vector<std::string> readings = quoted_readings(text);
  if (kind == TextKind::Script || kind == TextKind::Words) {
    readings.push_back(server_commands(text));
  }
  std::set<Mention> known(found.begin(), found.end());
  std::unordered_set<std::string> lines;
  std::size_t words = 0;
  const auto add_lines = [&lines](std::string_view some) {
    for (std::string& line : split(some, '\n')) {
      lines.insert(std::move(line));
    }
  };
  add_lines(text);
  for (const std::string& reading : readings) {
    MentionReader reader{kind, words};
    std::vector<Mention> more = reader.read(reading, lines);
    words = reader.words();
    add_lines(reading);
    for (Mention& one : more) {
      one.path = without_stand_ins(std::move(one.path));
      if (known.insert(one).second) {
        found.push_back(std::move(one));
      }
    }
  }
  return found;
}

std::span<const std::string_view> endings_of(const Mention& one) {
  const bool path = one.package || one.path.find('/') != std::string::npos;
  return one.module ? std::span<const std::string_view>{kOfModule}
                    : std::span<const std::string_view>{kOfFile}.first(path ? kOfFile.size() : 1);
}

}  // namespace shadow::sensitive
