## A command sees the project, also what git ignores and what is not committed, at its own path.
$ shadow run -- ls -A . src build
.:
.env
.git
.gitignore
build
list.txt
notes.txt
src

build:
main.o

src:
main.c
$ cd src && shadow run -- pwd
$TMP/project/src
$ shadow run cat .env notes.txt
KEY=1
not yet committed
## What it does is there for the next one, and not in the project.
$ shadow run -- sh -c 'echo six >>list.txt; rm notes.txt'
$ shadow run -- sh -c 'tail -n 1 list.txt; ls notes.txt'
six
ls: cannot access 'notes.txt': No such file or directory
[2]
$ tail -n 1 list.txt; ls notes.txt
five
notes.txt
$ git status --short
?? notes.txt
