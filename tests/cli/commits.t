## Commits that an agent makes are listed, and arrive as commits; what it did not commit does not.
$ shadow run -- sh -c 'echo c >c.txt; git add c.txt; git commit -q -m "Add c"; git branch topic; echo d >d.txt; git log --oneline | wc -l'
2
$ git log --oneline | wc -l
1
$ shadow status
session 'default' of '$TMP/project': 2 changes

  A  c.txt
  A  d.txt

Commits:
  main: 1 commit not in the project
  topic: 1 commit not in the project, a new branch
$ shadow diff --commits
main: 1 commit not in the project
  881c4c960d  $TIME  A U Thor <author@example.org>
              Add c

topic: 1 commit not in the project, new
  881c4c960d  $TIME  A U Thor <author@example.org>
              Add c
$ shadow apply -n
to be written:
  A  c.txt
  A  d.txt
commits to be taken:
  main: 1 commit
  topic: 1 commit, a new branch
$ shadow apply --yes
applied 2 changes; 'shadow undo 1' takes it back
commits:
  main: 1 commit
  topic: 1 commit, a new branch
$ git log --oneline --decorate; git status --short
881c4c9 (HEAD -> main, topic) Add c
56030b8 Begin
?? d.txt
?? notes.txt
$ shadow status
session 'default' of '$TMP/project': no changes
## Undo moves the branches back; the commits are kept.
$ shadow undo
took back 2 changes of apply 1; 'shadow undo 2' does it again
changes of the session of 'default' again
moved back: refs/heads/main; its commits are kept as refs/shadow/default/main, and in the session again
moved back: refs/heads/topic; its commits are kept as refs/shadow/default/topic, and in the session again
$ git log --oneline --all --decorate; git status --short
56030b8 (HEAD -> main) Begin
881c4c9 Add c
?? notes.txt
$ shadow discard --yes
discarded session 'default' of '$TMP/project'
## Files without their commits.
$ shadow run -- sh -c 'echo e >e.txt; git add e.txt; git commit -q -m "Add e"'; shadow apply --yes --no-commits; git status --short; shadow status
applied 1 change; 'shadow undo 3' takes it back
?? e.txt
?? notes.txt
session 'default' of '$TMP/project': no changes

Commits:
  main: 1 commit not in the project

The commits bring changes that the work tree does not show: e.txt
'shadow diff --commits -p' shows them.
## A branch that moved in the project as well stays; the commits are put aside.
$ git commit -q -m "Mine" --allow-empty; shadow status | sed -n '/^Commits/,/^$/p'
Commits:
  main: 1 commit not in the project, diverged from the project's, to be kept as refs/shadow/default/main (the project's branch moved too)
  'shadow apply' keeps these commits below refs/shadow; after it 'shadow discard :/.git' lets the session continue from the project's branch.

$ shadow apply --yes; git log --oneline --all
commits:
  main: 1 commit kept as refs/shadow/default/main-2 (the project's branch moved too)
note: commits bring changes that the work tree does not show: e.txt
bd138fe Mine
881c4c9 Add c
8fff41e Add e
56030b8 Begin
## Of what was put aside nothing is said again, and the way on is told.
$ shadow apply --yes; shadow apply -n; shadow status
nothing to apply
nothing to apply
session 'default' of '$TMP/project': no changes

Commits:
  main: nothing that the project has not, diverged from the project's
  'shadow discard :/.git' lets the session continue from the project's branch.
$ shadow diff --commits --json
{"branches":[{"branch":"main","ref":"refs/heads/main","state":"diverged","real":"bd138fe6bc1360940579187307a885036a4857ba","view":"8fff41e83f4ebd7f94895f5c13871ceb3d6f3782","more":false,"commits":[]}]}
## All of a session on a new branch.
$ shadow run -- sh -c 'echo f >>README.md; echo f >f.txt'; shadow apply --branch topic -m "Try f" | sed 's/ at [0-9a-f]*:/ at ID:/'; git show --stat --format='%s by %an' topic; git status --short
made branch topic at ID: a commit of 2 paths; 'shadow undo 4' takes it back
note: commits bring changes that the work tree does not show: e.txt
Try f by A U Thor

 README.md | 1 +
 f.txt     | 1 +
 2 files changed, 2 insertions(+)
?? e.txt
?? notes.txt
$ shadow apply --branch topic
shadow: cannot make the branch 'topic': there is one of that name
hint: choose another name
[4]
$ shadow apply --branch ..
shadow: cannot make a branch '..': git takes no such name
[2]
$ shadow apply -m x
shadow: cannot use a message without a new branch
hint: give --branch too
[2]
$ shadow apply --branch x --no-commits
shadow: cannot put a part of the session on a branch
hint: --branch goes with -m, -n, --ignored and the options for sensitive changes
[2]
$ shadow diff --commits --stat
shadow: cannot list commits by path or in another format
hint: give --commits alone
[2]
## Discarding names them.
$ shadow run -- git commit -qm "One more" --allow-empty; shadow discard
shadow: cannot discard session 'default' of '$TMP/project' with 1 commit of 'main' that the project has not: nobody to ask
hint: say --yes
[4]
