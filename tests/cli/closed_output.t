## A reader that goes away ends the command without noise.
$ shadow run -- sh -c 'seq 100000 >list.txt'
$ shadow diff | head -n 1
$ shadow diff >/dev/full
