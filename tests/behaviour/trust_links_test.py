# SPDX-License-Identifier: MIT
"""Links are judged by where they lead: new ones, and those of the user that a change touches."""

import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import harness  # noqa: E402
from applies import goes, held  # noqa: E402


def link(w, target, path):
    os.makedirs(os.path.dirname(w.path(path)), exist_ok=True)
    os.symlink(target, w.path(path))


def test_links_that_never_end(w):
    """A link in a circle, or over more links than the kernel follows, is taken for one that leads anywhere."""
    w.git_project({"d/f": "x\n"})
    held(w, "ln -s loop loop", "loop")
    held(w, "ln -s b a; ln -s a b", "a")
    held(w, "mkdir c; ln -s c/../one one", "one")
    chain = "; ".join(f"ln -s l{i + 1} l{i}" for i in range(45))
    assert " l0 " in held(w, chain + "; ln -s d/f l45", "l1")
    goes(w, "; ".join(f"ln -s l{i + 1} l{i}" for i in range(30)) + "; ln -s d/f l30")


def test_parent_of_where_a_link_leads(w):
    """The parent of a name that is a link is the parent of what it leads to."""
    w.git_project({"d/e/f": "x\n"})
    held(w, "ln -s . a; ln -s a/a/../outside b", "b")
    held(w, "ln -s d/e deep; ln -s deep/../../../x c", "c")
    goes(w, "ln -s d/e deep; ln -s deep/../e/f c")


def test_links_of_the_user_that_change_their_meaning(w):
    """What lets a link of the project, itself unchanged, lead out of the project is sensitive."""
    cases = {
        # the user's link: (how the way looks, what the session does, what is named)
        "docs/one": ("../way/down/../../secret", "mkdir way/down", "rm -r way; ln -s . way", "way"),
        "two": ("way/in/../../secret", "mkdir way/in", "rm -r way; mkdir q; ln -s . q/in; ln -s q way", "way"),
        "three": ("way/../../secret", "mkdir -p d/e; rmdir way; ln -s d/e way", "ln -sfn d way", "way"),
        "four": ("way/../../secret", "mkdir -p d/e; rmdir way; ln -s d/e way", "rm way; mkdir way; touch way/x", "way"),
        "five": ("way/../../secret", "mkdir -p d/e; rmdir way; ln -s d/e way", "rm way", "way"),
        "a/b/c/d/e/six": ("../../../../../way/x/../../secret", "mkdir way/x", "rm -r way; ln -s . way", "way"),
    }
    for number, (name, (target, before, script, path)) in enumerate(cases.items()):
        for tracked in (True, False):
            w.project = os.path.join(w.tmp, f"p{number}{tracked}")
            os.mkdir(w.project)
            w.git_project({"a.txt": "one\n", "secret": "mine\n"})
            os.mkdir(w.path("way"))
            harness.subprocess.run(["sh", "-ec", before], cwd=w.project, check=True)
            link(w, target, name)
            if tracked:
                w.git("add", "-A")
                w.git("commit", "-qm", "x")
            said = held(w, script, path)
            assert "link" in said, said
    goes(w, "mkdir new; touch new/x; ln -s new/x way/l; echo x >>a.txt")


def test_links_to_what_is_sensitive(w):
    """A link by whose name somebody would write to a hook, to git's settings or to what a program runs is one of these; one to
    an ordinary file is none."""
    w.git_project({".husky/pre-commit": "true\n", "f": "f\n", "AGENTS.md": "a\n"})
    for script, path in (("ln -s .git/hooks/post-checkout run.log", "run.log"), ("ln -s .git/config out.cfg", "out.cfg"),
                         ("ln -s .git gd", "gd"), ("ln -s .husky/pre-commit test.log", "test.log"),
                         ("mkdir d; ln -s ../.envrc d/out", "d/out"), ("ln -s d2 d1; ln -s .husky d2; ln -s d1/new x", "d2")):
        held(w, script, path)
    goes(w, "ln -s f g; ln -s AGENTS.md CLAUDE.md; mkdir d; ln -s ../f d/f")


def test_directory_in_place_of_a_link(w):
    """What lies in a directory that came in place of a link does not bring that along where it is sensitive."""
    for choice, code in ((("way/x",), 4), (("way",), 4), ((), 4), (("--skip-sensitive",), 0),
                         (("--skip-sensitive", "way/x"), 0), (("--allow-sensitive=way/x", "way/x"), 4),
                         (("--allow-sensitive=way",), 0)):
        w.project = os.path.join(w.tmp, "-".join(("p", *choice)).replace("/", "_"))
        os.makedirs(w.path("d/e"))
        link(w, "d/e", "way")
        link(w, "way/../../secret", "l")
        w.sh("rm way; mkdir way; touch way/x way/y")
        done = w.shadow("apply", "--yes", *choice, check=False)
        assert done.returncode == code, (choice, done.returncode, done.out, done.err)
        goes_on = choice == ("--allow-sensitive=way",)
        assert os.path.islink(w.path("way")) != goes_on and done.err.count("link l leads") == (code == 4), done.err


def test_what_a_link_of_a_sensitive_name_leads_to(w):
    """A change of what the user's own links of sensitive names lead to is as sensitive as these names."""
    w.git_project({"a.txt": "one\n", "tools/env": "x\n", "tools/other": "x\n", "conf/vscode/tasks.json": "{}\n",
                   "conf/gh/workflows/ci.yml": "x\n", "conf/gh/texts/bug.md": "x\n", "conf/hooks/pre-push": "x\n",
                   "conf/attributes": "x\n", "web/deep/er/conf/rc": "x\n", "team/deploy": "x\n"})
    link(w, "step1", ".envrc")
    link(w, "tools/../step2", "step1")
    link(w, "tools/env", "step2")
    link(w, "conf/vscode", ".vscode")
    link(w, "conf/gh", ".github")
    link(w, "conf/attributes", ".gitattributes")
    link(w, "conf/rc", "web/deep/er/.npmrc")
    link(w, "../team/deploy", "sub/run.key")
    os.makedirs(os.path.join(w.home, ".config/shadow"))
    with open(os.path.join(w.home, ".config/shadow/config.toml"), "w", encoding="utf-8") as f:
        f.write('sensitive = ["*.key"]\n')
    shutil.rmtree(w.path(".git/hooks"))
    os.symlink("../conf/hooks", w.path(".git/hooks"))
    for path in ("tools/env", "conf/vscode/tasks.json", "conf/gh/workflows/ci.yml", "conf/hooks/pre-push",
                 "conf/attributes", "web/deep/er/conf/rc", "team/deploy"):
        held(w, f"echo evil >>{path}", path)
    held(w, "echo new >conf/vscode/launch.json", "conf/vscode/launch.json")
    held(w, "ln -sfn tools/other step2", "step2")
    held(w, "cp -r conf/vscode other; rm -r conf/vscode; ln -s ../other conf/vscode", "conf/vscode")
    goes(w, "echo fine >>tools/other; echo fine >>conf/gh/texts/bug.md; echo x >conf/more")


def test_configuration_that_is_a_link_into_the_project(w):
    """The user's git configuration may lie in the project, by a link from where git looks for it."""
    w.git_project({"a.txt": "one\n", "dot/gitconfig": "[user]\n\tname = T\n", "dot/hooks/pre-push": "x\n"})
    os.symlink(w.path("dot/gitconfig"), os.path.join(w.home, ".gitconfig"))
    os.symlink(w.path("dot/hooks"), os.path.join(w.home, "hooks"))
    w.git("config", "core.hooksPath", "~/hooks")
    for path in ("dot/gitconfig", "dot/hooks/pre-push"):
        held(w, f"echo '# evil' >>{path}", path)


def test_links_to_the_system(w):
    """A link to a program of the system, as every virtual environment of Python has it, stops nothing."""
    w.git_project({"a.txt": "one\n"})
    if os.path.exists("/usr/bin/python3"):
        goes(w, "mkdir -p .venv/bin; ln -s /usr/bin/python3 .venv/bin/python; ln -s python .venv/bin/python3")
    held(w, "mkdir -p env/bin; ln -s /usr/bin/env env/bin/python", "env/bin/python")
    mine = os.path.join(w.tmp, "mine")
    os.mkdir(mine)
    with open(os.path.join(mine, "python"), "w", encoding="utf-8") as f:
        f.write("x")
    held(w, f"ln -s {mine}/python python", "python")
    held(w, "ln -s /usr/bin/../../etc/passwd p", "p")
    held(w, "ln -s /usr/bin/none-of-this-name p", "p")
    held(w, "ln -s /usr/../proc/self/environ p", "p")


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
