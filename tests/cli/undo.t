## An apply can be taken back, where the real file still is what it wrote.
$ shadow undo
shadow: nothing to undo in '$TMP/project'
[1]
$ shadow run -- sh -c 'echo agent >>list.txt; rm notes.txt; mkdir sub; echo x >sub/x'
$ shadow apply --yes
applied 3 changes; 'shadow undo 1' takes it back
$ git status --short
 M list.txt
?? sub/
$ echo mine >>list.txt
$ shadow undo
took back 3 paths of apply 1; 'shadow undo 2' does it again
left as it is: list.txt (it was changed after the apply)
changes of the session of 'default' again
[1]
$ git status --short; cat notes.txt
 M list.txt
?? notes.txt
not yet committed
$ shadow undo
shadow: nothing to undo in '$TMP/project'
hint: 'shadow undo --list' lists what can be taken back by its number
[1]
