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
## A command that is proposed names the agent that was named, or whose session is meant where there are several.
$ echo mine >who; shadow --as Bob apply
shadow: cannot apply 'who' (added on both sides); nothing was written
hint: 'shadow apply --as Bob -n' lists all; --on-conflict=ours or theirs takes one side, markers writes both into the file
[3]
$ shadow --as 'Ada / ../x' diff who >/dev/null; shadow --as 'Ada / ../x' run -- sh -c 'echo more >who'; shadow --as 'Ada / ../x' apply --on-conflict=theirs
shadow: cannot apply 'who' (changed after it was shown at $TIME); nothing was written
hint: 'shadow diff --as 'Ada / ../x' who' shows what is there now; --unseen applies it all the same
[4]
$ rm who; shadow --as Bob apply --yes; shadow --as Bob undo --yes >/dev/null; shadow --as 'Ada / ../x' discard --yes :/; shadow show feed
applied 1 change; 'shadow undo 2' takes it back
discarded the change of 'who'
shadow: cannot find a commit feed of the session
hint: 'shadow log --as Bob' lists the runs, 'shadow diff --as Bob --commits' the commits
[2]
$ shadow --as Bob diff >/dev/null; shadow --as Bob run -- sh -c 'echo bob again >who'; shadow apply
shadow: cannot apply 'who' (changed after it was shown at $TIME); nothing was written
hint: 'shadow diff --as Bob who' shows what is there now; --unseen applies it all the same
[4]
$ shadow run --as Bob -- git commit -q --allow-empty -m Theirs; git commit -q --allow-empty -m Mine; shadow --as Bob apply --yes --unseen >/dev/null; shadow status --as Bob
session 'Bob' of '$TMP/project': no changes

Commits:
  main: nothing that the project has not, diverged from the project's
  'shadow discard --as Bob :/.git' lets the session continue from the project's branch.
## It does what it says, typed as it stands.
$ shadow discard --as Bob :/.git --yes
discarded 2 paths in git directories
