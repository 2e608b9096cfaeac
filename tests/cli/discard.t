## Dropping changes, by path and whole.
$ shadow run -- sh -c 'echo x >list.txt; echo y >src/y; rm notes.txt'
$ shadow discard list.txt
shadow: cannot discard the change of 'list.txt': nobody to ask
hint: say --yes
[4]
$ shadow discard --yes list.txt
discarded the change of 'list.txt'
$ shadow run -- cat list.txt
one
two
three
four
five
$ shadow diff --name-status
D	notes.txt
A	src/y
$ shadow discard
shadow: cannot discard session 'default' of '$TMP/project': nobody to ask
hint: say --yes
[4]
$ shadow discard --yes
discarded session 'default' of '$TMP/project'
$ shadow run -- ls
build
list.txt
notes.txt
src
$ shadow diff --exit-code
$ shadow discard --yes --all-sessions --as default
shadow: cannot discard all sessions of one agent
hint: give --as NAME, or --all-sessions, not both
[2]
$ shadow discard --yes --all-sessions
discarded session 'default' of '$TMP/project'
$ shadow discard --yes
shadow: cannot find a session in '$TMP/project': the project has none
hint: 'shadow list' shows all sessions
[2]
## All changes, by the path of the project, leave the session; it has what was written to the home.
$ shadow run -- sh -c 'echo more >>list.txt; echo x >new; mkdir -p a/b; echo home >~/of-the-home' && shadow discard --yes .
discarded 3 changes
$ shadow status
session 'default' of '$TMP/project': no changes

Written to the home and kept with the session: 5 B
$ shadow run -- touch again && cd src && shadow discard --yes :/
discarded the change of '../again'
$ shadow discard --yes .
nothing to discard
## What git ignores and git's own files are counted apart, and commits that would be dropped are named.
$ shadow discard --yes; shadow run -- sh -c 'echo more >>list.txt; git commit -q -m "Add more" list.txt; echo x >new; echo o >build/o; echo p >build/p'
discarded session 'default' of '$TMP/project'
$ shadow discard . </dev/null
shadow: cannot discard 2 changes, 2 ignored paths and 8 paths in git directories with 1 commit of 'main' that the project has not: nobody to ask
hint: say --yes
[4]
$ shadow discard --yes new && shadow discard --yes .
discarded the change of 'new'
discarded 1 change, 2 ignored paths and 8 paths in git directories
$ shadow status
session 'default' of '$TMP/project': no changes
