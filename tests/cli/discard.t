## Dropping changes, by path and whole.
$ shadow run -- sh -c 'echo x >list.txt; echo y >src/y; rm notes.txt'
$ shadow discard list.txt
$ shadow discard --yes list.txt
$ shadow run -- cat list.txt
$ shadow diff --name-status
$ shadow discard
$ shadow discard --yes
$ shadow run -- ls
$ shadow diff --exit-code
$ shadow discard --yes --all-sessions
$ shadow discard --yes
