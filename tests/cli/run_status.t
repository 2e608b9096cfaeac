## The command's status and signals are passed on.
$ shadow run -- sh -c 'exit 7'
[7]
$ shadow run -- sh -c 'kill -TERM $$'
[143]
$ shadow run -- no-such-command
shadow: cannot execute 'no-such-command': no such file or directory
[127]
$ shadow run --json -- no-such-command
{"error":{"kind":"not-started","message":"cannot execute 'no-such-command': no such file or directory","paths":[]}}
[127]
$ shadow run -- ./list.txt
shadow: cannot execute './list.txt': permission denied
[126]
$ shadow run --timeout=300ms -- sleep 20
[124]
$ echo through | shadow run -- cat
through
$ shadow run -- cat <&-
cat: -: Bad file descriptor
cat: closing standard input: Bad file descriptor
[1]
$ shadow run -- sh -c 'echo out; echo err >&2' 2>/dev/null
out
## A process left behind ends with the command, and does not keep the caller waiting.
$ shadow run -- sh -c 'sleep 100 & echo started'
started
