## A reader that goes away ends the command without noise.
$ shadow run -- sh -c 'seq 100000 >list.txt'
$ shadow diff | head -n 1
diff --git a/list.txt b/list.txt
$ shadow diff >/dev/full
shadow: cannot write to the standard output: no space left on device
[2]
## A closed stream is neither read nor written in the place of something else: an answer that cannot be given is none, and what
## cannot be printed is an error where there is something to print.
$ for i in 1 2 3; do shadow diff >&-; echo $?; done
shadow: cannot write to the standard output: bad file descriptor
2
shadow: cannot write to the standard output: bad file descriptor
2
shadow: cannot write to the standard output: bad file descriptor
2
$ shadow status >&-
shadow: cannot write to the standard output: bad file descriptor
[2]
$ shadow --help >&-
shadow: cannot write to the standard output: bad file descriptor
[2]
$ shadow apply -p <&- 2>&1 | tail -n 1
shadow: nothing was written
$ shadow discard -p <&- 2>&1 | tail -n 1
shadow: nothing was discarded
$ shadow refresh >&- 2>&-; shadow diff --exit-code <&- 2>&- | head -n 1
diff --git a/list.txt b/list.txt
$ shadow run -- true >&-; shadow run -- sh -c 'echo x' >&-
sh: 1: echo: echo: I/O error
[1]
$ shadow run --print-policy >/dev/full
shadow: cannot write to the standard output: no space left on device
[125]
$ shadow run --json --print-policy >/dev/full
{"error":{"kind":"trouble","message":"cannot write to the standard output: no space left on device","paths":[]}}
[125]
$ shadow shell --print-policy >&-
shadow: cannot write to the standard output: bad file descriptor
[125]
