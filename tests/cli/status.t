## The forms of status.
$ shadow status
$ shadow run -- sh -c 'echo x >list.txt; mv src/main.c src/prog.c; mkdir node_modules; echo x >build/x'
$ shadow status
$ shadow status src
$ shadow status --porcelain
$ shadow status -z | tr '\0' '!'
$ shadow status --json | python3 -m json.tool
