## A live session is not discarded by accident; edits of the real tree are seen in it.
$ shadow run -- sh -c 'echo ready; sleep 60' >../log & while ! grep -q ready ../log; do sleep 0.05; done 2>/dev/null
$ echo later >later.txt; shadow run -- cat later.txt
$ shadow discard --yes
$ shadow list
$ shadow discard --yes --kill
$ shadow list
