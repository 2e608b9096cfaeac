// SPDX-License-Identifier: MIT
#include "sensitive/leads/home_places.hpp"

#include "base/text.hpp"
#include "sensitive/names/sensitive_names.hpp"

#include <algorithm>
#include <array>

namespace shadow::sensitive {

namespace {

constexpr std::array kPlaces = {HomePlace{".local/bin", 0, 1},
                                HomePlace{"bin", 0, 1},
                                HomePlace{"go/bin", 0, 1},
                                HomePlace{".cargo/bin", 0, 1},
                                HomePlace{".bashrc.d", 0, 1},
                                HomePlace{".ssh", 1, 20},
                                HomePlace{".gnupg", 0, 1},
                                HomePlace{".docker", 0, 1},
                                HomePlace{".docker/cli-plugins", 0, 1},
                                HomePlace{".vim", 2, 300},
                                HomePlace{".vim/pack", 2, 300},
                                HomePlace{".config/nvim", 2, 300},
                                HomePlace{".config/nvim/pack", 2, 300},
                                HomePlace{".local/share/nvim/site/pack", 2, 300},
                                HomePlace{".config/vim", 2, 100},
                                HomePlace{".emacs.d", 1, 300},
                                HomePlace{".emacs.d/straight/repos", 0, 1},
                                HomePlace{".zsh", 1, 100},
                                HomePlace{".oh-my-zsh", 1, 100},
                                HomePlace{".oh-my-zsh/custom", 1, 100},
                                HomePlace{".tmux", 1, 100},
                                HomePlace{".config/fish", 1, 50},
                                HomePlace{".config/systemd/user", 1, 100},
                                HomePlace{".config/autostart", 0, 1},
                                HomePlace{".vscode/extensions", 0, 1},
                                HomePlace{".vscode-server/extensions", 0, 1},
                                HomePlace{".vscode-oss/extensions", 0, 1},
                                HomePlace{".vscode-insiders/extensions", 0, 1},
                                HomePlace{".cursor/extensions", 0, 1},
                                HomePlace{".cursor-server/extensions", 0, 1},
                                HomePlace{".windsurf/extensions", 0, 1},
                                HomePlace{".git", 1, 100},
                                HomePlace{".cargo", 0, 1},
                                HomePlace{".gradle", 0, 1},
                                HomePlace{".m2", 0, 1},
                                HomePlace{".ipython", 2, 100},
                                HomePlace{".local/share/gnome-shell/extensions", 0, 1},
                                HomePlace{".local/share", 2, 500},
                                HomePlace{".config", 3, 1000}};

// bash(1), zsh(1), csh(1), vim(1), tmux(1), gdb(1), ssh_config(5), hgrc(5), sway(5); the manuals of
// nushell, elvish, kitty, alacritty, wezterm, starship, jj and the agents.
constexpr std::array<std::string_view, 115> kStartFiles = {
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".profile",
    ".bash_aliases",
    ".kshrc",
    ".mkshrc",
    ".cshrc",
    ".tcshrc",
    ".login",
    ".xonshrc",
    ".inputrc",
    ".config/fish/config.fish",
    ".config/nushell/config.nu",
    ".config/nushell/env.nu",
    ".config/nushell/login.nu",
    ".config/elvish/rc.elv",
    ".elvish/rc.elv",
    ".config/xonsh/rc.xsh",
    ".config/zsh/.zshrc",
    ".config/zsh/.zshenv",
    ".config/zsh/.zprofile",
    ".xprofile",
    ".xinitrc",
    ".xsession",
    ".xsessionrc",
    ".config/sway/config",
    ".sway/config",
    ".config/i3/config",
    ".i3/config",
    ".config/hypr/hyprland.conf",
    ".vimrc",
    ".vim/vimrc",
    ".gvimrc",
    ".exrc",
    ".config/nvim/init.vim",
    ".config/nvim/init.lua",
    ".config/vim/vimrc",
    ".emacs",
    ".emacs.d/init.el",
    ".emacs.d/early-init.el",
    ".config/emacs/init.el",
    ".config/helix/languages.toml",
    ".nanorc",
    ".tmux.conf",
    ".config/tmux/tmux.conf",
    ".screenrc",
    ".config/kitty/kitty.conf",
    ".config/alacritty/alacritty.toml",
    ".config/alacritty/alacritty.yml",
    ".alacritty.toml",
    ".alacritty.yml",
    ".wezterm.lua",
    ".config/wezterm/wezterm.lua",
    ".config/ghostty/config",
    ".config/zellij/config.kdl",
    ".config/foot/foot.ini",
    ".config/starship.toml",
    ".config/direnv/direnvrc",
    ".config/direnv/direnv.toml",
    ".direnvrc",
    ".config/mise/config.toml",
    ".config/atuin/config.toml",
    ".hgrc",
    ".config/hg/hgrc",
    ".config/jj/config.toml",
    ".jjconfig.toml",
    ".gdbinit",
    ".config/gdb/gdbinit",
    ".lldbinit",
    ".pdbrc",
    ".irbrc",
    ".pryrc",
    ".Rprofile",
    ".pylintrc",
    ".pythonrc",
    ".ghci",
    ".psqlrc",
    ".sqliterc",
    ".ssh/config",
    ".ssh/rc",
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".cargo/config.toml",
    ".cargo/config",
    ".config/pip/pip.conf",
    ".pip/pip.conf",
    ".gnupg/gpg-agent.conf",
    ".docker/config.json",
    ".aws/config",
    ".kube/config",
    ".aws/amazonq/mcp.json",
    ".codeium/windsurf/mcp_config.json",
    ".kiro/settings/cli.json",
    ".config/lectic/lectic.yaml",
    ".config/opencode/opencode.json",
    ".config/opencode/opencode.jsonc",
    ".opencode.json",
    ".config/crush/crush.json",
    ".config/goose/config.yaml",
    ".config/amp/settings.json",
    ".aider.conf.yml",
    ".config/Code/User/settings.json",
    ".config/Code/User/mcp.json",
    ".config/Code/User/tasks.json",
    ".config/VSCodium/User/settings.json",
    ".config/VSCodium/User/mcp.json",
    ".config/Cursor/User/settings.json",
    ".config/Cursor/User/mcp.json",
    ".config/Windsurf/User/settings.json",
    ".config/zed/settings.json",
    ".config/zed/tasks.json",
    ".config/Claude/claude_desktop_config.json"};
constexpr std::array<std::string_view, 5> kOfZsh = {".zshrc", ".zshenv", ".zprofile", ".zlogin",
                                                    ".zlogout"};
constexpr std::array<std::string_view, 13> kOfAgents = {
    "settings.json",      "settings.local.json", "config.json",       "config.toml",
    "config.yaml",        "config.yml",          "hooks.json",        "mcp.json",
    "mcp_config.json",    "mcp-config.json",     "mcp_settings.json", "settings/mcp.json",
    "settings/hooks.json"};

// systemd.unit(5), programs of the desktop, fish(1), sway(5), environment.d(5).
constexpr std::array<std::string_view, 9> kStartDirectories = {
    ".config/systemd/user",   ".config/autostart",        ".config/fish/conf.d",
    ".config/fish/functions", ".config/nushell/autoload", ".bashrc.d",
    ".config/sway/config.d",  ".config/environment.d",    ".ssh/config.d"};

constexpr std::array<std::string_view, 9> kObeyedWhole = {
    "bin", ".local/bin", ".config", ".vim", ".emacs.d", ".zsh", ".oh-my-zsh", ".bashrc.d", ".tmux"};

constexpr std::array<std::string_view, 13> kExtensions = {
    ".docker/cli-plugins",         ".vscode/extensions",
    ".vscode-server/extensions",   ".vscode-oss/extensions",
    ".vscode-insiders/extensions", ".cursor/extensions",
    ".cursor-server/extensions",   ".windsurf/extensions",
    ".local/share/nvim",           ".local/share/gnome-shell/extensions",
    ".local/share/kwin",           ".local/share/plasma",
    ".local/share/nautilus-python"};

// The reason of the list for them.
constexpr std::string_view kOfAgent = "an agent's own settings and hooks";

template <typename Some>
bool is_in_one(const Some& some, std::string_view path) {
  return std::any_of(some.begin(), some.end(),
                     [path](std::string_view one) { return is_at_or_below(path, one); });
}

}  // namespace

std::span<const HomePlace> home_places() {
  return kPlaces;
}

std::vector<std::string_view> directories_of_agents() {
  std::vector<std::string_view> found;
  for (const SensitiveName& one : sensitive_names()) {
    if (one.reason == kOfAgent && one.kind == SensitiveKind::Directory &&
        one.name.find('/') == std::string_view::npos) {
      found.push_back(one.name);
    }
  }
  return found;
}

std::span<const std::string_view> settings_of_agents() {
  return kOfAgents;
}

std::span<const std::string_view> start_files() {
  return kStartFiles;
}

std::span<const std::string_view> start_files_of_zsh() {
  return kOfZsh;
}

std::span<const std::string_view> start_directories() {
  return kStartDirectories;
}

std::span<const std::string_view> places_obeyed_whole() {
  return kObeyedWhole;
}

bool is_obeyed_whole(std::string_view link) {
  static const std::vector<std::string_view> agents = directories_of_agents();
  return is_in_one(kObeyedWhole, link) || is_in_one(kExtensions, link) || is_in_one(agents, link);
}

}  // namespace shadow::sensitive
