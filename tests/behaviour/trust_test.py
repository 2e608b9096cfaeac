# SPDX-License-Identifier: MIT
"""Nothing that arrives runs by itself: repositories, links, and what the user's own set-up names."""

import json
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import harness  # noqa: E402

CANARY = "{tmp}/canary"
EVIL_CONFIG = "[core]\\n\\tfsmonitor = touch {tmp}/canary; false\\n\\trepositoryformatversion = 0\\n\\tbare = {bare}\\n"


def evil_config(w, bare="false"):
    return EVIL_CONFIG.format(tmp=w.tmp, bare=bare)


def obey(w, directory):
    """Ordinary commands of git in a directory of the real project; whether anything was run."""
    for words in (("status",), ("log", "-1"), ("rev-parse", "--git-dir"), ("add", "-A"),
                  ("commit", "-qm", "x", "--allow-empty"), ("diff",), ("stash",)):
        subprocess.run(["git", "-C", directory, *words], env={**w.env, "GIT_PAGER": "cat"},
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       timeout=60, check=False)
    return os.path.exists(os.path.join(w.tmp, "canary"))


def git_dirs(w):
    """Every directory of the project that git takes for a work tree or a repository of its own."""
    found = {}
    for folder, names, _ in os.walk(w.project):
        for name in names:
            path = os.path.join(folder, name)
            done = w.git("-C", path, "rev-parse", "--absolute-git-dir", check=False)
            if done.returncode == 0:
                found[path] = done.stdout.decode().strip()
    return found


def check_nothing_obeyed(w, own):
    """What git obeys in the project's directories is what `git init` writes, or the user's own."""
    for path, git_dir in git_dirs(w).items():
        if git_dir == own:
            continue
        settings = w.git("config", "--file", os.path.join(git_dir, "config"), "--list", check=False)
        for line in settings.stdout.decode().splitlines():
            key, _, value = line.partition("=")
            assert (key, value) in {
                ("core.repositoryformatversion", "0"), ("core.repositoryformatversion", "1"),
                ("core.filemode", "true"), ("core.bare", "false"), ("core.bare", "true"),
                ("core.logallrefupdates", "true"), ("extensions.objectformat", "sha256"),
            }, f"{path}: {git_dir}: {line}"
        hooks = os.path.join(git_dir, "hooks")
        names = os.listdir(hooks) if os.path.isdir(hooks) else []
        assert all(name.endswith(".sample") for name in names), f"{path}: {names}"
        for name in ("info/attributes", "info/grafts", "objects/info/alternates", "commondir",
                     "config.worktree"):
            assert not os.path.lexists(os.path.join(git_dir, name)), f"{path}: {name}"


PIECES = "mkdir -p {0}/objects {0}/refs {0}/hooks; echo 'ref: refs/heads/main' >{0}/HEAD; " \
    "printf '{config}' >{0}/config; "

# How a run makes a directory that git obeys. Each line of a form is a run with an apply of its own.
FORMS = {
    "configuration as a hard link": ["git init -q --template= sub; rm sub/.git/config; printf '{config}' >x; "
                                     "ln x sub/.git/config"],
    "configuration as a hard link of what sorts before": [
        "git init -q --template= sub; printf '{config}' >a; ln -f a sub/.git/config"],
    "HEAD in capitals": [PIECES + "echo ABCDEFABCDEFABCDEFABCDEFABCDEFABCDEFABCD >{0}/HEAD"],
    "HEAD of SHA-256": [PIECES + "printf '%064d\\n' 1 >{0}/HEAD"],
    "HEAD as a link": [PIECES + "ln -sf refs/heads/none {0}/HEAD"],
    "HEAD as a link to a link": [PIECES + "ln -s refs/x {0}/y; ln -sf y {0}/HEAD; ln -sf refs/heads/z {0}/HEAD"],
    "HEAD without a blank": [PIECES + "printf 'ref:refs/heads/x' >{0}/HEAD"],
    "commondir": ["mkdir -p c/objects c/refs {0}; printf '{config}' >c/config; echo ../c >{0}/commondir; "
                  "echo 'ref: refs/heads/x' >{0}/HEAD"],
    "configuration first": ["mkdir {0}; printf '{config}' >{0}/config",
                            "mkdir {0}/objects {0}/refs; echo 'ref: refs/heads/x' >{0}/HEAD"],
    "HEAD last": [PIECES + "rm {0}/HEAD; touch {0}/objects/k {0}/refs/k", "echo 'ref: refs/heads/x' >{0}/HEAD"],
    "objects last": [PIECES + "rmdir {0}/objects; touch {0}/refs/k", "mkdir {0}/objects; touch {0}/objects/k"],
    "refs last, as a link": [PIECES + "rmdir {0}/refs; touch {0}/objects/k", "ln -s objects {0}/refs"],
    "objects as a program": [PIECES + "rmdir {0}/objects; printf x >{0}/objects; chmod +x {0}/objects"],
    "below refs of a new one": ["git init -q --template= sub; "
                                + PIECES.replace("{0}", "sub/.git/refs/heads")],
    "below refs/remotes of a new one": ["git init -q --template= sub; "
                                        + PIECES.replace("{0}", "sub/.git/refs/remotes/origin")],
    "beside new logs": ["git init -q --template= sub; " + PIECES.replace("{0}", "sub/.git/logs")],
    "in modules of a new one": ["git init -q --template= sub; "
                                + PIECES.replace("{0}", "sub/.git/modules/a")],
    "a .git file": [PIECES + "mkdir w; echo 'gitdir: ../{0}' >w/.git"],
    "a .git link": [PIECES + "mkdir w; ln -s ../{0} w/.git"],
    "a .git in another case": [PIECES.replace("{0}", "w/.GIT")],
    "a renamed one": ["git init -q --template= sub; printf '{config}' >sub/.git/config; mv sub/.git {0}"],
    "a renamed one, back": ["mkdir sub; " + PIECES, "mkdir -p sub; mv {0} sub/.git"],
    "worktree configuration": ["git init -q --template= sub; printf '{config}' >sub/.git/config.worktree; "
                               "git -C sub config extensions.worktreeConfig true"],
    "deep below": [PIECES.replace("{0}", "a/b/c/d")],
    "names in other cases": ["mkdir -p {0}/Objects {0}/REFS; echo 'ref: refs/heads/x' >{0}/Head; "
                             "printf '{config}' >{0}/Config; touch {0}/Objects/k {0}/REFS/k"],
}


def test_forms_of_repositories(w):
    """Whatever makes git take a directory for a repository: none that an apply brings obeys the agent."""
    for number, (form, runs) in enumerate(FORMS.items()):
        for choice in ((), ("--skip-sensitive",)):
            w.project = os.path.join(w.tmp, f"{number}{len(choice)}")
            os.mkdir(w.project)
            w.git_project()
            for script in runs:
                w.sh(script.replace("{config}", evil_config(w, "true" if "{0}" in script else "false"))
                     .replace("{0}", "near"), check=False)
                done = w.shadow("apply", "--yes", *choice, check=False)
                assert done.returncode in (0, 1, 4), (form, done.err)
            check_nothing_obeyed(w, w.path(".git"))
            for folder, names, _ in os.walk(w.project):
                if any(obey(w, os.path.join(folder, name)) for name in names):
                    raise AssertionError(f"{form}: the agent's program was run below {folder}")


def near_repository(chance, where, config):
    """A script that makes something like a repository, in one to three parts."""
    pick = chance.choice
    target = pick([where, where, "near", "near/.git", "a/b", "sub/.git/refs/heads", "sub/.git",
                   "near/objects", "deep/.git/modules/x", ".git2", "near/.GIT"])
    head = pick(["echo 'ref: refs/heads/main' >D/HEAD", "ln -sf refs/heads/x D/HEAD",
                 "printf '%040d' 0 >D/HEAD", "printf '%040d' 0 | tr 0 A >D/HEAD",
                 "printf '%064d' 0 >D/HEAD", "echo 'ref: refs/x' >h; ln -f h D/HEAD",
                 "printf 'ref:\\t refs/heads/m' >D/HEAD", "ln -sf ../h D/HEAD; echo 'ref: refs/h' >h",
                 "echo 'ref: refs/heads/main' >D/head; mv D/head D/HEAD", ":"])
    config_form = pick(["printf 'C' >D/config", "printf 'C' >x; ln -f x D/config",
                        "printf 'C' >x; ln -sf ../x D/config", "printf 'C' >D/config.worktree",
                        "printf 'C' >D/y; mv D/y D/config", "printf 'C' >zz; ln -f zz D/config", ":"])
    common = pick(["mkdir -p D/objects D/refs", "mkdir -p D/objects; ln -sfn objects D/refs",
                   "mkdir -p D/refs; printf x >D/objects; chmod +x D/objects",
                   "mkdir -p c/objects c/refs; printf 'C' >c/config; echo ../c >D/commondir",
                   "mkdir -p c/objects c/refs; printf 'C' >c/config; echo $PWD/c >D/commondir",
                   "git init -q --template= t; cp -a t/.git/. D/; rm -rf t"])
    extra = pick(["mkdir -p D/hooks; printf '#!/bin/sh\\ntouch T/canary\\n' >D/hooks/pre-commit; "
                  "chmod +x D/hooks/pre-commit", "mkdir -p D/info; echo '* filter=x' >D/info/attributes",
                  "mkdir -p D/objects/info; echo /tmp >D/objects/info/alternates", ":", ":"])
    parts = [head, config_form, common, extra]
    chance.shuffle(parts)
    cut = sorted(chance.sample(range(len(parts) + 1), chance.choice([0, 0, 1, 2])))
    scripts = []
    for begin, end in zip([0, *cut], [*cut, len(parts)]):
        words = "; ".join(["mkdir -p D", *parts[begin:end]])
        scripts.append(words.replace("C", config).replace("D/", target + "/").replace("-p D", "-p " + target))
    return [script.replace("T/canary", "$T/canary") for script in scripts]


def test_random_repositories(w):
    """Of thousands of near-repositories, applied in parts, none that git takes for one obeys the agent."""
    seed = int(os.environ.get("SHADOW_TEST_SEED", "0")) or random.SystemRandom().randrange(1 << 32)
    rounds = int(os.environ.get("SHADOW_TEST_ROUNDS", "4"))
    each = 12
    print(f"# SHADOW_TEST_SEED={seed} SHADOW_TEST_ROUNDS={rounds}")
    chance = random.Random(seed)
    for number in range(rounds):
        w.project = os.path.join(w.tmp, f"r{number}")
        os.mkdir(w.project)
        w.git_project()
        # Many in one session: what they do to each other is part of it.
        made = [near_repository(chance, ".", evil_config(w, chance.choice(["true", "false"])))
                for _ in range(each)]
        for part in range(3):
            lines = []
            for i, scripts in enumerate(made):
                if part < len(scripts):
                    lines.append(f"(mkdir -p {i}; cd {i}; git init -q --template= sub 2>/dev/null; {scripts[part]})")
            w.sh(f"T={w.tmp}; export T\n" + "\n".join(lines) + "\n:", check=False)
            paths = chance.choice([(), (), tuple(str(i) for i in range(each) if chance.random() < 0.5)])
            w.shadow("apply", "--yes", *chance.choice([("--skip-sensitive",), ("--skip-sensitive",), ()]),
                     *paths, check=False)
        w.shadow("apply", "--yes", "--skip-sensitive", check=False)
        check_nothing_obeyed(w, w.path(".git"))


def test_what_git_is_told_to_obey(w):
    """What the user's git configuration and hooks name in the project is sensitive, through links too."""
    cases = {
        "core.hooksPath": ("scripts/git", "scripts/git/pre-commit"),
        "core.fsmonitor": ("tools/watch --all", "tools/watch"),
        "core.sshCommand": ("ssh -F conf/ssh", "conf/ssh"),
        "core.attributesFile": ("conf/attributes", "conf/attributes"),
        "core.pager": ("sh -c 'tools/page | less'", "tools/page"),
        "include.path": ("../conf/git", "conf/git"),
        "includeIf.gitdir:/nowhere/.path": ("../conf/git2", "conf/git2"),
        "filter.x.clean": ("$PWD/tools/clean %f", "tools/clean"),
        "diff.x.textconv": ("~/PROJECT/tools/text", "tools/text"),
        "merge.x.driver": ("python3 tools/merge.py %O %A %B", "tools/merge.py"),
        "alias.ci": ("!sh tools/ci.sh", "tools/ci.sh"),
        "credential.https://x.org.helper": ("!\"$(git rev-parse --show-toplevel)/tools/cred\"", "tools/cred"),
        "gpg.ssh.defaultKeyCommand": ("tools/key", "tools/key"),
        "init.templateDir": ("conf/template", "conf/template/hooks/post-checkout"),
        "diff.external": ("linked/ext", "tools/ext"),
        "submodule.x.update": ("!tools/up", "tools/up"),
        "remote.o.url": ("ext::tools/remote %S", "tools/remote"),
        "gpg.ssh.allowedSignersFile": ("conf/signers", "conf/signers"),
        "gpg.ssh.revocationFile": ("conf/revoked", "conf/revoked"),
        "http.https://x.org/.sslCAInfo": ("conf/ca.pem", "conf/ca.pem"),
        "http.sslCAPath": ("conf/ca", "conf/ca/a.pem"),
        "gitflow.path.hooks": ("conf/flow", "conf/flow/pre-flow-feature-start"),
    }
    for number, (key, (value, path)) in enumerate(cases.items()):
        w.project = os.path.join(w.home, f"c{number}")
        os.mkdir(w.project)
        w.git_project({"a.txt": "one\n", path: "x\n", "tools/other": "x\n"})
        os.symlink("tools", w.path("linked"))
        value = value.replace("~/PROJECT", f"~/c{number}").replace("$PWD", w.project)
        section, _, rest = key.partition(".")
        sub, _, name = rest.rpartition(".")
        head = f'[{section} "{sub}"]' if sub else f"[{section}]"
        with open(w.path(".git/config"), "a", encoding="utf-8") as f:
            f.write('%s\n\t%s = "%s"\n' % (head, name, value.replace("\\", "\\\\").replace('"', '\\"')))
        w.sh(f"echo evil >>{path}; echo fine >>tools/other")
        done = w.shadow("apply", "--yes", check=False)
        assert done.returncode == 4 and path in done.err, (key, done.returncode, done.out, done.err)
        w.shadow("apply", "--yes", "tools/other")
        assert w.read(path) == "x\n" and w.read("tools/other") == "x\nfine\n", key


def test_what_hooks_and_links_lead_to(w):
    """A file that a hook of the user, or a link of a sensitive name, leads to is sensitive."""
    w.git_project({"a.txt": "one\n", "tools/env": "x\n", "tools/hook": "x\n", "tools/called": "x\n",
                   "tools/plain": "x\n", "ci/all.yml": "x\n"})
    os.symlink("tools/env", w.path(".envrc"))
    os.makedirs(w.path(".github"))
    os.symlink("../ci", w.path(".github/workflows"))
    os.symlink("../../tools/hook", w.path(".git/hooks/pre-push"))
    w.write(".git/hooks/pre-commit", "#!/bin/sh\nexec ./tools/called \"$@\"\n", 0o755)
    for path in ("tools/env", "tools/hook", "tools/called", "ci/all.yml"):
        w.sh(f"echo evil >>{path}")
        done = w.shadow("apply", "--yes", check=False)
        assert done.returncode == 4 and path in done.err, (path, done.returncode, done.out, done.err)
        w.shadow("discard", "--yes", path)
    w.sh("echo fine >>tools/plain")
    w.shadow("apply", "--yes")
    assert w.read("tools/plain") == "x\nfine\n"
    w.sh("rm -rf tools; ln -s ci tools")
    assert w.shadow("apply", "--yes", check=False).returncode == 4


def test_links_are_walked(w):
    """A link counts as one out of the project by where it leads, not by how it is written."""
    w.git_project({"a.txt": "one\n", "d/e/f": "x\n"})
    os.symlink("d/../a.txt", w.path("mine"))
    out = ["ln -s . a; ln -s a/a/../outside b", "ln -s d/e x; ln -s x/../../../out y",
           "ln -s $PWD/../z z", "ln -s d l1; ln -s l1/../.. l2", "rm -rf d; ln -s . d"]
    for script in out:
        w.sh(script)
        done = w.shadow("apply", "--yes", check=False)
        assert done.returncode == 4, (script, done.out, done.err)
        w.shadow("discard", "--yes")
    for script in ("ln -s . a; ln -s a/a/d/../a.txt b", "ln -s $PWD/d/e x",
                   "ln -s /usr/bin/env d/python"):
        w.sh(script)
        w.shadow("apply", "--yes")


def test_the_list(w):
    """What runs by opening, entering or calling stops an apply, in any spelling a filesystem folds."""
    w.git_project()
    for path in (".husky/pre-commit", "lefthook.yml", ".pre-commit-config.yaml", ".npmrc", "web/.yarnrc.yml",
                 ".cargo/config.toml", ".bazelrc", ".devcontainer/devcontainer.json", ".zed/tasks.json",
                 ".exrc", ".nvim.lua", ".vimrc", ".dir-locals.el", ".gdbinit", "mise.toml", ".tool-versions",
                 ".hg/hgrc", ".jj/repo/config.toml", ".githooks/x", ".gitconfig", "x.code-workspace",
                 ".mvn/extensions.xml", "gradle/wrapper/gradle-wrapper.properties", ".pnpmfile.cjs",
                 ".ripgreprc", ".env", "web/.env.local", "eslint.config.mjs", ".prettierrc", ".pylintrc", "mypy.ini",
                 "bunfig.toml", ".rvmrc", ".\u00dfh/config", ".\ufb02ox/env", ".EnvRC", ".v\u017fcode/tasks.json", ".en\u200dvrc", ".envrc.", ".GIT/config"):
        w.write("script", "")
        w.run("sh", "-c", 'mkdir -p "$(dirname "$1")"; echo x >"$1"', "sh", path)
        done = w.shadow("apply", "--yes", check=False)
        written = os.path.lexists(w.path(path))
        assert not written and (done.returncode == 4 or "left in the session" in done.out), \
            (path, done.returncode, done.out, done.err)
        w.shadow("discard", "--yes")
    w.sh("mkdir -p docs; echo x >Makefile; echo x >package.json; echo x >AGENTS.md; echo x >CODEOWNERS; "
         "echo x >.gitignore; echo x >docs/vimrc; echo x >Cargo.lock")
    w.shadow("apply", "--yes")


def test_what_language_servers_run(w):
    """Build files that a language server or an editor runs as it opens the project stop an apply; of those that are
    built on purpose the parts alone that run programs as they are configured."""
    w.git_project({"CMakeLists.txt": "project(a)\n", "Cargo.toml": "[package]\nname = 'a'\n", "tsconfig.json": "{}\n",
                   "meson.build": "project('a')\n"})
    for name, text in (("build.rs", "fn main() {}"), ("sub/build.gradle.kts", "x"), ("Package.swift", "x"),
                       ("mix.exs", "x"), ("mix.lock", "%{}"), ("Gemfile", "x"), ("app/App.csproj", "<Project/>"), ("flake.nix", "{}"),
                       ("tailwind.config.js", "x"), (".markdownlint-cli2.cjs", "x"), (".php-cs-fixer.php", "x"),
                       ("build.zig", "x"), (".lintr", "x"), (".python-version", "path:x"), ("CVS/Root", ":ext:x"),
                       ("x.desktop", "x"), (".gitreview", "x"), (".openhands/setup.sh", "x"),
                       ("CMakeLists.txt", "project(a)\nexecute_process(COMMAND x)\n"),
                       ("cmake/x.cmake", "cmake_language(EVAL CODE [[x]])\n"), ("meson.build", "run_command('x')\n"),
                       ("Cargo.toml", "[package]\nname = 'a'\nbuild = 'x.rs'\n"),
                       ("tsconfig.json", '{"compilerOptions": {"plugins": [{"name": "x"}]}}\n')):
        w.run("sh", "-c", 'mkdir -p "$(dirname "$1")"; printf %s "$2" >"$1"', "sh", name, text)
        before = harness.fingerprint(w.project)
        done = w.shadow("apply", "--yes", check=False)
        assert done.returncode == 4 and harness.fingerprint(w.project) == before, (name, done.returncode, done.out, done.err)
        w.shadow("discard", "--yes")
    w.sh("echo 'add_library(b c.c)' >>CMakeLists.txt; echo \"executable('b', 'b.c')\" >>meson.build; "
         "echo '[dependencies]' >>Cargo.toml; echo '{\"compilerOptions\": {\"strict\": true}}' >tsconfig.json")
    w.shadow("apply", "--yes")


NAMES = """Package@swift-5.9.swift src/a.app.src.script .pants.bootstrap .pdm-plugins/lib/a.pth .ugrep .buckjavaargs .buckjavaargs.local
.mcphost/hooks.yml dub.settings.json a/terragrunt.hcl.json root.hcl terragrunt.stack.hcl idf_ext.py a.nim.cfg dmd.conf ldc2.conf
.cmake-format.py cmake-format.py bin/activate-hermit bin/hermit .nixd.json .jira.d/templates/x .glab-cli/config/config.yml
.plzconfig.local .plzconfig_linux_amd64 .ghcid config/importmap.rb config/database.yml
config/locales/en.rb become_plugins/a.py shell_plugins/a.py
httpapi_plugins/a.py cliconf_plugins/a.py terminal_plugins/a.py netconf_plugins/a.py alire.toml lake-manifest.json .paket/paket.exe
a.sln a.slnx a.slnf b/b.dcproj b/b.msbuildproj CMakeCache.txt CMakeLists.txt.user CMakeLists.txt.shared a.pro.user .vimrc.lua
.tm_properties .in .out .rbenv-gemsets .powrc .powenv .pumaenv gafrc gschemrc gnetlistrc .xcircuitrc project.godot a.editor_script
Content/Python/init_unreal.py fastagent.config.yaml vtcode.toml .ccmanager.json .branchlet.json uzi.yaml .par.yaml wdio.conf.ts
rstest.config.mts .rspec jest.config.js vitest.config.ts .mocharc.yml .hie-bios ols.json .cmake-format frontmatter.json
plugins/modules/a.py lib/puppet/functions/a.rb lib/facter/a.rb foundry.toml .importlinter .secretlintrc.json .vim-lsp-settings/settings.json
.nvimrc.lua .kateproject.local spec/support/jasmine.mjs a.wpr a.komodoproject Jakefile .betterer.ts knip.ts prisma.config.ts relay.config.ts
.glintrc.js Assets/Editor/A.cs a.uproject Config/DefaultEngine.ini addons/a/plugin.cfg addons/a/a.gdextension config/routes.rb
config/routes/api.rb bin/spring config/storage.yml config/app.php routes/web.php bootstrap/cache/packages.php bin/console .autoxsh .phpbrewrc
.tfswitch.toml .smug.yml .twm.yaml Podfile a.podspec Brewfile Berksfile Puppetfile Policyfile.rb cpanfile yarn.config.cjs .ncurc.js
.dvc/config PRESUBMIT.py PREUPLOAD.cfg .mrconfig debian/gbp.conf cog.toml cz.toml .gitchangelog.rc .hooks/pre-commit/x.sh
.tfdocs.d/plugins/x .lando.yml .docksal/commands/x drush/Commands/A.php build/app-gdb.py""".split()
OTHERS = """src/Package.swift.txt src/a.app.src src/root.hcl.txt app/Models/User.php src/config/deep/a.php src/config.rb conf/routes.txt a.in b.out
plugins/a.py docs/sln.md src/hermit pytest.ini tests/conftest.py phpunit.xml ava.config.js .nycrc
.betterer.results library/models.py app/Editor/View.cs addons/sale/models.py src/config/routes/index.ts src/drush/a.php deps/a.c src/gdb.py""".split()


def test_the_list_of_names(w):
    """More of the list, each as a new file of a session; names like them arrive."""
    w.git_project()
    w.sh("".join(f"mkdir -p $(dirname {name}); echo x >{name}\n" for name in NAMES + OTHERS))
    out = w.shadow("apply", "--yes", "--skip-sensitive").out
    arrived = [name for name in NAMES if os.path.exists(w.path(name))]
    assert not arrived, (arrived, out)
    assert not [name for name in OTHERS if not os.path.exists(w.path(name))], out


def test_what_others_heed_is_pointed_out(w):
    """Instructions for agents, lock files and the like stop nothing, and are named where changes are listed."""
    w.git_project({"Cargo.lock": "a\n"})
    w.sh("mkdir sub; echo x >sub/CLAUDE.md; echo x >CODEOWNERS; echo b >Cargo.lock; echo x >notes.md")
    for out in (w.shadow("status").out, w.shadow("apply", "-n").out):
        lines = {line.split()[1]: line for line in out.splitlines() if line.startswith(("A ", "M ", "  A", "  M"))}
        assert "instructions for agents" in lines["sub/CLAUDE.md"], out
        assert "review" in lines["CODEOWNERS"] and "packages" in lines["Cargo.lock"], out
        assert "(" not in lines["notes.md"], out
    changes = {one["path"]: one for one in json.loads(w.shadow("status", "--json").out)["changes"]}
    assert changes["sub/CLAUDE.md"]["remark"] == "instructions for agents"
    assert "sensitive" not in changes["CODEOWNERS"] and "remark" not in changes["notes.md"]
    w.shadow("apply", "--yes")
    assert w.read("sub/CLAUDE.md") == "x\n"


def test_a_new_repository_is_called_one(w):
    """A git repository that the session made is called that in status, in diff and in apply -p."""
    w.git_project()
    w.sh("git init -q sub; echo x >sub/f; mkdir deep; git init -q deep/er")
    out = w.shadow("status").out
    assert "New git repositories" in out and "\n  sub/.git/\n" in out and "deep/er/.git/" in out, out
    found = [one["path"] for one in json.loads(w.shadow("status", "--json").out)["new_repositories"]]
    assert found == ["deep/er/.git", "sub/.git"], found
    assert "sub/.git/ (a new git repository)" in w.shadow("diff").err
    w.shadow("apply", "--yes")
    assert "repositor" not in w.shadow("status").out
    w.project = os.path.join(w.tmp, "none")
    os.mkdir(w.project)
    w.sh("git init -q .; echo x >f")
    assert ".git/ (a new git repository)" in w.shadow("diff").err and "\n  .git/\n" in w.shadow("status").out
    asked = w.shadow("apply", "-p", stdin=b"n\n" * 9, check=False).out
    assert "Apply new git repository and the" in asked, asked


def test_text_that_hides(w):
    """A script is shown as text whatever NUL is in it, and what is drawn as nothing is shown escaped."""
    w.git_project()
    w.sh("printf '#!/bin/sh\\necho one\\0\\nevil\\n' >s; printf 'a line\\nmore of it\\0\\nand still more text here\\n' >t; "
         "head -c 4000 /dev/zero >z; touch \"$(printf 'n\\357\\270\\217m\\342\\240\\200')\"")
    out = w.shadow("diff").stdout
    assert b"+evil\n" in out and b"+and still more" in out and b"Binary files /dev/null and b/z" in out, out
    w.sh(r"printf 'echo hostile6\n\0\n' >n; chmod +x n; printf 'echo hostile; echo more code here\n\0\0\0\0\0\0\0\0' >lib.sh; "
         r"printf '\0\0\0\0\necho early\n\0\0\0' >e; chmod +x e; printf '\0\0\0\0\necho late\n\0\0\0' >a.txt; cp /bin/true elf")
    out = w.shadow("diff").stdout
    for line in (b"+echo hostile6\n", b"+echo hostile; echo more", b"+echo early\n", b"+echo late\n",
                 b"Binary files /dev/null and b/elf"):
        assert line in out, out
    assert "n\\ufe0fm\\u2800" in w.shadow("status").out, w.shadow("status").out
    patch = w.shadow("diff", "--binary").stdout
    w.shadow("discard", "--yes")
    done = harness.subprocess.run(["git", "apply"], cwd=w.project, input=patch, env=w.env, check=False)
    assert done.returncode == 0 and w.read("s").endswith("\0\nevil\n")


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
