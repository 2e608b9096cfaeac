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
took back 2 changes of apply 1; 'shadow undo 2' does it again
left as it is: list.txt (it was changed after the apply)
changes of the session of 'default' again
[1]
$ shadow undo --list
    2  $TIME      3  undo of 1  'default'
    1  $TIME      4  apply, partly taken back  'default'
$ git status --short; cat notes.txt
 M list.txt
?? notes.txt
not yet committed
$ shadow undo
shadow: nothing to undo in '$TMP/project'
hint: 'shadow undo --list' lists what can be taken back by its number
[1]
## One of which nothing can be taken back is not the end: the one before it is named.
$ shadow discard --yes :/; shadow run -- sh -c 'echo 1 >f1'; shadow apply --yes
discarded 2 changes
applied 1 change; 'shadow undo 3' takes it back
$ shadow run -- sh -c 'echo 2 >f2'; shadow apply --yes; echo mine >>f2
applied 1 change; 'shadow undo 4' takes it back
$ shadow undo
nothing of apply 4 could be taken back
left as it is: f2 (it was changed after the apply)
hint: 'shadow undo 3' takes back the apply before it; 'shadow undo --list' lists all
[1]
$ shadow undo 3 | head -1
took back 1 change of apply 3; 'shadow undo 5' does it again
$ shadow undo 4
nothing of apply 4 could be taken back
left as it is: f2 (it was changed after the apply)
[1]
