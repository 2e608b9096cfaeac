## A project without git, and questions before anything happened.
$ mkdir ../plain; cd ../plain; shadow status; shadow diff; shadow log; shadow list; shadow apply --yes
shadow: cannot find a session in '$TMP/plain': the project has none
hint: 'shadow list' shows all sessions
shadow: cannot find a session in '$TMP/plain': the project has none
hint: 'shadow list' shows all sessions
shadow: cannot find a session in '$TMP/plain': the project has none
hint: 'shadow list' shows all sessions
no sessions
shadow: cannot find a session in '$TMP/plain': the project has none
hint: 'shadow list' shows all sessions
[2]
$ cd ../plain; shadow run -- sh -c 'echo 1 >one; mkdir -p a/b; echo 2 >a/b/two'
$ cd ../plain; shadow status; shadow diff; shadow apply --yes; find . -type f
session 'default' of '$TMP/plain': 2 changes

  A  a/b/two
  A  one
diff --git a/a/b/two b/a/b/two
new file mode 100644
index 0000000..0cfbf08
--- /dev/null
+++ b/a/b/two
@@ -0,0 +1 @@
+2
diff --git a/one b/one
new file mode 100644
index 0000000..d00491f
--- /dev/null
+++ b/one
@@ -0,0 +1 @@
+1
applied 2 changes; 'shadow undo 1' takes it back
./one
./a/b/two
