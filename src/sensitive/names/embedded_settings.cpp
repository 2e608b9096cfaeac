// SPDX-License-Identifier: MIT
#include "sensitive/names/embedded_settings.hpp"

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "base/tool_files.hpp"
#include "sensitive/names/build_calls.hpp"
#include "sensitive/parts/json_keys.hpp"
#include "sensitive/parts/key_lists.hpp"
#include "sensitive/parts/maven_parts.hpp"
#include "sensitive/parts/tool_tables.hpp"
#include "sensitive/scripts/git_commands.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace shadow::sensitive {

namespace {

// gitattributes(5), and what hosts of repositories read.
constexpr std::array<std::string_view, 13> kProperties = {"text",
                                                          "eol",
                                                          "crlf",
                                                          "binary",
                                                          "whitespace",
                                                          "ident",
                                                          "delta",
                                                          "encoding",
                                                          "diff",
                                                          "merge",
                                                          "working-tree-encoding",
                                                          "export-ignore",
                                                          "export-subst"};
constexpr std::array<std::string_view, 3> kProperty = {"linguist-", "gitlab-",
                                                       "conflict-marker-size"};

bool is_property(std::string_view attribute) {
  if (attribute.starts_with('-') || attribute.starts_with('!')) {
    attribute.remove_prefix(1);
  }
  const std::size_t equals = std::min(attribute.find('='), attribute.size());
  const std::string_view name = attribute.substr(0, equals);
  const bool driver = (name == "diff" || name == "merge") && equals < attribute.size();
  if (driver) {
    return is_driver_of_git(attribute.substr(0, equals), attribute.substr(equals + 1));
  }
  return (std::find(kProperties.begin(), kProperties.end(), name) != kProperties.end() ||
          std::any_of(kProperty.begin(), kProperty.end(),
                      [name](std::string_view one) { return name.starts_with(one); }));
}

// The attributes of a line are behind its pattern. One in quotes with a blank in it counts as more.
bool line_names_programs(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r\v\f";
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  if (line.empty() || line.starts_with('#')) {
    return false;
  }
  bool first = true;
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
    if (line.empty()) {
      return false;
    }
    const std::size_t end = std::min(line.find_first_of(kBlanks), line.size());
    if (!first && !is_property(line.substr(0, end))) {
      return true;
    }
    first = false;
    line.remove_prefix(end);
  }
}

bool has_any(std::string_view text, const std::vector<std::string_view>& words) {
  return std::any_of(words.begin(), words.end(), [text](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

// A spell checker's words may change. What it imports, and the plugins and reporters that it loads,
// may be code.
std::string imports_of_speller(std::string_view text) {
  constexpr std::array<std::string_view, 4> kKeys = {"import", "plugins", "reporters", "parser"};
  return lists_of_keys(text, kKeys, Backslashes::OfKeys);
}

// As JSON pointers. "scripts" of a package run on purpose, but for those that the hooks of husky's
// first versions call (https://github.com/typicode/husky/tree/v0.14.3). The last are the modules
// behind a name with "#", which settings in JavaScript may import, those of test runners, and the
// commands that npx runs by name without asking (https://docs.npmjs.com/cli/commands/npx): they
// also name sources and tests that nothing runs by itself.
constexpr std::size_t kOfNamesAlone = 5;
constexpr std::array<const char*, 56> kPackageKeys = {"/prettier",
                                                      "/solhint",
                                                      "/markdownlint-cli2",
                                                      "/eslintConfig",
                                                      "/stylelint",
                                                      "/xo",
                                                      "/commitlint",
                                                      "/remarkConfig",
                                                      "/husky",
                                                      "/lint-staged",
                                                      "/nano-staged",
                                                      "/pre-push",
                                                      "/pre-commit",
                                                      "/gitHooks",
                                                      "/ghooks",
                                                      "/scripts/precommit",
                                                      "/scripts/preparecommitmsg",
                                                      "/scripts/commitmsg",
                                                      "/scripts/postcommit",
                                                      "/scripts/prepush",
                                                      "/scripts/prerebase",
                                                      "/scripts/postrewrite",
                                                      "/scripts/postcheckout",
                                                      "/scripts/postmerge",
                                                      "/hintConfig",
                                                      "/simple-git-hooks",
                                                      "/lefthook",
                                                      "/volta",
                                                      "/devEngines",
                                                      "/standard",
                                                      "/packageManager",
                                                      "/cspell",
                                                      "/babel",
                                                      "/graphql",
                                                      "/relay",
                                                      "/apollo",
                                                      "/textlint",
                                                      "/cosmiconfig",
                                                      "/nx",
                                                      "/config/commitizen",
                                                      "/config/ghooks",
                                                      "/config/pre-git",
                                                      "/semistandard",
                                                      "/ts-standard",
                                                      "/linthtmlConfig",
                                                      "/coffeelintConfig",
                                                      "/jscsConfig",
                                                      "/httpyac",
                                                      "/postcss",
                                                      "/pnpm/configDependencies",
                                                      "/ember-language-server",
                                                      "/imports",
                                                      "/jest",
                                                      "/mocha",
                                                      "/bin",
                                                      "/directories/bin"};

// Code that any call of composer runs or loads, and the places of that code.
constexpr std::array<const char*, 9> kComposerKeys = {"/config",
                                                      "/scripts/command",
                                                      "/scripts/init",
                                                      "/scripts/pre-command-run",
                                                      "/scripts/pre-file-download",
                                                      "/scripts/pre-pool-create",
                                                      "/extra/hooks",
                                                      "/extra/captainhook",
                                                      "/extra/grumphp"};

// Code that a language server loads.
constexpr std::array<const char*, 5> kScriptKeys = {"/compilerOptions/plugins", "/ts-node",
                                                    "/vueCompilerOptions/plugins", "/mdx/plugins",
                                                    "/glint"};

// The same, and other files of its configuration.
constexpr std::array<const char*, 4> kDenoKeys = {"/compilerOptions/plugins", "/lint/plugins",
                                                  "/extends", "/workspace"};

// What PackageMap goes by.
constexpr std::array<const char*, 6> kMapKeys = {"/name",
                                                 "/imports",
                                                 "/exports",
                                                 "/extends",
                                                 "/compilerOptions/paths",
                                                 "/compilerOptions/baseUrl"};

// TypeScript, cspell and readers of XML take UTF-16, too.
bool is_in_wide_letters(std::string_view text) {
  return text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff") ||
         text.find('\0') != std::string_view::npos;
}

// m2e is told so by an element or an instruction. Its name may be written in other ways, and the
// text in another encoding.
bool may_speak_of_editors(std::string_view text) {
  const std::string small = lower_ascii(text);
  const std::string_view mark = small.starts_with("\xef\xbb\xbf") ? "\xef\xbb\xbf" : "";
  const std::size_t begin = std::min(small.find_first_not_of(" \t\r\n", mark.size()), small.size());
  const std::size_t declared = small.find("encoding");
  const std::string_view encoding =
      std::string_view{small}.substr(std::min(declared, small.size()), 24);
  return has_any(small, {"m2e", "&#", "<![", "<!d", "<!e"}) ||
         (begin < small.size() && small[begin] != '<') ||
         (declared < small.find("?>") && !has_any(encoding, {"utf-8", "ascii", "iso-8859"}));
}

// `name` is folded.
bool names_what_it_checks(std::string_view name) {
  constexpr std::array<std::string_view, 11> kNames = {
      ".rubocop.yml",      ".standard.yml",     ".erb_lint.yml",   ".erb-lint.yml",
      ".haml-lint.yml",    ".slim-lint.yml",    ".solargraph.yml", "phpstan.neon",
      "phpstan.neon.dist", "phpstan.dist.neon", ".ansible-lint"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

std::string requirements_in(std::string_view text) {
  // The last six: PHPStan's extensions and the place of its cache, which is code as well.
  constexpr std::array<std::string_view, 22> kKeys = {"require",
                                                      "requires",
                                                      "require_paths",
                                                      "plugins",
                                                      "inherit_from",
                                                      "inherit_gem",
                                                      "extends",
                                                      "includes",
                                                      "bootstrapfiles",
                                                      "rulesdir",
                                                      "services",
                                                      "reporters",
                                                      "autoload_directories",
                                                      "extensions",
                                                      "rules",
                                                      "tmpdir",
                                                      "objectmanagerloader",
                                                      "consoleapplicationloader",
                                                      "autoload_files",
                                                      "resultcachepath",
                                                      "drupal_root",
                                                      "magentoroot"};
  return lists_of_keys(text, kKeys, Backslashes::OfValues);
}

}  // namespace

bool names_programs(std::string_view attributes) {
  if (attributes.find('\0') != std::string_view::npos) {
    return true;
  }
  const std::vector<std::string> lines = split(attributes, '\n');
  return std::any_of(lines.begin(), lines.end(),
                     [](const std::string& line) { return line_names_programs(line); });
}

std::string tool_settings_in(std::string_view name, std::string_view text) {
  if (is_in_wide_letters(text)) {
    return std::string{text};
  }
  if (name == "package.json") {
    return keys_of_json(text, kPackageKeys);
  }
  if (name == kPackageMap) {
    return keys_of_json(text, kMapKeys);
  }
  if (name == "composer.json") {
    return keys_of_json(text, kComposerKeys);
  }
  if (is_script_config(name)) {
    return keys_of_json(text, kScriptKeys) + other_configurations_in(text);
  }
  if (name.starts_with("deno.")) {
    return keys_of_json(text, kDenoKeys);
  }
  if (is_speller_config(name)) {
    return imports_of_speller(text);
  }
  if (name == "cargo.toml") {
    return crate_settings_in(text);
  }
  if (name == "pom.xml") {
    return may_speak_of_editors(text) ? std::string{text} : parts_of_maven(text);
  }
  if (is_part_of_checker(name)) {
    // https://docs.rubocop.org/rubocop/configuration.html#pre-processing
    const bool runs_ruby = !name.ends_with(".neon") && text.find("<%") != std::string_view::npos;
    return runs_ruby ? std::string{text} : requirements_in(text);
  }
  if (name.starts_with("cmakelists.txt") || name == "meson.build" || name.ends_with(".cmake") ||
      name.ends_with(".cmake.in")) {
    return calls_of_build(name, text);
  }
  return name == "pyproject.toml" ? tables_of_toml(text) : sections_of_ini(text);
}

std::string leading_settings_in(std::string_view name, std::string_view text) {
  if (name == "package.json") {
    return keys_of_json(text, std::span{kPackageKeys}.first(kPackageKeys.size() - kOfNamesAlone));
  }
  if (is_tool_file(name)) {
    return tool_settings_in(name, text);
  }
  return names_what_it_checks(name) ? requirements_in(text) : std::string{text};
}

}  // namespace shadow::sensitive
