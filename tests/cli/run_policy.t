## The system is read-only, the home is the session's, secrets are out of sight.
$ shadow run -- sh -c 'echo x >/etc/shadow-test'
sh: 1: cannot create /etc/shadow-test: Read-only file system
[2]
$ mkdir -p "$HOME/.ssh"; echo key >"$HOME/.ssh/id_rsa"; echo data >"$HOME/data"
$ shadow run -- sh -c 'cat ~/data; cat ~/.ssh/id_rsa; echo changed >~/data'
data
cat: $TMP/home/.ssh/id_rsa: No such file or directory
$ shadow run -- cat "$HOME/data"; cat "$HOME/data"
changed
data
$ shadow run --home=private -- sh -c 'ls -A ~'
$ API_TOKEN=secret GREETING=hello shadow run -- sh -c 'echo "${API_TOKEN-none} $GREETING"'
none hello
$ API_TOKEN=secret shadow run --env API_TOKEN -- sh -c 'echo "$API_TOKEN"'
secret
$ shadow run --env GREETING=hi --unset LANG -- sh -c 'echo "$GREETING"'
hi
$ shadow run --hide=notes.txt -- cat notes.txt
$ shadow run --ro=src -- sh -c 'echo >src/main.c'
sh: 1: cannot create src/main.c: Read-only file system
[2]
$ shadow run --net=none -- sh -c 'grep -c : /proc/net/dev'
1
