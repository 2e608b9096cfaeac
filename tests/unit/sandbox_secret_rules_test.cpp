// SPDX-License-Identifier: MIT
#include "sandbox/secrets/known_places.hpp"
#include "sandbox/secrets/secret_rules.hpp"
#include "sandbox/secrets/secrets.hpp"
#include "support/scratch.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using shadow::sandbox::is_left_over;
using shadow::sandbox::names_history;
using shadow::sandbox::names_secret;

namespace {

struct Class {
  const char* what;
  std::vector<std::string> files;  // of a home
};

// What firejail, srt, gitleaks and trufflehog hide or look for, a few of each class.
const std::vector<Class> kSecrets = {
    {"keys",
     {".ssh/id_rsa", ".attic/keys/k", ".local/share/python_keyring/keyring_pass.cfg", ".john/pot",
      ".retroshare/k", "server.key.bak", "home.ovpn", "old.kdb", "AuthKey_1.p8", ".tsh/keys/k"}},
    {"wallets",
     {".electron-cash/wallets/w", ".config/Trezor Suite/s", "wallet.dat.bak", ".newcoin/w"}},
    {"password stores", {".password-store/x.gpg", ".config/sinew.in/Enpass.conf", ".op/config"}},
    {"cloud and registry logins",
     {".aws/credentials", ".dockercfg", ".config/granted/config", ".conan2/credentials.json",
      ".svn/auth/a", ".config/circleci/c", ".curlrc", ".trc"}},
    {"logins of single tools",
     {".google_authenticator",
      ".lima/_config/user",
      ".colima/_lima/_config/user",
      ".k3d/kubeconfig",
      ".config/gspread/credentials",
      ".config/fastly/config.toml",
      ".config/mongocli/config.toml",
      ".config/atlascli/config.toml",
      ".zuliprc",
      ".pd.yml",
      ".config/bk.yaml",
      ".buildkite/c",
      ".p4tickets",
      ".cvspass",
      ".config/lftp/rc",
      ".pvpn-cli/pvpnpass",
      ".actrc",
      ".restic-pw",
      "service-account.json",
      "service_account.json"}},
    {"logins of backups, clouds, proxies and notifiers",
     {".config/rustic/r.toml",
      ".config/resticprofile/p",
      ".autorestic.yml",
      ".autorestic.env",
      ".duplicacy/k",
      ".config/mise/age.txt",
      ".config/fnox/a",
      ".composio/u",
      ".e2b/c",
      ".daytona/c",
      ".config/daytona/c",
      ".beam/c",
      ".trussrc",
      ".cerebrium/c",
      ".prefect/profiles.toml",
      ".dagster_cloud_cli/c",
      ".astro/config.yaml",
      ".config/roboflow/c",
      ".comet.config",
      ".config/clearml.conf",
      ".config/clash/c",
      ".config/mihomo/c",
      ".config/v2ray/c",
      ".config/xray/c",
      ".config/sing-box/c",
      ".config/shadowsocks/c",
      ".shadowsocks.json",
      ".config/frp/c",
      ".frpc.ini",
      ".apprise.yml",
      ".config/apprise/c",
      ".config/telegram-send.conf",
      ".config/ntfy/client.yml",
      ".config/gotify/c",
      ".aicommits",
      ".opencommit",
      ".config/mosquitto_pub",
      ".config/calcurse/caldav/c",
      ".config/streamrip/c",
      ".steam/steam/config/config.vdf"}},
    {"a login under a name of its own",
     {".config/any/auth.json", ".local/share/any/token", ".local/state/any/credentials.json",
      ".any/credentials", ".any/access_key", ".any-tool_key", ".any/secrets/a",
      ".config/any/tokens/a", ".config/any/server_key", "deploy_key"}},
    {"browsers of every channel",
     {".config/google-chrome-canary/C", ".config/chromium-dev/C", ".mullvad/browser/x",
      ".cache/ungoogled-chromium/x", ".kde/share/apps/kcookiejar/cookies"}},
    {"the same program's data and caches",
     {".cache/Franz/x", ".local/share/spotify/x", ".cache/geary/x", "snap/obsidian/x"}},
    {"mail, messengers", {".icedove/p", ".pine-debug1", ".config/Session/x", ".mcabber/h"}},
    {"histories",
     {".zsh/history", ".mutthistory", ".local/share/nu/history.txt", ".vim/.netrwhist"}},
    {"editors", {".PyCharm2019.3/config/c.kdbx", ".config/Kiro/x", ".cursor-server/data/x"}},
    {"transcripts", {".claude/backups/b", ".claude/ide/1.lock", ".cache/claude-cli-nodejs/m"}},
    {"tokens of local servers", {".streamlit/secrets.toml", ".config/mpd/mpd.conf"}},
    {"logins and keys of single programs",
     {".gitlab-runner/config.toml",
      "actions-runner/.credentials",
      ".edgerc",
      ".ossutilconfig",
      ".cos.yaml",
      ".config/yandex-cloud/config.yaml",
      ".config/pdm/config.toml",
      ".config/helm/repositories.yaml",
      ".config/borgmatic/config.yaml",
      ".config/kopia/repository.config.kopia-password",
      ".duply/p/conf",
      ".cdsapirc",
      ".irods/.irodsA",
      ".globus/userkey.pem",
      ".synapseConfig",
      ".dnanexus_config/s",
      "clearml.conf",
      ".mamba/auth/authentication.json",
      ".passage/store/x",
      ".ssh2/k",
      ".orbstack/ssh/id_ed25519",
      "snap/lxd/common/config/client.key",
      ".local/share/db_ui/connections.json",
      ".transifexrc",
      ".crowdin.yml",
      ".phrase.yml",
      ".neomuttrc",
      ".imapfilter/config.lua",
      ".platformio/appstate.json",
      ".config/spotifyd/spotifyd.conf",
      ".sbt/1.0/sonatype.sbt",
      ".config/environment.d/10.conf",
      ".config/claude/projects/p/1.jsonl",
      ".qwen/projects/p/1"}},
    {"what is being written", {".docker/config.json1234567", ".npmrc.1234", ".netrc12345"}},
    {"copies",
     {".netrc.bak", ".id_rsa.swp", ".aws-2024/credentials", "passwords.txt~", "ssh-backup/id",
      "aws.bak/credentials"}},
    {"copies of a directory that has some, and second logins",
     {".claude-work/.credentials.json", ".claude-work/projects/p/1.jsonl", ".claude2/projects/p/1",
      ".codex-2/auth.json", ".docker.bak/config.json", ".config.bak/gh/hosts.yml",
      ".config.bak/containers/auth.json", ".config.bak/any/auth.json",
      ".config-old/helm/repositories.yaml", "actions-runner-2/.credentials",
      ".cargo.bak/credentials.toml", ".local.bak/share/keyrings/k"}}};

const std::vector<Class> kPlain = {
    {"toolchains",
     {".cargo/bin/cargo",
      ".cargo/config.toml",
      ".cargo/registry/cache/c",
      ".rustup/settings.toml",
      ".npm/_cacache/x",
      ".platformio/penv/bin/pio",
      ".irods/irods_environment.json",
      ".sbt/1.0/plugins/p.sbt",
      ".config/nix/nix.conf",
      ".claude-work/CLAUDE.md",
      ".claude2/settings.json",
      ".docker.bak/cli-plugins/p",
      ".cargo-2/bin/cargo",
      ".config.bak/nvim/init.lua",
      "actions-runner-2/run.sh",
      "ssh-tools/x",
      ".config/helm/plugins/p",
      ".mamba/pkgs/p",
      ".orbstack/bin/docker",
      "actions-runner/run.sh",
      ".gitlab-runner/cache/c",
      ".config/claude/settings.json",
      ".qwen/settings.json",
      ".nvm/nvm.sh",
      "go/bin/gopls",
      ".pyenv/version",
      ".sdkman/x",
      ".bun/bin/b",
      ".foundry/bin/forge",
      ".m2/repository/x",
      ".gradle/caches/x",
      ".local/bin/tool"}},
    {"data of programs that are run",
     {".local/share/solana/install/bin/s", ".local/share/JetBrains/Toolbox/t",
      ".cache/puppeteer/chrome/c", ".local/share/gh/extensions/e", ".local/share/nvim/lazy/l",
      ".local/share/bash-completion/completions/c", ".cursor-server/bin/b", ".vscode/extensions/e",
      ".cache/huggingface/hub/m", ".cache/pip/x", ".cache/hex/p", ".docker/cli-plugins/p"}},
    {"settings",
     {".gitconfig", ".config/git/config", ".bashrc", ".config/nvim/init.lua", ".config/fish/c.fish",
      ".claude/CLAUDE.md", ".claude/settings.json", ".codex/AGENTS.md", ".config/author.toml"}},
    {"the user's own",
     {"mail-server/x", "tokens/x", "authors.json", "tokenizer.json", "monkey.txt", "keyboard.md",
      "work/deploy_key"}}};

}  // namespace

TEST_SUITE("sandbox/secret_rules") {
  TEST_CASE("a copy of a known name is known by what stands before a sign, or around it") {
    const auto known = [](std::string_view name) {
      return name == ".netrc" || name == "chrome" || name == "config.json";
    };
    for (const char* name :
         {".netrc~", ".netrc.bak", ".netrc-2024", ".netrc_old", ".netrc (copy)", "..netrc.swp",
          "#.netrc#", ".#.netrc", ".netrc.tar.gz", "chrome-beta", ".chrome.swo", "#chrome#",
          ".netrc2", ".netrc3892749123", "config.bak.json", "config-work.json", "config (1).json",
          "config2.json"}) {
      CAPTURE(name);
      CHECK(is_left_over(name, known));
    }
    for (const char* name :
         {".netrc", ".netrcs", ".netrc2x", "chrome", "chromedriver", "x.netrc.bak", "google-chrome",
          "", ".", "config.json", "configs.json", "config.yaml", "config.bak.yaml"}) {
      CAPTURE(name);
      CHECK_FALSE(is_left_over(name, known));
    }
  }

  TEST_CASE("a name is a secret's by whole words") {
    for (const char* name :
         {"token", ".github_token", "tokens.json", "auth-token.txt", "Passwords.kdbx",
          "my.password", ".secrets", "credentials", "API_KEY", "wallet.dat", ".dogecoin", "Cookies",
          "recovery-codes.txt", ".vault_pass.txt"}) {
      CAPTURE(name);
      CHECK(names_secret(name));
    }
    for (const char* name : {".tokenizers", "secretary.txt", "passwordless", ".cookiecutters",
                             "coin", "walletconnect", "keyboard", ".config"}) {
      CAPTURE(name);
      CHECK_FALSE(names_secret(name));
    }
    CHECK(names_history(".zsh_history"));
    CHECK(names_history(".lesshst"));
    CHECK(names_history(".pythonhist"));
    CHECK_FALSE(names_history(".config"));
  }

  TEST_CASE("each class of the published lists is found in a home, and no toolchain is") {
    const shadow::test::Scratch home;
    for (const std::vector<Class>* classes : {&kSecrets, &kPlain}) {
      for (const Class& one : *classes) {
        for (const std::string& file : one.files) {
          const std::string path = home / file;
          shadow::test::make_dirs(path.substr(0, path.rfind('/')));
          shadow::test::write_file(path, "x");
        }
      }
    }
    std::vector<std::string> hidden = shadow::sandbox::home_masks({});
    const shadow::sandbox::RuleSecrets found =
        shadow::sandbox::secrets_by_rule(shadow::test::open_dir(home.path()).get(), hidden, {});
    hidden.insert(hidden.end(), found.names.begin(), found.names.end());
    const auto is_hidden = [&hidden](const std::string& file) {
      return std::any_of(hidden.begin(), hidden.end(), [&file](const std::string& mask) {
        return file == mask || file.starts_with(mask + "/");
      });
    };
    for (const Class& one : kSecrets) {
      for (const std::string& file : one.files) {
        CAPTURE(one.what);
        CAPTURE(file);
        CHECK(is_hidden(file));
      }
    }
    for (const Class& one : kPlain) {
      for (const std::string& file : one.files) {
        CAPTURE(one.what);
        CAPTURE(file);
        CHECK_FALSE(is_hidden(file));
      }
    }
    // A mask for each, and none twice.
    std::vector<std::string> names = found.names;
    std::sort(names.begin(), names.end());
    CHECK(std::unique(names.begin(), names.end()) == names.end());
  }
}
