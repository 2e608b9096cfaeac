## A renamed file is a deletion and an addition, and no conflict.
$ shadow run -- mv list.txt src/renamed.txt
$ shadow status
session 'default' of '$TMP/project': 2 changes

  D  list.txt
  A  src/renamed.txt
$ shadow diff
diff --git a/list.txt b/src/renamed.txt
similarity index 100%
rename from list.txt
rename to src/renamed.txt
$ shadow apply --yes
applied 2 changes; 'shadow undo 1' takes it back
$ git status --short
 D list.txt
?? notes.txt
?? src/renamed.txt
