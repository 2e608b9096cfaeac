// SPDX-License-Identifier: MIT
// The files that a package's own map gives for the names that its programs import. Pure.

#pragma once

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::sensitive {

// Of a package.json "imports" and, for the package's own name, "exports" (Node's
// PACKAGE_IMPORTS_RESOLVE and PACKAGE_SELF_RESOLVE, nodejs.org/api/esm.html); of a deno.json or an
// import map "imports" (html.spec.whatwg.org, "import maps"); of a tsconfig.json "paths" and
// "baseUrl" (typescriptlang.org/tsconfig), which the loaders of some programs obey. All conditions
// count.
class PackageMap {
 public:
  PackageMap() = default;
  // No map where that is no JSON, but for comments and spare commas.
  explicit PackageMap(std::string_view text);

  [[nodiscard]] bool empty() const { return exact_.empty() && rules_.empty(); }

  // As the map has them, without "./": relative to its directory.
  [[nodiscard]] std::vector<std::string> files_of(std::string_view name) const;

 private:
  using Targets = std::vector<std::string>;

  struct Rule {
    std::string name;  // "*" in it is any text, and "/" at its end what lies below
    Targets targets;
  };

  void add(std::string name, Targets targets);
  void add_paths_of(const nlohmann::json& options);

  std::map<std::string, Targets, std::less<>> exact_;  // of other names: a package may have many
  std::vector<Rule> rules_;
};

// What stands between two quotes of a line, whether the first of them opens or not.
[[nodiscard]] std::vector<std::string_view> quoted_words(std::string_view text);

}  // namespace shadow::sensitive
