## Every run is remembered.
$ shadow run -- sh -c 'echo a >a.txt'
$ shadow run -- false
$ shadow run -- sh -c 'echo b >b.txt; rm list.txt'
$ shadow log
$ shadow log a.txt
$ shadow show 3
$ shadow show 99
$ shadow log --json | python3 -c 'import json, sys; print([r["argv"][0] for r in json.load(sys.stdin)["runs"]])'
