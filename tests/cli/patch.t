## Hunk by hunk, as `git add -p`, with the answers from a pipe.
$ seq 20 >list.txt && git commit -qam more
$ shadow run -- sh -c 'sed -i -e s/^2$/two/ -e s/^4$/four/ -e s/^18$/x/ list.txt; chmod 755 list.txt; rm src/main.c; echo new >"a b"'
$ printf 'n\nn\ns\ny\nn\nn\ny\n' | shadow apply -p
diff --git a/a b b/a b
new file mode 100644
index 0000000..3e75765
--- /dev/null
+++ b/a b	
@@ -0,0 +1 @@
+new
(1/1) Apply addition to the project [y,n,q,a,d,?]? n
diff --git a/list.txt b/list.txt
old mode 100644
new mode 100755
index 0ff3bbb..6c8db98
--- a/list.txt
+++ b/list.txt
(1/3) Apply mode change to the project [y,n,q,a,d,j,J,g,/,?]? n
@@ -1,7 +1,7 @@
 1
-2
+two
 3
-4
+four
 5
 6
 7
(2/3) Apply this hunk to the project [y,n,q,a,d,K,j,J,g,/,s,e,?]? s
Split into 2 hunks.
@@ -1,3 +1,3 @@
 1
-2
+two
 3
(2/4) Apply this hunk to the project [y,n,q,a,d,K,j,J,g,/,e,?]? y
@@ -3,5 +3,5 @@
 3
-4
+four
 5
 6
 7
(3/4) Apply this hunk to the project [y,n,q,a,d,K,j,J,g,/,e,?]? n
@@ -15,6 +15,6 @@
 15
 16
 17
-18
+x
 19
 20
(4/4) Apply this hunk to the project [y,n,q,a,d,K,g,/,e,?]? n
diff --git a/src/main.c b/src/main.c
deleted file mode 100644
index 78f2de1..0000000
--- a/src/main.c
+++ /dev/null
@@ -1 +0,0 @@
-int main(void) { return 0; }
(1/1) Apply deletion to the project [y,n,q,a,d,?]? y
applied 2 changes; 'shadow undo 1' takes it back
$ git diff
diff --git a/list.txt b/list.txt
index 0ff3bbb..a4164fb 100644
--- a/list.txt
+++ b/list.txt
@@ -1,5 +1,5 @@
 1
-2
+two
 3
 4
 5
diff --git a/src/main.c b/src/main.c
deleted file mode 100644
index 78f2de1..0000000
--- a/src/main.c
+++ /dev/null
@@ -1 +0,0 @@
-int main(void) { return 0; }
## What was refused stays, and later applies of other paths do not bring it.
$ shadow diff --stat
 a b      |   1 +
 list.txt |   4 ++--
 2 files changed, 3 insertions(+), 2 deletions(-)
$ shadow apply --yes "a b"
applied 1 change; 'shadow undo 2' takes it back
$ git diff --stat
 list.txt   | 2 +-
 src/main.c | 1 -
 2 files changed, 1 insertion(+), 2 deletions(-)
## The keys that make sense, and what is wrong with the others.
$ printf 'y\nk\n?\nx\nyes\ng\n3\n/four\nq\n' | shadow apply -p -n list.txt
diff --git a/list.txt b/list.txt
old mode 100644
new mode 100755
index a4164fb..6c8db98
--- a/list.txt
+++ b/list.txt
(1/3) Apply mode change to the project [y,n,q,a,d,j,J,g,/,?]? y
@@ -1,7 +1,7 @@
 1
 two
 3
-4
+four
 5
 6
 7
(2/3) Apply this hunk to the project [y,n,q,a,d,K,j,J,g,/,e,?]? k
No previous hunk
(2/3) Apply this hunk to the project [y,n,q,a,d,K,j,J,g,/,e,?]? ?
y - apply this hunk
n - do not apply this hunk
q - quit; do not apply this hunk or any of the remaining ones
a - apply this hunk and all later ones in the file
d - do not apply this hunk or any later ones in the file
K - leave this hunk undecided, see the previous one
j - leave this hunk undecided, see the next undecided one
J - leave this hunk undecided, see the next one
g - select one to go to
/ - search for a hunk that matches a regular expression
e - edit this hunk by hand
? - print help
(2/3) Apply this hunk to the project [y,n,q,a,d,K,j,J,g,/,e,?]? x
Unknown command 'x' (use '?' for help)
(2/3) Apply this hunk to the project [y,n,q,a,d,K,j,J,g,/,e,?]? yes
Only one letter is expected, got 'yes'
(2/3) Apply this hunk to the project [y,n,q,a,d,K,j,J,g,/,e,?]? g
+  1: mode change
   2: -4
   3: -18
go to which hunk? 3
@@ -15,6 +15,6 @@ two
 15
 16
 17
-18
+x
 19
 20
(3/3) Apply this hunk to the project [y,n,q,a,d,k,K,g,/,e,?]? /four
@@ -1,7 +1,7 @@
 1
 two
 3
-4
+four
 5
 6
 7
(2/3) Apply this hunk to the project [y,n,q,a,d,K,j,J,g,/,e,?]? q
to be written:
  M  list.txt  (mode 644 became 755)
## The end of the answers is the end of the questions.
$ shadow apply -p </dev/null
diff --git a/list.txt b/list.txt
old mode 100644
new mode 100755
index a4164fb..6c8db98
--- a/list.txt
+++ b/list.txt
(1/3) Apply mode change to the project [y,n,q,a,d,j,J,g,/,?]? 
shadow: nothing was written
[1]
$ git diff --stat
 list.txt   | 2 +-
 src/main.c | 1 -
 2 files changed, 1 insertion(+), 2 deletions(-)
## The user's editor changes a hunk before it is taken.
$ printf '#!/bin/sh\nsed -i s/four/FOUR/ "$1"\n' >../editor && chmod +x ../editor
$ printf 'n\ne\nn\n' | GIT_EDITOR=../editor shadow apply -p list.txt | tail -n 1
applied 1 change; 'shadow undo 3' takes it back
$ git diff list.txt | grep '^[-+]'
--- a/list.txt
+++ b/list.txt
-2
+two
-4
+FOUR
$ printf 'n\ne\n' | EDITOR=false shadow apply -p list.txt 2>&1 | tail -n 4
cannot edit the hunk: the editor 'false' failed
The hunk stays as it was
(2/3) Apply this hunk to the project [y,n,q,a,d,K,j,J,g,/,e,?]? 
shadow: nothing was written
## What is dropped leaves the session.
$ printf 'y\nn\ny\n' | shadow discard -p list.txt
diff --git a/list.txt b/list.txt
old mode 100644
new mode 100755
index 210931d..6c8db98
--- a/list.txt
+++ b/list.txt
(1/3) Discard mode change from the session [y,n,q,a,d,j,J,g,/,?]? y
@@ -1,7 +1,7 @@
 1
 two
 3
-FOUR
+four
 5
 6
 7
(2/3) Discard this hunk from the session [y,n,q,a,d,K,j,J,g,/,e,?]? n
@@ -15,6 +15,6 @@ FOUR
 15
 16
 17
-18
+x
 19
 20
(3/3) Discard this hunk from the session [y,n,q,a,d,K,g,/,e,?]? y
discarded 2 parts
$ shadow diff list.txt
diff --git a/list.txt b/list.txt
index 210931d..23b6bc0 100644
--- a/list.txt
+++ b/list.txt
@@ -1,7 +1,7 @@
 1
 two
 3
-FOUR
+four
 5
 6
 7
$ shadow run -- stat -c %A list.txt
-rw-r--r--
$ shadow discard -p </dev/null
diff --git a/list.txt b/list.txt
index 210931d..23b6bc0 100644
--- a/list.txt
+++ b/list.txt
@@ -1,7 +1,7 @@
 1
 two
 3
-FOUR
+four
 5
 6
 7
(1/1) Discard this hunk from the session [y,n,q,a,d,e,?]? 
shadow: nothing was discarded
[1]
## The dialogue and what it cannot be joined with.
$ shadow apply -p --yes
shadow: cannot apply hunk by hunk without asking
hint: give -p or --yes, not both
[2]
$ shadow discard -p --all-sessions
shadow: cannot discard hunks of all sessions
hint: name a session with --as, or leave -p out
[2]
$ shadow --json discard -p
{"error":{"kind":"trouble","message":"cannot ask hunk by hunk in JSON","hint":"leave --json or -p out","paths":[]}}
[2]
## What no patch says comes before it, not between a head and its hunk.
$ shadow discard --yes >/dev/null; seq 20 >both; shadow run -- sed -i s/^2$/two/ both; shadow status >/dev/null; sed -i s/^18$/mine/ both; echo n | shadow apply -p
M  both  (changed in the project too, can be merged)
diff --git a/both b/both
index 513ef2a..ff81eac 100644
--- a/both
+++ b/both
@@ -1,5 +1,5 @@
 1
-2
+two
 3
 4
 5
(1/1) Apply this hunk to the project [y,n,q,a,d,e,?]? n
shadow: nothing was written
[1]
