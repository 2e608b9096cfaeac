## Kinds of change that a patch has to say.
$ shadow run -- sh -c 'chmod +x list.txt; ln -s list.txt link; printf end >src/main.c; mv notes.txt "odd name"'
$ shadow diff
diff --git a/link b/link
new file mode 120000
index 0000000..3532cf7
--- /dev/null
+++ b/link
@@ -0,0 +1 @@
+list.txt
\ No newline at end of file
diff --git a/list.txt b/list.txt
old mode 100644
new mode 100755
diff --git a/notes.txt b/odd name
similarity index 100%
rename from notes.txt
rename to odd name
diff --git a/src/main.c b/src/main.c
index 78f2de1..e32b0df 100644
--- a/src/main.c
+++ b/src/main.c
@@ -1 +1 @@
-int main(void) { return 0; }
+end
\ No newline at end of file
$ shadow run -- sh -c 'rm -r src; echo file >src; head -c 100 /dev/zero >zeros'
$ shadow diff src zeros
diff --git a/src b/src
new file mode 100644
index 0000000..f73f309
--- /dev/null
+++ b/src
@@ -0,0 +1 @@
+file
diff --git a/src/main.c b/src/main.c
deleted file mode 100644
index 78f2de1..0000000
--- a/src/main.c
+++ /dev/null
@@ -1 +0,0 @@
-int main(void) { return 0; }
diff --git a/zeros b/zeros
new file mode 100644
index 0000000..eeb5760
Binary files /dev/null and b/zeros differ
$ shadow diff --binary zeros
diff --git a/zeros b/zeros
new file mode 100644
index 0000000000000000000000000000000000000000..eeb576070df6ab6d3f9dfdf278414e6c3f3ca6b7
GIT binary patch
literal 100
Lc${NkpgjNp0Av6G

literal 0
Hc$@<O00001

$ shadow diff --name-status -z | tr '\0' '!'
A!link!M!list.txt!R100!notes.txt!odd name!A!src!D!src/main.c!A!zeros!
[no newline at the end]
