## A live session is not discarded by accident; edits of the real tree are seen in it.
$ : >../log; shadow run -- sh -c 'echo ready; sleep 60' >../log 2>&1 & until grep -q ready ../log; do sleep 0.05; done
$ echo later >later.txt; shadow run -- cat later.txt
later
$ shadow status | sed 's/run [0-9]*/run N/'
session 'default' of '$TMP/project': no changes

Live:
  run N, since $TIME: sh -c 'echo ready; sleep 60'
$ shadow refresh
shadow: cannot refresh the session: the session is live
hint: wait until its runs have ended
[4]
$ shadow discard --yes
shadow: cannot discard the session of 'default': the session is live
hint: wait until its runs have ended, or end them with --kill
[4]
$ shadow discard --yes --kill
discarded session 'default' of '$TMP/project'
$ shadow list
no sessions
