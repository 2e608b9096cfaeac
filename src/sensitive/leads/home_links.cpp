// SPDX-License-Identifier: MIT
#include "sensitive/leads/home_links.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sensitive/leads/home_places.hpp"
#include "sensitive/names/script_words.hpp"
#include "sensitive/names/search_paths.hpp"
#include "sensitive/parts/json_scan.hpp"
#include "sensitive/walk/real_path.hpp"
#include "sensitive/walk/user_file.hpp"
#include "sensitive/walk/way_back.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/file.hpp"
#include "sys/processes/process.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <dirent.h>
#include <fcntl.h>

namespace shadow::sensitive {

namespace {

constexpr std::size_t kMostStartFiles = 300;
constexpr std::size_t kMostOfAnAgent = 50;           // directories
constexpr std::size_t kMostDirectoriesOfPath = 100;  // of which links are read,
constexpr std::size_t kMostCommands = 5000;  // and of these, to follow one takes 20 microseconds

// One place under the name that it has in the home, and where it is.
struct PlaceAt {
  std::string name;  // ".config/nvim"
  std::string path;  // absolute
  int levels = 0;
};

class HomeSearch {
 public:
  HomeSearch(const HomeSetup& setup, const std::string& root, const LookAt& look)
      : setup_{setup}, root_{root}, look_{look} {}

  std::vector<NamedPath> find() {
    for (const std::string_view name : places_obeyed_whole()) {
      add_places(name);
    }
    list({"", setup_.home, 0}, 1, true);
    for (const HomePlace& place : home_places()) {
      for (PlaceAt& at : places_of(place.name, place.levels)) {
        list(std::move(at), place.most, false);
      }
    }
    for (const std::string_view file : start_files()) {
      for (const PlaceAt& at : places_of(file)) {
        read_start_file(at.path);
      }
    }
    read_of_zsh();
    read_start_file(sys::join_path(setup_.home, ".claude.json"), true);
    for (const std::string_view agent : directories_of_agents()) {
      add_agent(agent);
    }
    for (const std::string_view directory : start_directories()) {
      for (const PlaceAt& at : places_of(directory)) {
        read_start_files_in(at.path);
      }
    }
    for (const std::string& directory : split(setup_.path, ':')) {
      add_entry_of_path(directory);
    }
    return std::move(found_);
  }

 private:
  // What is in ~/.config may be in XDG_CONFIG_HOME: programs that do not heed it look in the home.
  [[nodiscard]] std::vector<PlaceAt> places_of(std::string_view name, int levels = 0) const {
    constexpr std::string_view kConfig = ".config";
    std::vector<PlaceAt> places = {{std::string{name}, sys::join_path(setup_.home, name), levels}};
    if (is_at_or_below(name, kConfig) && setup_.config.starts_with('/') &&
        setup_.config != sys::join_path(setup_.home, kConfig)) {
      places.push_back(
          {std::string{name}, setup_.config + std::string{name.substr(kConfig.size())}, levels});
    }
    return places;
  }

  // As the user writes it.
  [[nodiscard]] std::string shown(const std::string& path) const {
    return is_at_or_below(path, setup_.home) ? "~" + path.substr(setup_.home.size()) : path;
  }

  void add_places(std::string_view name) {
    for (const PlaceAt& place : places_of(name)) {
      const std::string real = real_path_of(place.path);
      add_links_to(place.path, shown(place.path) + " is it, which programs obey");
      if (is_at_or_below(root_, real) && !real.empty()) {
        add_all("the project is in " + shown(place.path) + ", which programs obey");
      } else {
        add(real, shown(place.path) + " is it, which programs obey", Reach::Below);
      }
    }
  }

  // Level by level: what is deepest is left out where there is too much.
  void list(PlaceAt place, std::size_t most, bool dots_alone) {
    std::deque<PlaceAt> next = {std::move(place)};
    for (std::size_t i = 0; i < most && !next.empty(); ++i) {
      const PlaceAt one = std::move(next.front());
      next.pop_front();
      const auto [known, fresh] = listed_.try_emplace(one.path, one.levels);
      if (!fresh && known->second >= one.levels) {
        continue;
      }
      known->second = one.levels;
      for (const sys::DirEntry& entry : entries_of(one.path)) {
        const std::string name = sys::join_path(one.name, entry.name);
        const std::string path = sys::join_path(one.path, entry.name);
        if (entry.type == DT_LNK && (!dots_alone || entry.name.front() == '.')) {
          add_link(name, path);
        } else if (entry.type == DT_DIR && one.levels > 0) {
          next.push_back({name, path, one.levels - 1});
        }
      }
    }
  }

  static std::vector<sys::DirEntry> entries_of(const std::string& directory) {
    const sys::Fd fd = sys::try_open_at(AT_FDCWD, directory, O_RDONLY | O_DIRECTORY);
    return fd ? sys::list_dir(fd.get()) : std::vector<sys::DirEntry>{};
  }

  void add_link(const std::string& name, const std::string& link) {
    const std::string real = real_path_of(link);
    const std::string reason = shown(link) + " is a link to it";
    add_links_to(link, reason);
    // What leads to the home or further up (Wine's "z:") says nothing of a project there.
    const bool above = real != root_ && is_at_or_below(setup_.home, real);
    if (is_at_or_below(root_, real) && !real.empty() && !above && is_obeyed_whole(name)) {
      add_all(reason);
    } else {
      add(real, reason, Reach::Below);
    }
  }

  void add_agent(std::string_view name) {
    const std::string directory = sys::join_path(setup_.home, name);
    if (!sys::try_open_at(AT_FDCWD, directory, O_PATH | O_DIRECTORY)) {
      return;
    }
    list({std::string{name}, directory, 2}, kMostOfAnAgent, false);
    for (const std::string_view file : settings_of_agents()) {
      read_start_file(sys::join_path(directory, file));
    }
  }

  void read_of_zsh() {
    for (const std::string& directory : {setup_.home, setup_.zsh}) {
      if (!directory.starts_with('/')) {
        continue;
      }
      list({".zsh", directory, 0}, 1, true);
      for (const std::string_view file : start_files_of_zsh()) {
        read_start_file(sys::join_path(directory, file));
      }
    }
  }

  void read_start_files_in(const std::string& directory) {
    for (const sys::DirEntry& entry : entries_of(directory)) {
      read_start_file(sys::join_path(directory, entry.name));
    }
  }

  // Of Claude's own file, in which it notes very much, what it runs.
  static std::string text_of(const std::string& file, bool of_claude) {
    constexpr std::uint64_t kMostOfClaude = 1U << 24U;
    constexpr std::array<std::string_view, 5> kRuns = {"mcpServers", "hooks", "statusLine",
                                                       "apiKeyHelper", "env"};
    return of_claude ? values_of_keys(text_of_user_file(file, kMostOfClaude), kRuns)
                     : text_of_user_file(file);
  }

  // Files of the home that it names are read in turn, unless they belong to the project.
  void read_start_file(const std::string& file, bool of_claude = false) {
    read_start_file(file, shown(file), of_claude);
  }

  void read_start_file(const std::string& file, const std::string& name, bool of_claude) {
    if (texts_ >= kMostStartFiles || !read_.insert(file).second) {
      return;
    }
    const std::string text = text_of(file, of_claude);
    texts_ += text.empty() ? 0U : 1U;
    for (const std::string& line : split(text, '\n')) {
      if (puts_on_path(line)) {
        for (const std::string& entry : relative_entries(line)) {
          add_anywhere(entry, name + " has it on a path");
        }
      }
    }
    std::unordered_set<std::string> seen;
    for (const Mention& one : mentions_in(text, TextKind::Script)) {
      if (one.path.find('/') != std::string::npos && !one.python_path &&
          seen.insert(one.path + (one.below ? "\n" : "") + (one.of_variable ? "\r" : "")).second) {
        take(one, name);
      }
    }
  }

  void take(const Mention& one, const std::string& name) {
    std::string path = one.path;
    if (path.starts_with("HOME/")) {
      path.replace(0, 4, "~");
    }
    path = with_home(path, setup_.home);
    path = path.starts_with('/') ? path : sys::join_path(setup_.home, path);
    const std::string real = real_path_of(path);
    add_links_to(path, name + " names it");
    if (is_at_or_below(root_, real) && one.below && !one.of_variable && !real.empty()) {
      add_all(name + " names it");
    }
    add(real, name + " names it", below_if(one.below), one.if_fresh);
    if (is_at_or_below(real, setup_.home) && !is_at_or_below(real, root_)) {
      read_start_file(real, name, false);
    }
  }

  void add_entry_of_path(const std::string& directory) {
    if (directory.starts_with('/')) {
      const std::string real = real_path_of(directory);
      add_links_to(directory, "it is on your PATH");
      if (real == root_) {
        add_all("it is on your PATH");
      }
      add(real, "it is on your PATH", Reach::Below);
      if (!is_at_or_below(real, root_) && !is_of_packages(real) &&
          path_directories_++ < kMostDirectoriesOfPath) {
        add_commands_in(directory);
      }
      return;
    }
    for (const std::string& entry : relative_entries_of_list(directory)) {
      add_anywhere(entry, "it is on your PATH");
    }
  }

  // Whose links the system's packages make: some hundreds.
  static bool is_of_packages(const std::string& directory) {
    return (is_at_or_below(directory, "/usr") && !is_at_or_below(directory, "/usr/local")) ||
           is_at_or_below(directory, "/bin") || is_at_or_below(directory, "/sbin");
  }

  // What "npm link" makes, or the user. A link beside what it leads to is followed there.
  void add_commands_in(const std::string& directory) {
    const sys::Fd fd = sys::try_open_at(AT_FDCWD, directory, O_RDONLY | O_DIRECTORY);
    if (!fd || !listed_.try_emplace(directory, 0).second) {
      return;
    }
    for (const sys::DirEntry& entry : sys::list_dir(fd.get())) {
      if (entry.type != DT_LNK || commands_ >= kMostCommands ||
          find_link_target(fd.get(), entry.name).find('/') == std::string::npos) {
        continue;
      }
      ++commands_;
      const std::string link = sys::join_path(directory, entry.name);
      const std::string reason = shown(link) + " on your PATH is a link to it";
      add_links_to(link, reason);
      add(real_path_of(link), reason, Reach::Itself);
    }
  }

  // Empty if it is gone meanwhile.
  static std::string find_link_target(int directory, const std::string& name) {
    try {
      return sys::read_link_at(directory, name);
    } catch (const Error&) {
      return {};
    }
  }

  // "." is whichever directory the user stands in; that is the project's top most often.
  void add_anywhere(const std::string& path, const std::string& reason) {
    if (path == ".") {
      add_all(reason);
      found_.back().right_in = true;
      found_.push_back(programs_in_any_directory(reason));
      return;
    }
    NamedPath named = named_path(path, reason, Reach::Below);
    named.in_any_directory = true;
    found_.push_back(std::move(named));
  }

  void add_all(const std::string& reason) {
    found_.push_back(named_path("", reason, Reach::Below));
  }

  void add(const std::string& path, const std::string& reason, Reach reach, bool if_fresh = false) {
    if (is_at_or_below(path, root_) && path.size() > root_.size()) {
      found_.push_back(named_path(path.substr(root_.size() + 1), reason, reach));
      found_.back().if_fresh = if_fresh;
    }
  }

  // The project's own links on the way to what an absolute path leads to.
  void add_links_to(const std::string& path, const std::string& reason) {
    for (const std::string& link : walk_link_back("", path, root_, look_).links) {
      found_.push_back(named_path(link, reason));
    }
  }

  const HomeSetup& setup_;
  const std::string& root_;
  const LookAt& look_;
  std::unordered_map<std::string, int> listed_;  // and how many levels below
  std::unordered_set<std::string> read_;
  std::size_t texts_ = 0;
  std::size_t path_directories_ = 0;
  std::size_t commands_ = 0;
  std::vector<NamedPath> found_;
};

}  // namespace

HomeSetup home_of_caller() {
  const auto of = [](const char* name) { return sys::environment(name).value_or(""); };
  const std::string home = of("HOME");
  return {home, of("PATH"), sys::user_config_dir(home), of("ZDOTDIR")};
}

std::vector<NamedPath> paths_obeyed_in_home(const HomeSetup& setup, const std::string& root,
                                            const LookAt& look) {
  return setup.home.empty() ? std::vector<NamedPath>{} : HomeSearch{setup, root, look}.find();
}

}  // namespace shadow::sensitive
