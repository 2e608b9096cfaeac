## Each agent has a session of its own; the name is data.
$ shadow --as 'Ada / ../x' run -- sh -c 'echo ada >who'
$ SHADOW_INTERLOCUTOR=Bob shadow run -- sh -c 'cat who || echo bob >who'
cat: who: No such file or directory
$ LECTIC_INTERLOCUTOR=Bob shadow run -- cat who
bob
$ LECTIC_INTERLOCUTOR=Bob SHADOW_INTERLOCUTOR='Ada / ../x' shadow run -- cat who
ada
$ shadow status
shadow: cannot tell which session of '$TMP/project' is meant: there are 'Ada / ../x', 'Bob'
hint: name one: --as 'Ada / ../x'
[2]
$ shadow --as Bob status
session 'Bob' of '$TMP/project': 1 change

  A  who
$ shadow list --json | python3 -c 'import json, sys; print(sorted(s["agent"] for s in json.load(sys.stdin)["sessions"]))'
['Ada / ../x', 'Bob']
