## Commits that an agent makes are named, not copied.
$ shadow run -- sh -c 'echo c >c.txt; git add c.txt; git commit -q -m "Add c"; git log --oneline | wc -l'
2
$ git log --oneline | wc -l
1
$ shadow status
session 'default' of '$TMP/project': 1 change

  A  c.txt

Commits:
  main: 1 commit not in the project
$ shadow diff
diff --git a/c.txt b/c.txt
new file mode 100644
index 0000000..f2ad6c7
--- /dev/null
+++ b/c.txt
@@ -0,0 +1 @@
+c
$ shadow apply --yes
applied 1 change; 'shadow undo 1' takes it back
left in the session (in a git directory; files there are not applied):
  .git/COMMIT_EDITMSG
  .git/index
  .git/logs/HEAD
  .git/logs/refs/heads/main
  .git/objects/88/1c4c960df06628725b88a5720ca5444d70b0cc
  .git/objects/ed/61e2bc61d09ba0d7aa37a4b748a762f91a3865
  .git/objects/f2/ad6c76f0115a6ba5b00456a849810e7ec0af20
  .git/refs/heads/main
$ git status --short
?? c.txt
?? notes.txt
