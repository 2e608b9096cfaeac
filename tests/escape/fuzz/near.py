# SPDX-License-Identifier: MIT
"""Steps that make a directory, or a part of one, that git takes for a repository."""

import shlex

CONFIG = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = {touch}; false\n\tpager = {touch}; cat\n" \
         "\thooksPath = {hooks}\n# {word}\n"
HEADS = ("echo 'ref: refs/heads/main' >{0}/HEAD", "echo ABCDEFABCDEFABCDEFABCDEFABCDEFABCDEFABCD >{0}/HEAD",
         "printf '%064d\\n' 1 >{0}/HEAD", "ln -sfn refs/heads/none {0}/HEAD", "printf 'ref:refs/heads/x' >{0}/HEAD",
         "echo 'ref: refs/heads/x' >h; ln -f h {0}/HEAD", "echo 'ref: refs/heads/x' >{0}/head; mv {0}/head {0}/HEAD",
         "echo 'ref: refs/heads/x' >{0}/Head", "echo 'ref: refs/heads/x' >{0}/HEAD; chmod 600 {0}/HEAD")
BODIES = ("mkdir -p {0}/objects {0}/refs; touch {0}/objects/k {0}/refs/k", "mkdir -p c/objects c/refs {0}; touch c/objects/k c/refs/k; "
          "echo ../c >{0}/commondir", "mkdir -p o; touch o/k; ln -sfn ../o {0}/objects; ln -sfn ../o {0}/refs",
          "mkdir -p {0}/objects {0}/refs/heads; git commit-tree -m x $(git mktree </dev/null) >{0}/refs/heads/main; cp -a .git/objects/. {0}/objects/")


def repository(step, _):
    """The pieces in an order of their own, each there or not: what is left out may come with another step, since all use
    the same few names."""
    chance = step.chance
    place = chance.choice(("near", "near", "sub/near", "docs", "near.git", "deep/.git", "src", "NEAR", "near "))
    where = shlex.quote(place)
    config = CONFIG.format(touch=step.touch, word=step.word, hooks=chance.choice(("hooks", "docs", "../docs")))
    pieces = [chance.choice(HEADS).format(where), chance.choice(BODIES).format(where), written(step, place, config),
              step.write(f"{place}/hooks/" + chance.choice(("pre-commit", "post-index-change", "reference-transaction")))]
    chance.shuffle(pieces)
    pieces = [piece for piece in pieces if chance.random() < 0.8]
    return f"mkdir -p {where}; " + "; ".join(pieces) + "; " + chance.choice(AFTER).format(
        place=where, id=step.id, bare=shlex.quote(config.replace("worktree = ..", "x = y")))


def written(step, place, config):
    where = shlex.quote(place)
    return step.chance.choice((
        step.write(f"{place}/config", config), step.write("x-config", config) + f"; ln -f x-config {where}/config",
        step.write("x-config", config) + f"; ln -sfn ../x-config {where}/config", step.write("x-config", config) + f"; mv x-config {where}/config",
        step.write(f"{place}/config", "[include]\n\tpath = more\n") + "; " + step.write(f"{place}/more", config),
        step.write("c/config", config)))


AFTER = (
    ":", ":", ":",
    "mkdir -p w; echo gitdir: ../{place} >w/.git",
    "mkdir -p w; ln -sfn ../{place} w/.git",
    "mv {place} moved; mv moved near",
    "git init -q w; printf %s {bare} >w/.git/config",
    "git init -q w; cp -a {place}/. w/.git/",
    "git init -q w; mv w/.git w/.Git; mv w w2",
    "git clone -q --bare . odd-{id}; printf %s {bare} >>odd-{id}/config",
    "git init -q --separate-git-dir=sep-{id} w; printf %s {bare} >>sep-{id}/config",
    "git worktree add -q -f wt-{id} -b wt-{id}; printf %s {bare} >>.git/config",
)
