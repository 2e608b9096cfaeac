## As Lectic calls it: the script appears beside the project's files just before, and is not a change.
$ printf 'echo "hello from $0" | sed "s,/.*/,,"; echo made >made.txt\n' >.lectic_script-0190-a
$ LECTIC_INTERLOCUTOR=Ada shadow run sh "$PWD/.lectic_script-0190-a"; rm .lectic_script-0190-a
hello from .lectic_script-0190-a
$ LECTIC_INTERLOCUTOR=Ada shadow run -- sh -c 'echo x >.lectic_script-0190-b'
$ shadow --as Ada status
session 'Ada' of '$TMP/project': 1 change

  A  made.txt
$ shadow --as Ada diff --name-only
made.txt
