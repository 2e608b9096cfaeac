// SPDX-License-Identifier: MIT
// What is known, gathered from the programs' own manuals and held against what others hide:
// firejail's disable-common.inc and disable-programs.inc. sandbox/secrets/secrets.cpp has those
// that are masked before they exist.
#include "sandbox/secrets/home_secrets.hpp"

#include <algorithm>
#include <array>

namespace shadow::sandbox {
namespace {

// With a comma behind each name. A name may have a blank in it.
constexpr std::array<std::string_view, 14> kNames = {
    // keys, and who unlocks them
    R"(
.ssh, .gnupg, .pki, .age, .config/age, .config/sops, .yubico, .config/Yubico, .2fa, .step, .cert,
.caff, .sigstore, .local/share/pki, .local/share/mkcert, .acme.sh, .lego, .putty, .config/putty,
.nyx, .TrueCrypt, .keychain, .gnome2/keyrings, .local/share/keyrings, .local/share/kwalletd, .kde/share/apps/kwallet,
.kde4/share/apps/kwallet, .config/kwalletrc, .config/ksslcertificatemanager, .minisign, .signify,
.config/age-plugin-yubikey, .tpm2_pkcs11, .hgkeys, .fscrypt, .ecryptfs, .Private, Private, .vaults,
.local/share/plasma-vault, .VeraCrypt, .config/VeraCrypt, .zuluCrypt, .config/Cryptomator,
)",
    // password stores
    R"(
.password-store, .local/share/gopass, .config/gopass, .lastpass, .lpass, .local/share/lpass,
.config/lpass, .config/rbw, .local/share/rbw, .cache/rbw, .config/op, .config/1Password,
.config/Bitwarden, .config/Bitwarden CLI, .config/keepassxc, .config/KeePassXCrc, .cache/keepassxc,
.config/KeePass, .config/keepass, .config/keepassx, .keepass, .keepassx, .keepassxc,
.local/share/KeePass, .local/share/keepass, .config/Enpass, .local/share/Enpass,
.config/Authenticator, .local/share/authenticator-rs, .config/Authy Desktop, .config/Proton Pass,
.config/protonvpn, .config/Proton, .config/buttercup-desktop, .config/keybase, .keybase, .dashlane,
.config/dashlane, .pass-otp,
)",
    // wallets
    R"(
.electrum, .ethereum, .bitcoin, .bitmonero, .monero, .monero-wallet-gui, .dashcore, .zcash,
.litecoin, .dogecoin, .lnd, .lightning, .armory, .multibit, .walletwasabi, .sparrow, .eclair,
.geth, .foundry/keystores, .brownie/accounts, .near-credentials, .config/solana, .config/sui,
.aptos, .cardano-wallet, .terra, .gaia, .config/Exodus, .config/atomic, .config/Ledger Live,
.config/Bitcoin, .config/monero-project, .config/@trezor, .config/Daedalus, .xmr-stak, Monero,
wallet.dat,
)",
    // cloud and cluster logins
    R"(
.aws, .azure, .Azure, .kube, .config/gcloud, .config/doctl, .oci, .config/hcloud, .config/rclone,
.rclone.conf, .s3cfg, .s3cmd, .boto, .mc, .mcli, .passwd-s3fs, .davfs2, .gdfuse, .config/gdfuse,
.b2_account_info, .config/b2, .config/restic, .config/borg, .terraform.d/credentials.tfrc.json,
.terraformrc, .tofurc, .pulumi/credentials.json, .config/flyctl, .fly, .config/heroku, .heroku,
.config/netlify, .netlify, .config/vercel, .vercel, .local/share/com.vercel.cli,
.config/configstore, .config/firebase, .railway, .config/railway, .render, .config/supabase,
.supabase, .config/planetscale, .config/neonctl, .config/turso, .upstash.json, .doppler,
.config/doppler, .infisical, .config/infisical, .databrickscfg, .databricks, .snowflake, .snowsql,
.config/snowflake, .dbt, .bigqueryrc, .cloudflared, .cloudflare, .wrangler, .config/.wrangler,
.config/scw, .config/scaleway, .vultr-cli.yaml, .config/vultr-cli.yaml, .config/linode-cli,
.linode-cli, .bluemix, .ibmcloud, .cf, .aliyun, .tccli, .hcloud, .openstack, .config/openstack,
.ovh.conf, .config/ovh, .config/exoscale, .civo.json, .config/upctl.yaml, .config/equinix,
.config/cdk, .minikube/profiles, .talos, .config/talos, .rancher, .config/Lens, .okteto, .argocd,
.config/argocd, .config/helm/registry, .config/kubectx, .okta, .okta_aws_login_config, .saml2aws,
.aws-vault, .awsvault, .chef, .puppetlabs, .ansible/vault, .ansible_vault_pass, .vault_pass.txt,
.vault-token, .vault, .config/vault, .nomad, .consul-token, .config/ngrok, .ngrok, .ngrok2,
.config/tailscale, .config/zerotier, .huggingface/token, .cache/huggingface/token,
.cache/huggingface/stored_tokens, .kaggle, .config/kaggle, .wandb, .config/wandb, .cometml,
.neptune, .lightning-credentials, .modal.toml, .config/modal, .config/replicate, .config/ollama,
.ollama/id_ed25519,
)",
    // code hosts, registries, package managers
    R"(
.netrc, _netrc, .git-credentials, .config/git/credentials, .git-credential-cache,
.cache/git/credential, .gcm, .config/gcm, .config/gh, .config/hub, .config/lab, .config/glab-cli,
.config/tea, .config/github-copilot, .gist, .sentryclirc, .config/sentry, .config/stripe, .snyk,
.config/snyk, .sonar, .codecov, .wakatime.cfg, .config/wakatime, .jira.d, .config/jira,
.config/.jira, .config/linear, .slack, .config/slack-cli, .pypirc, .config/pypoetry/auth.toml,
.config/pip/pip.conf, .pip/pip.conf, .local/share/uv/credentials, .config/hatch/config.toml,
.condarc, .continuum, .npmrc, .config/npm, .config/pnpm/rc, .yarnrc.yml, .config/.bunfig.toml,
.bunfig.toml, .docker/config.json, .docker/contexts, .docker/machine, .docker/trust/private,
.dockercfg, .config/containers/auth.json, .config/regctl, .regctl, .config/cosign,
.cargo/credentials, .cargo/credentials.toml, .gem/credentials, .local/share/gem/credentials,
.bundle/config, .m2/settings.xml, .m2/settings-security.xml, .gradle/gradle.properties,
.sbt/.credentials, .sbt/1.0/credentials, .ivy2/.credentials,
.config/coursier/credentials.properties, .nuget/NuGet/NuGet.Config, .config/NuGet/NuGet.Config,
.composer/auth.json, .config/composer/auth.json, .hex, .config/hex, .pub-cache/credentials.json,
.config/dart/pub-credentials.json, .cabal/config, .config/cachix, .config/attic, .config/nix/netrc,
.jfrog, .config/jfrog, .lein/credentials.clj.gpg, .cpan/prefs, .pause, .luarocks/upload_config.lua,
)",
    // databases, mail, file transfer
    R"(
.pgpass, .my.cnf, .mylogin.cnf, .myclirc, .config/mycli, .config/pgcli, .config/litecli,
.mongorc.js, .config/MongoDB Compass, .cassandra/credentials, .influxdbv2, .clickhouse-client,
.duckdb/stored_secrets, .redisclirc, .odbc.ini, .local/share/DBeaverData, .dbeaver4, .pgadmin,
.local/share/pgadmin, .config/beekeeper-studio, .config/TablePlus, .smbcredentials,
.config/filezilla, .filezilla, .lftp, .local/share/lftp, .ncftp, .remmina, .config/remmina,
.local/share/remmina, .vnc, .config/tigervnc, .config/freerdp, .anydesk, .teamviewer,
.config/teamviewer, .config/asbru, .config/openvpn3, .config/wireguard, .config/nordvpn,
.config/mullvad, .fortivpn, .cisco, .msmtprc, .config/msmtp, .fetchmailrc, .getmail, .mbsyncrc,
.config/isyncrc, .offlineimaprc, .config/offlineimap, .authinfo, .authinfo.gpg, .mutt, .muttrc,
.config/mutt, .config/neomutt, .config/aerc, .config/himalaya, .config/geary, .local/share/geary,
.config/evolution, .local/share/evolution, .cache/evolution, .claws-mail, .sylpheed-2.0, .balsa,
.alpine-smime, .pinerc, .pine-passfile, .config/kmail2rc, .local/share/kmail2,
.config/mailtransports, .thunderbird, .cache/thunderbird, .config/akonadi, .local/share/akonadi,
.local/share/local-mail, Mail, mail, Maildir, .Mail, .mail, .maildir,
)",
    // agents: logins, settings with keys, and what was said to them
    R"(
.claude/.credentials.json, .claude.json, .claude/projects, .claude/history.jsonl, .claude/todos,
.claude/shell-snapshots, .claude/file-history, .claude/paste-cache, .claude/debug,
.claude/session-env, .claude/transcripts, .claude/statsig, .config/Claude, .codex/auth.json,
.codex/sessions, .codex/archived_sessions, .codex/history.jsonl, .codex/log, .codex/memories,
.gemini/oauth_creds.json, .gemini/google_accounts.json, .gemini/tmp, .gemini/history,
.gemini/mcp-oauth-tokens.json, .gemini/antigravity, .qwen/oauth_creds.json, .qwen/tmp,
.local/share/opencode, .local/state/opencode, .cursor, .config/Cursor, .windsurf, .codeium,
.config/Windsurf, .continue, .cline, .roo, .kilocode, .augment, .factory, .kiro, .crush,
.config/crush, .local/share/crush, .local/state/crush, .config/goose, .local/share/goose,
.local/state/goose, .local/share/amp, .config/amp, .copilot, .local/state/copilot, .aider.conf.yml,
.aider, .config/io.datasette.llm, .config/aichat, .config/mods, .local/share/mods, .openai,
.config/openai, .anthropic, .config/anthropic, .lmstudio, .cache/lm-studio, .ollama/history,
.local/state/lectic, .local/share/lectic, .config/open-interpreter, .config/manicode, .trae,
.config/Trae, .config/Antigravity, .junie, .forge, .plandex-home, .warp,
.local/state/warp-terminal,
)",
    // editors' storage: logins, histories, copies of files
    R"(
.config/Code, .config/Code - OSS, .config/VSCodium, .vscode-server/data,
.vscode-server-insiders/data, .vscodium-server/data, .vscode-cli, .windsurf-server/data,
.config/Atom, .atom, .config/JetBrains, .cache/JetBrains, .config/zed/settings.json,
.local/share/zed, .config/sublime-text/Local, .config/sublime-text-3/Local, .viminfo, .vim/undo,
.vim/undodir, .vim/backup, .vim/swap, .vim/tmp, .local/state/vim, .local/state/nvim,
.local/share/nvim/shada, .local/share/nvim/swap, .local/share/nvim/undo, .local/share/nvim/backup,
.cache/vim, .emacs.d/auto-save-list, .emacs.d/backups, .emacs.d/history, .emacs.d/recentf,
.emacs.d/savehist, .emacs.d/.local/cache, .config/emacs/auto-save-list, .config/emacs/backups,
.cache/emacs, .cache/helix, .local/state/micro, .config/micro/backups, .config/micro/buffers,
.config/micro/history, .local/state/kak, .local/share/kate, .netbeans,
)",
    // servers of one's own: their tokens and passwords
    R"(
.jupyter, .local/share/jupyter, .ipython/profile_default/security,
.ipython/profile_default/history.sqlite, .config/code-server, .local/share/code-server,
.openvscode-server, .local/share/rstudio, .config/rstudio, .config/syncthing,
.local/state/syncthing, .local/share/syncthing, .homeassistant, .config/home-assistant,
.config/transmission-daemon, .config/deluge, .config/qBittorrent, .local/share/qBittorrent, .aria2,
.config/aria2, .mpd, .config/obs-studio, .config/sunshine, .config/moonlight, .pulse-cookie,
.config/pulse/cookie, .esd_auth, .config/kdeconnect, .local/share/kdeconnect, .config/gsconnect,
.node-red, .pm2, .n8n, .local/share/mcp-remote, .mcp-auth, .config/mcp, .android/adbkey,
.local/share/containers/storage/secrets, .config/docker/secrets,
)",
    // browsers
    R"(
.mozilla, .config/mozilla, .cache/mozilla, .librewolf, .config/librewolf, .cache/librewolf,
.waterfox, .cache/waterfox, .floorp, .cache/floorp, .zen, .cache/zen, .config/zen, .icecat,
.firedragon, .cliqz, .config/cliqz, .moonchild productions, .tor-browser, .local/share/torbrowser,
.config/torbrowser, .config/google-chrome, .cache/google-chrome, .config/google-chrome-beta,
.config/google-chrome-unstable, .config/chromium, .cache/chromium, .config/chromium-dev,
.config/ungoogled-chromium, .config/thorium, .config/BraveSoftware, .cache/BraveSoftware,
.config/brave, .config/microsoft-edge, .cache/microsoft-edge, .config/microsoft-edge-beta,
.config/microsoft-edge-dev, .config/vivaldi, .cache/vivaldi, .config/vivaldi-snapshot,
.config/opera, .cache/opera, .opera, .config/opera-beta, .config/opera-developer,
.config/yandex-browser, .cache/yandex-browser, .config/iridium, .config/inox, .config/slimjet,
.config/Chromium, .config/Google, .config/Beaker Browser, .config/Min, .config/falkon,
.local/share/falkon, .config/qupzilla, .config/qutebrowser, .local/share/qutebrowser,
.cache/qutebrowser, .config/epiphany, .local/share/epiphany, .cache/epiphany, .config/midori,
.local/share/midori, .config/otter, .config/netsurf, .config/nyxt, .local/share/nyxt, .config/surf,
.surf, .dillo, .w3m, .elinks, .links, .links2, .lynx, .config/lynx, .config/net.imput.helium,
.config/ladybird, .cache/ms-playwright-profile, .config/puppeteer,
)",
    // messengers and calls
    R"(
.config/Signal, .local/share/signal-cli, .config/Slack, .config/discord, .config/discordcanary,
.config/discordptb, .config/vesktop, .config/Element, .config/Element (Riot), .config/Riot,
.config/nheko, .local/share/nheko, .config/fractal, .local/share/fractal, .TelegramDesktop,
.local/share/TelegramDesktop, .config/64Gram, .config/whatsapp-desktop, .config/WhatsApp,
.config/teams, .config/teams-for-linux, .config/Microsoft, .config/skypeforlinux, .zoom,
.config/zoomus.conf, .config/Wire, .config/Rocket.Chat, .config/Mattermost, .config/Zulip,
.config/Franz, .config/Ferdi, .config/Ferdium, .config/Rambox, .config/Beeper, .config/Threema,
.config/viber, .ViberPC, .purple, .gaim, .config/gajim, .local/share/gajim, .local/share/dino,
.config/dino, .config/profanity, .local/share/profanity, .config/psi, .local/share/psi, .weechat,
.config/weechat, .local/share/weechat, .irssi, .config/hexchat, .config/xchat,
.config/konversationrc, .config/linphone, .local/share/linphone, .config/jami, .local/share/jami,
.tox, .config/tox, .config/Nextcloud, .local/share/Nextcloud, .config/Seafile, .dropbox,
.dropbox-dist, .config/onedrive, .megaCmd, .config/insync, .config/Tutanota,
.config/tutanota-desktop, .config/StandardNotes, .config/Standard Notes, .config/Notion,
.config/obsidian, .config/Joplin, .config/joplin-desktop, .config/Spotify, .config/spotify,
.cache/spotify, .newsboat, .config/newsboat, .local/share/newsboat, .config/rtv, .config/tuir,
.var/app, snap/firefox, snap/chromium, snap/thunderbird, snap/brave, snap/slack, snap/discord,
snap/signal-desktop, snap/telegram-desktop, snap/bitwarden, snap/keepassxc,
)",
    // histories, clipboards, what was thrown away
    R"(
.adobe, .macromedia, .ammonite, .bash_history, .zsh_history, .zhistory, .histfile, .history, .ash_history, .sh_history,
.ksh_history, .tcsh_history, .bash_sessions, .zsh_sessions, .local/share/fish/fish_history,
.local/share/fish/fish_private_history, .config/fish/fish_history, .local/share/atuin,
.config/atuin/config.toml, .local/share/mcfly, .local/share/hishtory, .hishtory,
.config/nushell/history.txt, .config/nushell/history.sqlite3, .local/state/nushell,
.local/state/bash, .local/state/zsh, .local/share/zsh, .local/share/bash, .local/share/powershell,
.local/state/elvish, .local/share/xonsh, .python_history, .pythonhist, .local/state/python_history,
.node_repl_history, .deno_history, .ts_node_repl_history, .psql_history, .mysql_history,
.mariadb_history, .sqlite_history, .duckdb_history, .rediscli_history, .dbshell, .mongosh,
.irb_history, .pry_history, .guile_history, .ghc/ghci_history, .local/share/pry, .scala_history,
.jshell_history, .julia/logs/repl_history.jl, .Rhistory, .octave_hist, .local/share/octave,
.maxima_history, .gdb_history, .lldb, .local/share/lldb, .lesshst, .local/state/less,
.local/state/lesshst, .wget-hsts, .curl-hsts, .local/share/wget, .calc_history, .units_history,
.cache/greenclip.history, .cache/cliphist, .local/share/klipper, .kde/share/apps/klipper,
.kde4/share/apps/klipper, .local/share/clipman.json, .config/copyq, .local/share/copyq,
.local/share/gpaste, .config/xfce4/clipman, .local/share/recently-used.xbel,
.local/share/gvfs-metadata, .local/share/Trash, .cache/konsole, .local/share/zeitgeist,
.local/share/tracker, .cache/tracker3, .thumbnails, .cache/thumbnails, .local/share/baloo,
.screenlog, .cache/tmux, .tmux/resurrect, .local/share/tmux, .local/share/zoxide,
.local/share/autojump,
)",
    // whoever can reach these acts as the user: X cookies, desktop sessions
    R"(
.Xauthority, .ICEauthority, .serverauth, .dbus, .local/share/systemd, .rhosts, .shosts,
)",
    // shadow's own: the session would otherwise read its reviewer's rules
    R"(
.config/shadow, .local/state/shadow,
)"};

}  // namespace

std::vector<std::string_view> known_home_secrets() {
  std::vector<std::string_view> names;
  for (std::string_view group : kNames) {
    for (std::size_t comma = group.find(','); comma != std::string_view::npos;
         comma = group.find(',')) {
      std::string_view name = group.substr(0, comma);
      name.remove_prefix(std::min(name.find_first_not_of(" \n"), name.size()));
      names.push_back(name);
      group.remove_prefix(comma + 1);
    }
  }
  return names;
}

}  // namespace shadow::sandbox
