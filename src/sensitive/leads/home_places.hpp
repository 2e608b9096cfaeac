// SPDX-License-Identifier: MIT
// Where in a home programs look when they start. Pure.

#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace shadow::sensitive {

// A directory that is looked through for links, how many levels below it as well, and how many
// directories at most: to list one takes some 15 microseconds.
struct HomePlace {
  std::string_view name;
  int levels;
  std::size_t most;
};

// What is small comes first.
[[nodiscard]] std::span<const HomePlace> home_places();

// Names of the directories in which agents keep their settings (".claude"): those of the list.
[[nodiscard]] std::vector<std::string_view> directories_of_agents();

// Files in such a directory that name programs.
[[nodiscard]] std::span<const std::string_view> settings_of_agents();

// Files that a shell, an editor, a terminal, a debugger or an agent reads when it starts, and that
// can name programs.
[[nodiscard]] std::span<const std::string_view> start_files();

// Those of zsh, which ZDOTDIR has elsewhere.
[[nodiscard]] std::span<const std::string_view> start_files_of_zsh();

// Directories of which every file is such a one.
[[nodiscard]] std::span<const std::string_view> start_directories();

// Directories of which everything is a command, or is read when a program starts. A project that is
// one, or lies in one, is obeyed as a whole.
[[nodiscard]] std::span<const std::string_view> places_obeyed_whole();

// True for a link of this name below the home if what it leads to is obeyed as a whole: it lies in
// a place of that kind, or is an extension of an editor, a shell or an agent.
[[nodiscard]] bool is_obeyed_whole(std::string_view link);

}  // namespace shadow::sensitive
