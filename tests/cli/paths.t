## Paths are git's: relative to where one stands, in arguments and in output.
$ shadow run -- sh -c 'echo x >list.txt; echo x >src/main.c; echo x >src/new.c; echo x >:odd; mkdir .vscode; echo {} >.vscode/tasks.json; ln -s /etc/passwd pw'
$ cd src && shadow status
session 'default' of '$TMP/project': 6 changes, 2 sensitive

  A  ../.vscode/tasks.json  (sensitive: an editor runs its tasks and settings)
  A  ../:odd
  M  ../list.txt
  A  ../pw  (symlink; sensitive: a symlink out of the project)
  M  main.c
  A  new.c
$ cd src && shadow status src/main.c
shadow: no change at or below 'src/main.c'
hint: did you mean 'main.c'?
[1]
$ mkdir same && cd same && touch here && shadow status .; shadow diff ../same/.
shadow: no change at or below '.'
shadow: no change at or below '../same/.'
[1]
$ shadow apply --yes list.txt lits.txt
shadow: no change at or below 'lits.txt'
hint: did you mean 'list.txt'?
[1]
$ cd src && shadow diff --stat '*.c' :/list.txt
 ../list.txt |   6 +-----
 main.c      |   2 +-
 new.c       |   1 +
 3 files changed, 3 insertions(+), 6 deletions(-)
$ cd src && shadow diff --name-status ':/' ':!new.c'
A	../.vscode/tasks.json
A	../:odd
M	../list.txt
A	../pw
M	main.c
$ cd src && shadow diff main.c
diff --git a/src/main.c b/src/main.c
index 78f2de1..587be6b 100644
--- a/src/main.c
+++ b/src/main.c
@@ -1 +1 @@
-int main(void) { return 0; }
+x
$ cd src && shadow status --porcelain
A.S .vscode/tasks.json
A.. :odd
M.. list.txt
A.S pw
M.. src/main.c
A.. src/new.c
$ shadow diff ':(attr:x)list.txt'
shadow: cannot understand ':(attr:x)list.txt': the magic 'attr:x' is not known here
hint: 'top', 'exclude', 'literal', 'glob' and 'icase' are
[2]
$ shadow diff /etc
shadow: cannot select '/etc': it is not in the project '$TMP/project'
[2]
$ cd src && shadow apply --yes
shadow: cannot apply 2 sensitive changes, which can act on your side without being asked to; nothing was written
  ../pw (a symlink out of the project)
  ../.vscode/tasks.json (an editor runs its tasks and settings)
hint: look at them with 'shadow diff PATH'; --allow-sensitive=PATH takes one, --allow-sensitive all of them, --skip-sensitive applies the rest
[4]
$ cd src && shadow apply -n --skip-sensitive
to be written:
  A  ../:odd
  M  ../list.txt
  M  main.c
  A  new.c
left in the session (sensitive, and skipped):
  ../.vscode/tasks.json
  ../pw
$ cd src && shadow discard --yes ../:odd
discarded the change of '../:odd'
$ cd src && shadow log nothing
shadow: no run changed anything at or below 'nothing'
[1]
$ echo mine >>list.txt && cd src && shadow apply --yes --skip-sensitive
shadow: cannot apply '../list.txt' (the same lines were changed on both sides); nothing was written
hint: 'shadow apply -n' lists all; --on-conflict=ours or theirs takes one side, markers writes both into the file
[3]
$ shadow commit
shadow: cannot understand 'commit': no such command
hint: 'shadow apply' writes the session's changes, commits too, into the project
[2]
$ shadow help gc
Usage: shadow gc [OPTION]...

remove sessions and files that nobody needs

Options:
  -h, --help              print this help
  -n, --dry-run           print what would be removed, remove nothing
  --json                  print data and errors as JSON
$ shadow version
shadow 0.1.0
