// SPDX-License-Identifier: MIT
// Plain directory trees for tests of promotion: made, described, and compared into changes.

#pragma once

#include "shadow/change.hpp"
#include "shadow/steps.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::test {

// Each of these makes missing parents. Paths may be longer than PATH_MAX.
void write_file(const std::string& root, std::string_view path, std::string_view bytes,
                unsigned mode = 0644);
void make_dir(const std::string& root, std::string_view path, unsigned mode = 0755);
void make_symlink(const std::string& root, std::string_view path, const std::string& target);
void make_fifo(const std::string& root, std::string_view path);
void make_socket(const std::string& root, std::string_view path);
void make_hard_link(const std::string& root, std::string_view from, std::string_view to);
void set_mode(const std::string& root, std::string_view path, unsigned mode);
void set_xattr(const std::string& root, std::string_view path, const std::string& name,
               const std::string& value);
void remove(const std::string& root, std::string_view path);
[[nodiscard]] std::string read(const std::string& root, std::string_view path);

// Every path with its type, mode, content or target, and user.* attributes. Two trees are the same
// when their descriptions are.
using Description = std::map<std::string, std::string>;
[[nodiscard]] Description describe(const std::string& root);

// What turns `real` into `wanted`, as a scan of an upper that holds all of `wanted` would say.
[[nodiscard]] std::vector<Change> changes_between(const std::string& real,
                                                  const std::string& wanted);

// The plan of an apply of all of these, with nothing chosen, merged or judged.
[[nodiscard]] ApplyPlan plan_apply(const std::vector<Change>& changes);

}  // namespace shadow::test
