## When both sides changed a file, nothing is written.
$ shadow run -- sh -c 'echo agent >>list.txt; echo agent >src/new.c'
$ echo user >>list.txt
$ shadow status
session 'default' of '$TMP/project': 2 changes, 1 conflict

  M  list.txt  (changed in the project too)
  A  src/new.c
$ shadow apply --yes
shadow: cannot apply 'list.txt': changed in the project as well; nothing was written
hint: 'shadow status' shows them; name the paths to apply, or drop the session's version with 'shadow discard PATH'
[3]
$ git status --short
 M list.txt
?? notes.txt
$ shadow apply --yes src
applied 1 change; 'shadow undo 1' takes it back
$ shadow apply --yes --json list.txt
{"error":{"kind":"conflict","message":"cannot apply 'list.txt': changed in the project as well; nothing was written","hint":"'shadow status' shows them; name the paths to apply, or drop the session's version with 'shadow discard PATH'","paths":[{"path":"list.txt"}]}}
[3]
## What both made alike is no conflict.
$ shadow run -- cat list.txt >list.txt
$ shadow apply --yes
nothing to apply
$ shadow status
session 'default' of '$TMP/project': no changes
