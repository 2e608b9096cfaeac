## Every run is remembered. What wrote a file is told by its time, whose step is a few milliseconds:
## a look at the log between two runs keeps them apart.
$ shadow run -- sh -c 'echo a >a.txt'
$ shadow log >/dev/null
$ shadow run -- false
[1]
$ shadow log >/dev/null
$ shadow run -- sh -c 'echo b >b.txt; rm list.txt'
$ shadow log
    3  $TIME $DURATION  exit 0         2  sh -c 'echo b >b.txt; rm list.txt'
    2  $TIME $DURATION  exit 1         -  false
    1  $TIME $DURATION  exit 0         1  sh -c 'echo a >a.txt'
$ shadow log a.txt
    1  $TIME $DURATION  exit 0         1  sh -c 'echo a >a.txt'
$ shadow show 3
run 3
command:   sh -c 'echo b >b.txt; rm list.txt'
directory: $TMP/project
started:   $TIME
took: $DURATION
ended:     exit 0
policy:    {"profile":"default"}
session:   $ID

  written b.txt
  deleted list.txt
$ shadow show 99
shadow: cannot find run 99
hint: 'shadow log' lists the runs
[2]
$ shadow log --json | python3 -c 'import json, sys; print([r["argv"][0] for r in json.load(sys.stdin)["runs"]])'
[{'word': 'sh'}, {'word': 'false'}, {'word': 'sh'}]
