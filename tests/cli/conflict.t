## When both sides changed the same lines, nothing is written.
$ shadow run -- sh -c 'echo agent >>list.txt; echo agent >src/new.c'
$ shadow status --porcelain
M.. list.txt
A.. src/new.c
$ echo user >>list.txt
$ shadow status
session 'default' of '$TMP/project': 2 changes, 1 conflict

  M  list.txt  (conflict: the same lines were changed on both sides)
  A  src/new.c
$ shadow status --porcelain
MC. list.txt
A.. src/new.c
## The patch shows both sides, and does the rest of an apply's work.
$ shadow diff
# list.txt (conflict: the same lines were changed on both sides)
# yours:
# diff --git a/list.txt b/list.txt
# index b2f931a..288b786 100644
# --- a/list.txt
# +++ b/list.txt
# @@ -3,3 +3,4 @@ two
#  three
#  four
#  five
# +user
# the session's:
# diff --git a/list.txt b/list.txt
# index b2f931a..39ebd51 100644
# --- a/list.txt
# +++ b/list.txt
# @@ -3,3 +3,4 @@ two
#  three
#  four
#  five
# +agent
diff --git a/src/new.c b/src/new.c
new file mode 100644
index 0000000..b6b0be9
--- /dev/null
+++ b/src/new.c
@@ -0,0 +1 @@
+agent
$ shadow diff | git apply && git status --short
 M list.txt
?? notes.txt
?? src/new.c
$ rm src/new.c
$ shadow diff --session list.txt
diff --git a/list.txt b/list.txt
index b2f931a..39ebd51 100644
--- a/list.txt
+++ b/list.txt
@@ -3,3 +3,4 @@ two
 three
 four
 five
+agent
$ shadow apply --yes
shadow: cannot apply 'list.txt' (the same lines were changed on both sides); nothing was written
hint: 'shadow apply -n' lists all; --on-conflict=ours or theirs takes one side, markers writes both into the file
[3]
$ shadow apply --yes --on-conflict=stop
shadow: cannot apply 'list.txt' (the same lines were changed on both sides); nothing was written
hint: 'shadow apply -n' lists all; --on-conflict=ours or theirs takes one side, markers writes both into the file
[3]
$ git status --short
 M list.txt
?? notes.txt
$ shadow apply --yes src
applied 1 change; 'shadow undo 1' takes it back
$ shadow apply --yes --json list.txt
{"error":{"kind":"conflict","message":"cannot apply 'list.txt' (the same lines were changed on both sides); nothing was written","hint":"'shadow apply -n' lists all; --on-conflict=ours or theirs takes one side, markers writes both into the file","paths":[{"path":"list.txt"}]}}
[3]
## Either side, or both, can be asked for by name; the session keeps what was not taken.
$ shadow apply --yes --on-conflict=ours
nothing to apply
left in the session (in conflict; the project's version stays):
  list.txt
$ shadow apply -n --on-conflict=theirs
to take the place of the project's version:
  M  list.txt  (conflict: the same lines were changed on both sides)
$ shadow apply -n --diff --on-conflict=markers
diff --git a/list.txt b/list.txt
index 288b7861865265bb0a3b073e51f438bf27cf5471..708a96c694c3006043c64ebecdf8dddcd5b4dc15 100644
--- a/list.txt
+++ b/list.txt
@@ -3,4 +3,9 @@ two
 three
 four
 five
+<<<<<<< project
 user
+||||||| base
+=======
+agent
+>>>>>>> session: default
$ shadow apply --yes --on-conflict=markers
applied 1 change; 'shadow undo 2' takes it back
conflict markers are in:
  M  list.txt  (conflict: the same lines were changed on both sides)
$ tail -n 7 list.txt
five
<<<<<<< project
user
||||||| base
=======
agent
>>>>>>> session: default
$ shadow status
session 'default' of '$TMP/project': no changes
$ shadow undo
took back 1 change of apply 2; 'shadow undo 3' does it again
changes of the session of 'default' again
$ shadow discard --yes list.txt
discarded the change of 'list.txt'
## What both made alike is no conflict.
$ shadow run -- sh -c 'echo same >same.txt'
$ shadow status --porcelain same.txt
A.. same.txt
$ echo same >same.txt
$ shadow apply --yes
nothing to apply
## Changes of different lines are merged, unless nothing is to be written then.
$ shadow run -- sh -c 'seq 9 >n.txt; seq 20 30 >old.txt'
$ shadow apply --yes
applied 2 changes; 'shadow undo 4' takes it back
$ shadow run -- sh -c 'sed -i s/^2$/agent/ n.txt; mv old.txt new.txt'
$ shadow status --porcelain
M.. n.txt
A.. new.txt
D.. old.txt
$ sed -i 's/^8$/user/' n.txt
$ sed -i 's/^25$/user/' old.txt
$ shadow status
session 'default' of '$TMP/project': 3 changes, 2 to be merged

  M  n.txt  (changed in the project too, can be merged)
  A  new.txt  (was old.txt, which the project changed)
  D  old.txt  (changed in the project too; it became new.txt and can be merged)

Behind the project at 2 paths; 'shadow refresh' brings the session up to it.
$ shadow apply --yes --on-conflict=stop
shadow: cannot apply 2 changes in conflict; nothing was written
  'n.txt' (changed in the project too, can be merged)
  'old.txt' (changed in the project too, can be merged)
hint: --on-conflict=merge merges the two versions; 'shadow apply -n' lists all
[3]
$ shadow apply -n
to be merged:
  M  n.txt  (changed in the project too, can be merged)
  A  new.txt  (was old.txt, which the project changed)
to be deleted:
  D  old.txt  (changed in the project too; it became new.txt and can be merged)
$ shadow apply -n --json
{"steps":[{"path":"old.txt","action":"delete"},{"path":"n.txt","action":"write"},{"path":"new.txt","action":"write"}],"plan":[{"path":"n.txt","plan":"merge"},{"path":"new.txt","plan":"merge"},{"path":"old.txt","plan":"delete"}],"conflicts":[],"sensitive":[],"left":[],"too_deep":{"names":0},"commits":[],"not_shown":[]}
$ shadow apply -n --diff
diff --git a/n.txt b/n.txt
index 0a987c4a2180e60903aaa1d916927dc9455af7c4..b43912aa18c6bc605ad143c364bfa86d4f2de1e0 100644
--- a/n.txt
+++ b/n.txt
@@ -1,5 +1,5 @@
 1
-2
+agent
 3
 4
 5
diff --git a/old.txt b/new.txt
similarity index 100%
rename from old.txt
rename to new.txt
$ shadow apply --yes
applied 3 changes; 'shadow undo 5' takes it back
$ cat n.txt
1
agent
3
4
5
6
7
user
9
$ shadow status
session 'default' of '$TMP/project': no changes
## How it is not called.
$ shadow apply --on-conflict=mine
shadow: cannot understand --on-conflict=mine
hint: it is one of merge, stop, skip, ours, theirs, markers
[2]
$ shadow apply --diff
shadow: cannot print the patch of an apply that writes
hint: give -n too
[2]
$ shadow apply -p --on-conflict=ours
shadow: cannot ask hunk by hunk about one side of a conflict
hint: -p merges what goes together and leaves the rest; then apply that with --on-conflict
[2]
## Of what has no lines to put side by side, markers are no way out.
$ shadow run -- rm notes.txt; echo more >>notes.txt
$ shadow apply --yes
shadow: cannot apply 'notes.txt' (changed in the project, deleted in the session); nothing was written
hint: 'shadow apply -n' lists all; --on-conflict=ours or theirs takes one side, skip applies the rest
[3]
$ shadow apply --yes --on-conflict=markers
shadow: cannot apply 'notes.txt' (changed in the project, deleted in the session); nothing was written
hint: 'shadow apply -n' lists all; --on-conflict=ours or theirs takes one side, skip applies the rest
[3]
$ shadow apply --yes --on-conflict=skip
shadow: cannot apply 'notes.txt' (changed in the project, deleted in the session); nothing was written
hint: 'shadow apply -n' lists all; --on-conflict=ours or theirs takes one side
[3]
