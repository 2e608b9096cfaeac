## From a change to the project, and what is left.
$ shadow run -- sh -c "sed -i s/three/3/ list.txt; rm notes.txt; echo new >src/new.c; echo b >build/b.o"
$ shadow status
session 'default' of '$TMP/project': 3 changes

  M  list.txt
  D  notes.txt
  A  src/new.c

Ignored, and applied with --ignored only:
  build/  (1 file, 2 B)
$ shadow diff
diff --git a/list.txt b/list.txt
index b2f931a..5135309 100644
--- a/list.txt
+++ b/list.txt
@@ -1,5 +1,5 @@
 one
 two
-three
+3
 four
 five
diff --git a/notes.txt b/notes.txt
deleted file mode 100644
index 52b7ca8..0000000
--- a/notes.txt
+++ /dev/null
@@ -1 +0,0 @@
-not yet committed
diff --git a/src/new.c b/src/new.c
new file mode 100644
index 0000000..3e75765
--- /dev/null
+++ b/src/new.c
@@ -0,0 +1 @@
+new
$ shadow diff --stat
 list.txt  |   2 +-
 notes.txt |   1 -
 src/new.c |   1 +
 3 files changed, 2 insertions(+), 2 deletions(-)
$ shadow diff --numstat
1	1	list.txt
0	1	notes.txt
1	0	src/new.c
$ shadow diff --name-status
M	list.txt
D	notes.txt
A	src/new.c
$ shadow diff --name-only src
src/new.c
$ shadow diff --exit-code >/dev/null
[1]
$ shadow apply --dry-run
to be written:
  M  list.txt
  A  src/new.c
to be deleted:
  D  notes.txt
left in the session (ignored by git; --ignored takes it):
  build/
$ shadow apply --yes list.txt
applied 1 change; 'shadow undo 1' takes it back
$ git diff --stat
 list.txt | 2 +-
 1 file changed, 1 insertion(+), 1 deletion(-)
$ shadow diff --name-status
D	notes.txt
A	src/new.c
$ shadow apply --yes
applied 2 changes; 'shadow undo 2' takes it back
left in the session (ignored by git; --ignored takes it):
  build/
$ git status --short
 M list.txt
?? src/new.c
$ shadow status
session 'default' of '$TMP/project': no changes

Ignored, and applied with --ignored only:
  build/  (1 file, 2 B)
$ shadow diff --exit-code
$ shadow apply --ignored --yes
applied 1 change; 'shadow undo 3' takes it back
$ ls build
b.o
main.o
