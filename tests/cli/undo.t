## An apply can be taken back, where the real file still is what it wrote.
$ shadow undo
$ shadow run -- sh -c 'echo agent >>list.txt; rm notes.txt; mkdir sub; echo x >sub/x'
$ shadow apply --yes
$ git status --short
$ echo mine >>list.txt
$ shadow undo
$ git status --short; cat notes.txt
$ shadow undo
