// SPDX-License-Identifier: MIT
#include "sandbox/secrets/secrets.hpp"

#include "shadow/error.hpp"

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <array>

#include <fnmatch.h>

namespace shadow::sandbox {
namespace {

// A mask is the exact name: it must hold for a file that appears later.
constexpr std::array kHomeSecrets = {
    // keys and agents
    ".ssh", ".gnupg", ".password-store", ".local/share/keyrings", ".local/share/kwalletd", ".pki",
    ".age", ".config/age", ".config/sops", ".yubico", ".vault-token",
    // cloud and cluster logins
    ".aws", ".azure", ".kube", ".config/gcloud", ".config/doctl", ".oci", ".config/hcloud",
    ".config/rclone", ".s3cfg", ".boto", ".terraform.d/credentials.tfrc.json", ".terraformrc",
    ".pulumi/credentials.json", ".config/flyctl", ".fly", ".config/heroku", ".config/netlify",
    ".config/configstore", ".databrickscfg", ".snowflake", ".cloudflared", ".wrangler",
    ".config/.wrangler", ".huggingface/token", ".cache/huggingface/token", ".kaggle",
    // code hosts, registries, networks
    ".netrc", ".git-credentials", ".config/git/credentials", ".config/gh", ".config/hub",
    ".config/glab-cli", ".pypirc", ".npmrc", ".docker/config.json", ".config/containers/auth.json",
    ".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials",
    ".local/share/gem/credentials", ".m2/settings.xml", ".m2/settings-security.xml",
    ".gradle/gradle.properties", ".nuget/NuGet/NuGet.Config", ".composer/auth.json",
    ".config/composer/auth.json", ".hex", ".config/op", ".config/Bitwarden",
    ".config/Bitwarden CLI", ".config/keepassxc", ".config/1Password", ".pgpass", ".my.cnf",
    ".mylogin.cnf", ".smbcredentials", ".msmtprc", ".fetchmailrc", ".config/msmtp", ".mutt",
    ".muttrc", ".config/neomutt",
    // logins of agent programs
    ".claude/.credentials.json", ".claude.json", ".codex/auth.json", ".gemini/oauth_creds.json",
    ".gemini/google_accounts.json", ".local/share/opencode/auth.json", ".config/github-copilot",
    ".qwen/oauth_creds.json", ".cursor", ".config/Cursor", ".aider.conf.yml",
    // browsers, mail, messengers
    ".mozilla", ".librewolf", ".waterfox", ".thunderbird", ".config/google-chrome",
    ".config/google-chrome-beta", ".config/chromium", ".config/BraveSoftware",
    ".config/microsoft-edge", ".config/vivaldi", ".config/opera", ".cache/mozilla",
    ".cache/google-chrome", ".cache/chromium", ".cache/BraveSoftware", ".cache/microsoft-edge",
    ".cache/thunderbird", ".local/share/qutebrowser", ".local/share/epiphany", ".config/epiphany",
    ".config/Signal", ".config/Slack", ".config/discord", ".config/Element",
    ".local/share/TelegramDesktop", ".var/app", "snap/firefox", "snap/chromium", "snap/thunderbird",
    ".local/share/evolution", ".config/evolution",
    // histories
    ".bash_history", ".zsh_history", ".zhistory", ".histfile", ".ash_history", ".sh_history",
    ".local/share/fish/fish_history", ".local/share/atuin", ".python_history", ".node_repl_history",
    ".psql_history", ".mysql_history", ".sqlite_history", ".rediscli_history", ".dbshell",
    ".mongosh", ".irb_history", ".lesshst", ".wget-hsts", ".viminfo",
    // whoever can reach these acts as the user: X cookies, desktop sessions
    ".Xauthority", ".ICEauthority", ".dbus",
    // shadow's own: the session would otherwise read its reviewer's rules
    ".config/shadow", ".local/state/shadow"};

// Matched with the last component, case ignored. `id_*` is judged in code.
constexpr std::array kSecretNames = {".env*",
                                     "*.pem",
                                     "*.key",
                                     "*.p12",
                                     "*.pfx",
                                     "*.jks",
                                     "*.keystore",
                                     "*.kdbx",
                                     "*.kdb",
                                     "*.psafe3",
                                     "*.ovpn",
                                     "*.p8",
                                     "*.jceks",
                                     "*.ppk",
                                     ".netrc",
                                     ".pypirc",
                                     ".git-credentials",
                                     ".htpasswd",
                                     ".pgpass",
                                     "credentials.json",
                                     "service-account*.json",
                                     "service_account*.json",
                                     "secrets.yml",
                                     "secrets.yaml",
                                     "secrets.json",
                                     "secrets.toml",
                                     "*.tfstate",
                                     "*.tfvars",
                                     ".vault-token"};

// Endings of samples that are checked in to show the form of the real file.
constexpr std::array<std::string_view, 5> kSampleEndings = {".example", ".sample", ".template",
                                                            ".dist", ".pub"};

bool matches(const char* pattern, const std::string& name) {
  return ::fnmatch(pattern, name.c_str(), FNM_CASEFOLD) == 0;
}

// One star at most, as in all of kSecretNames: the names of whole directories are asked for.
bool is_of_form(std::string_view pattern, std::string_view small_name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) {
    return small_name == pattern;
  }
  return small_name.size() + 1 >= pattern.size() &&
         small_name.starts_with(pattern.substr(0, star)) &&
         small_name.ends_with(pattern.substr(star + 1));
}

// Private keys are named id_rsa, id_ed25519_sk, id_work; id_map.c and id_list.py are sources.
bool is_private_key(std::string_view name) {
  return name.starts_with("id_") && name.find('.') == std::string_view::npos;
}

bool below_another(const std::vector<std::string>& masks, const std::string& path) {
  return std::any_of(masks.begin(), masks.end(), [&](const std::string& mask) {
    return path.size() > mask.size() && path.starts_with(mask) && path[mask.size()] == '/';
  });
}

}  // namespace

std::vector<std::string> home_masks(const std::vector<std::string>& extra) {
  std::vector<std::string> masks{kHomeSecrets.begin(), kHomeSecrets.end()};
  if (extra.empty()) {
    return masks;
  }
  for (const std::string& path : extra) {
    if (!sys::is_plain_relative(path)) {
      throw Error{"cannot mask " + quoted(path) + " in the home: not a plain relative path",
                  "name it relative to the home, such as .config/tool/token"};
    }
    masks.push_back(path);
  }
  std::sort(masks.begin(), masks.end());
  masks.erase(std::unique(masks.begin(), masks.end()), masks.end());
  std::vector<std::string> tops;
  std::copy_if(masks.begin(), masks.end(), std::back_inserter(tops),
               [&](const std::string& path) { return !below_another(masks, path); });
  return tops;
}

const std::vector<std::string>& host_sockets() {
  static const std::vector<std::string> sockets = {"/run/docker.sock",
                                                   "/run/docker",
                                                   "/run/podman",
                                                   "/run/containerd",
                                                   "/run/crio",
                                                   "/run/buildkit",
                                                   "/run/dbus",
                                                   "/run/systemd/private",
                                                   "/run/systemd/machine",
                                                   "/run/libvirt",
                                                   "/run/snapd.socket",
                                                   "/run/snapd-snap.socket",
                                                   "/run/lxd.socket",
                                                   "/run/incus",
                                                   "/run/tailscale",
                                                   "/run/pcscd",
                                                   "/run/gdm3",
                                                   "/run/screen",
                                                   "/run/tmux",
                                                   "/var/lib/lxd",
                                                   "/var/lib/incus",
                                                   "/var/snap/lxd/common/lxd",
                                                   "/var/run/docker.sock"};
  return sockets;
}

bool is_secret_file(std::string_view path, const std::vector<std::string>& extra) {
  const std::string name{sys::split_path(path).name};
  const std::string whole{path};
  const bool named = std::any_of(extra.begin(), extra.end(), [&](const std::string& pattern) {
    return matches(pattern.c_str(), pattern.find('/') == std::string::npos ? name : whole);
  });
  if (named) {
    return true;
  }
  for (const std::string_view ending : kSampleEndings) {
    if (name.ends_with(ending)) {
      return false;
    }
  }
  const std::string small = lower_ascii(name);
  return is_private_key(name) ||
         std::any_of(kSecretNames.begin(), kSecretNames.end(),
                     [&small](const char* pattern) { return is_of_form(pattern, small); });
}

}  // namespace shadow::sandbox
