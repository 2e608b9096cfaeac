## A live session is reviewed and trimmed as any other, and not discarded by accident; edits of the real tree are seen in it.
$ : >../log; shadow run -- sh -c 'echo ready; sleep 60' >../log 2>&1 & until grep -q ready ../log; do sleep 0.05; done
$ echo later >later.txt; shadow run -- cat later.txt
later
$ shadow status | sed 's/run [0-9]*/run N/'
session 'default' of '$TMP/project': no changes

Live:
  run N, since $TIME: sh -c 'echo ready; sleep 60'
$ shadow refresh
the session is up to date
$ shadow run -- sh -c 'echo six >>list.txt; echo agent >new'; shadow status --porcelain
M.. list.txt
A.. new
$ shadow discard --yes list.txt; shadow run -- tail -1 list.txt; shadow status --porcelain
discarded the change of 'list.txt'
five
A.. new
$ : >../log; shadow run -- sh -c 'exec 3>>new; echo ready; sleep 60' >../log 2>&1 & until grep -q ready ../log; do sleep 0.05; done
$ shadow discard --yes new 2>&1 | sed 's/process [0-9]*/process N/'
shadow: cannot discard 'new': 'new' is open for writing in process N ('sh') of a live run
hint: try again when it is closed
$ shadow discard --yes
shadow: cannot discard the session of 'default': the session is live
hint: wait until its runs have ended, or end them with --kill; 'shadow discard :/' drops all changes beside them
[4]
$ shadow discard --yes --kill
discarded session 'default' of '$TMP/project'
$ shadow list
no sessions
