## A reader that goes away ends the command without noise.
$ shadow run -- sh -c 'seq 100000 >list.txt'
$ shadow diff | head -n 1
diff --git a/list.txt b/list.txt
$ shadow diff >/dev/full
shadow: cannot write to the standard output: no space left on device
[2]
