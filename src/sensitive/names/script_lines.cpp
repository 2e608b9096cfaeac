// SPDX-License-Identifier: MIT
#include "sensitive/names/script_lines.hpp"

#include "base/ascii.hpp"
#include "sensitive/scripts/git_commands.hpp"
#include "sensitive/scripts/run_words.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace shadow::sensitive {

namespace {

// Keys of directories from which programs are loaded or run: lefthook, gradle, sqlfluff,
// ansible-lint, spectral, tslint, checkov, omnisharp, ansible, phpstan, and editors' settings; and
// values of git's configuration in the environment.
constexpr std::array<std::string_view, 22> kDirectoryKeys = {
    "source_dir",    "includeBuild",     "java.home",      "library_path", "load_macros_from_path",
    "functionsDir",  "rulesdir",         "rulesDirectory", "libraryPath",  "external-checks-dir",
    "locationPaths", "_plugins",         "tmpDir",         "rulePaths",    "tsdk",
    "nodePath",      "sdkPath",          "goroot",         "venvPath",     "toolsGopath",
    "go.gopath",     "GIT_CONFIG_VALUE_"};
// Of make, git, tar; env and sudo; uv, npm, pnpm and yarn.
constexpr std::array<std::string_view, 7> kDirectoryOptions = {
    "-C", "-D", "--chdir", "--directory", "--prefix", "--dir", "--cwd"};
// Keys of directories in which Python's tools look for the modules that they load.
constexpr std::array<std::string_view, 5> kModulePathKeys = {"mypy_path", "paths", "sys.path",
                                                             "pythonpath", "python-path"};

template <typename Some>
bool finds_one(const Some& some, std::string_view line) {
  return std::any_of(some.begin(), some.end(), [line](std::string_view one) {
    return line.find(one) != std::string_view::npos;
  });
}

bool contains_word(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

template <typename Some>
bool is_listed(const Some& some, std::string_view word) {
  return std::find(some.begin(), some.end(), word) != some.end();
}

template <typename Some>
bool has_one(const Some& some, const std::vector<std::string>& words) {
  return std::any_of(some.begin(), some.end(),
                     [&words](std::string_view one) { return contains_word(words, one); });
}

// True if a command of the line begins with the word: not "# make sure", nor "git make".
bool calls(std::string_view line, std::string_view program) {
  constexpr std::string_view kBlank = " \t\"'";
  constexpr std::string_view kBefore = ";|&({!@:-`=[";
  constexpr std::array<std::string_view, 8> kWordsBefore = {"then", "do",   "else", "exec",
                                                            "sudo", "time", "nice", "env"};
  for (std::size_t at = line.find(program); at != std::string_view::npos;
       at = line.find(program, at + 1)) {
    const std::string_view before = line.substr(0, line.find_last_not_of(kBlank, at - 1) + 1);
    const std::string_view rest = line.substr(at + program.size());
    const bool whole = (rest.empty() || kBlank.find(rest.front()) != std::string_view::npos) &&
                       (at == 0 || before.size() < at || !is_letter_or_digit(line[at - 1]));
    const bool first =
        at == 0 || before.empty() || kBefore.find(before.back()) != std::string_view::npos ||
        std::any_of(kWordsBefore.begin(), kWordsBefore.end(),
                    [before](std::string_view word) { return before.ends_with(word); });
    if (whole && first) {
      return true;
    }
  }
  return false;
}

// True if each file of a list is run: "-exec sh {}", "xargs -n1 python3", "do . "$f"". What only
// checks one, or hands it to another program, runs none.
bool runs_each(const std::vector<std::string>& words) {
  constexpr std::array<std::string_view, 8> kTakers = {"-exec",  "-execdir", "-ok", "-okdir",
                                                       "--exec", "xargs",    "do",  "parallel"};
  constexpr std::array<std::string_view, 6> kNoRuns = {"-n", "-m", "-l", "-c", "--check", "-W"};
  bool taken = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool of_option = i > 0 && words[i - 1].starts_with('-') &&
                           words[i - 1].ends_with(words[i]);  // "no-run-if-empty"
    const bool option = of_option || words[i].find_first_not_of("-0123456789") != 0;
    if (is_listed(kTakers, words[i]) && !of_option) {
      taken = true;
    } else if (taken && is_interpreter(words[i])) {
      if (i + 1 == words.size() || !is_listed(kNoRuns, words[i + 1])) {
        return true;
      }
    } else if (taken && !option) {
      taken = false;
    }
  }
  return false;
}

}  // namespace

std::string_view without_indent(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return line;
}

bool names_directory(std::string_view line) {
  return finds_one(kDirectoryKeys, line);
}

bool names_module_path(std::string_view line) {
  return finds_one(kModulePathKeys, line);
}

bool imports(std::string_view line) {
  constexpr std::array<std::string_view, 4> kWords = {"import", "require", "from", "plugin"};
  return finds_one(kWords, line);
}

bool opens_import(std::string_view line) {
  constexpr std::array<std::string_view, 4> kImportEnds = {"import(", "require(", "from", "import"};
  line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
  return std::any_of(kImportEnds.begin(), kImportEnds.end(),
                     [line](std::string_view end) { return line.ends_with(end); });
}

bool takes_many(std::string_view line) {
  constexpr std::array<std::string_view, 4> kMake = {"go run", "dotnet run", "--from",
                                                     "source-file"};
  constexpr std::array<std::string_view, 2> kRun = {"source", "run-parts"};
  const std::string_view text = without_indent(line);
  const std::vector<std::string> words = words_of_command(line);
  return finds_one(kMake, line) || text.starts_with("for ") || text.starts_with(". ") ||
         has_one(kRun, words) || runs_each(words);
}

bool changes_directory(std::string_view line) {
  constexpr std::array<std::string_view, 6> kWords = {"cd",   "pushd",   "cwd",
                                                      "root", "workdir", "working_directory"};
  const std::vector<std::string> words = words_of_command(line);
  return has_one(kWords, words) || has_one(kDirectoryOptions, words);
}

bool ends_with_directory_option(std::string_view line) {
  const std::vector<std::string> words = words_of_command(line);
  return !words.empty() && std::any_of(kDirectoryOptions.begin(), kDirectoryOptions.end(),
                                       [&last = words.back()](std::string_view one) {
                                         return last == one ||
                                                (one.size() > 2 && last == one.substr(2));
                                       });
}

bool includes_files(std::string_view line) {
  constexpr std::array<std::string_view, 3> kKeys = {"extends:", "include:", "inherit_from:"};
  return finds_one(kKeys, line);
}

namespace {

// The programs that "go -C x run" and "cargo run --manifest-path x/Cargo.toml" build and run.
void add_built_directories(const std::vector<std::string>& words,
                           std::vector<std::string>& directories) {
  // Of a word with a slash the next one is a part, and cargo may be told its toolchain first.
  const auto runs_within = [&words](std::size_t begin) {
    return begin < words.size() &&
           (words[begin] == "run" || (begin + 1 < words.size() && words[begin + 1] == "run"));
  };
  bool cargo_runs = false;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    cargo_runs = words[i] == "cargo" ? runs_within(i + 1) : cargo_runs;
    if (words[i] == "go" && words[i + 1] == "-C" && runs_within(i + 3)) {
      directories.push_back(words[i + 2]);
    } else if (words[i] == "manifest-path" && cargo_runs) {
      directories.emplace_back(sys::split_path(words[i + 1]).parent);
    }
  }
}

}  // namespace

std::vector<std::string> directories_taken_whole(std::string_view line) {
  constexpr std::array<std::string_view, 4> kListers = {"find", "fd", "ls", "fdfind"};
  constexpr std::array<std::string_view, 3> kClassPaths = {"-cp", "-classpath", "--class-path"};
  constexpr std::size_t kMost = 4;  // of one program
  std::vector<std::string> directories;
  const std::vector<std::string> words = words_of_command(line);
  // "$(find x)" as a command, "sh $(find x)", "do . "$f""
  constexpr std::array<std::string_view, 2> kSourced = {" . $", " . \"$"};
  bool runs =
      runs_each(words) || without_indent(line).starts_with("$(") || finds_one(kSourced, line);
  std::size_t left = 0;
  for (const std::string& word : words) {
    if ((runs && is_listed(kListers, word)) || is_listed(kClassPaths, word)) {
      left = kMost;
    } else if (left > 0 && !word.starts_with('-')) {
      directories.push_back(word);
      --left;
    }
    runs = runs || is_interpreter(word);
  }
  add_built_directories(words, directories);
  return directories;
}

std::vector<std::string> files_required(std::string_view line) {
  constexpr std::string_view kParts = " \t\r\"'`;|&()";
  std::vector<std::string> directories;
  std::vector<std::string> files;
  std::string_view option;
  bool ruby = false;
  bool perl = false;
  while (!line.empty()) {
    std::string_view word = line.substr(0, line.find_first_of(kParts));
    line.remove_prefix(std::min(word.size() + 1, line.size()));
    if (word.empty()) {
      continue;
    }
    const std::string_view name = sys::split_path(word).name;
    ruby = ruby || name == "ruby";
    perl = perl || name == "perl";
    constexpr std::array<std::string_view, 4> kOptions = {"-I", "-r", "-M", "-m"};
    if (option.empty() && (ruby || perl) && is_listed(kOptions, word.substr(0, 2))) {
      option = word.substr(0, 2);
      word.remove_prefix(2);
    }
    constexpr std::string_view kLib = "lib=";
    if (option == "-M" && word.starts_with(kLib)) {
      directories.emplace_back(word.substr(kLib.size()));
    } else if (option == "-I" && !word.empty()) {
      directories.emplace_back(word);
    } else if (!option.empty() && !word.empty()) {
      std::string file{word.substr(0, word.find('='))};
      for (std::size_t at = file.find("::"); perl && at != std::string::npos;
           at = file.find("::")) {
        file.replace(at, 2, "/");
      }
      files.push_back(perl ? file + ".pm" : file);
    }
    option = word.empty() ? option : std::string_view{};
  }
  std::vector<std::string> found;
  for (const std::string& directory : directories) {
    for (const std::string& file : files) {
      found.push_back(sys::join_path(directory, file));
    }
  }
  return found;
}

std::vector<std::string> files_read_by_default(std::string_view line) {
  // make(1), and the manuals of just, task, rake, nox, invoke, fabric, doit, ant, scons, mage.
  struct Reader {
    std::string_view program;
    std::vector<std::string> files;
  };
  static const std::vector<std::string> makefiles = {"GNUmakefile", "makefile", "Makefile"};
  static const std::vector<Reader> readers = {
      {"make", makefiles},
      {"gmake", makefiles},
      {"$(MAKE)", makefiles},
      {"just", {"justfile", "Justfile", ".justfile", "JUSTFILE"}},
      {"task",
       {"Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml", "Taskfile.dist.yml",
        "taskfile.dist.yml", "Taskfile.dist.yaml", "taskfile.dist.yaml"}},
      {"rake", {"rakefile", "Rakefile", "rakefile.rb", "Rakefile.rb"}},
      {"nox", {"noxfile.py"}},
      {"inv", {"tasks.py"}},
      {"invoke", {"tasks.py"}},
      {"fab", {"fabfile.py"}},
      {"doit", {"dodo.py"}},
      {"ant", {"build.xml"}},
      {"scons", {"SConstruct", "Sconstruct", "sconstruct"}},
      {"mage", {"magefile.go"}}};
  std::vector<std::string> found;
  for (const Reader& reader : readers) {
    if (calls(line, reader.program)) {
      found.insert(found.end(), reader.files.begin(), reader.files.end());
    }
  }
  return found;
}

}  // namespace shadow::sensitive
