## The session goes on from what the project has by now.
$ seq 20 >n.txt
$ seq 50 60 >old.txt
$ shadow run -- sh -c 'sed -i s/^2$/agent/ n.txt; echo agent >>list.txt; mv old.txt new.txt'
$ shadow status --porcelain
M.. list.txt
M.. n.txt
A.. new.txt
D.. old.txt
$ sed -i 's/^15$/user/' n.txt
$ echo user >>list.txt
$ sed -i 's/^55$/user/' old.txt
$ shadow status
session 'default' of '$TMP/project': 4 changes, 1 conflict, 2 to be merged

  M  list.txt  (conflict: the same lines were changed on both sides)
  M  n.txt  (changed in the project too, can be merged)
  A  new.txt  (was old.txt, which the project changed)
  D  old.txt  (changed in the project too; it became new.txt and can be merged)

Behind the project at 2 paths; 'shadow refresh' brings the session up to it.
$ shadow refresh -n
to be merged with the project's changes:
  M  n.txt
  A  new.txt  (was old.txt, which the project changed)
in conflict, and left as it is:
  M  list.txt  (the same lines were changed on both sides)
[3]
$ shadow refresh
merged with the project's changes:
  M  n.txt
  A  new.txt  (was old.txt, which the project changed)
in conflict, and left as it is:
  M  list.txt  (the same lines were changed on both sides)
[3]
$ shadow status
session 'default' of '$TMP/project': 4 changes, 1 conflict

  M  list.txt  (conflict: the same lines were changed on both sides)
  M  n.txt
  A  new.txt
  D  old.txt
$ shadow refresh --json
{"refreshed":[],"conflicts":[{"path":"list.txt","change":"modified","type":"file","old_mode":"0644","new_mode":"0644","size":30,"content_changed":true,"mode_changed":false,"xattrs_changed":false,"acl_changed":false,"standing":"normal","drift":"changed","resolution":"conflict","reason":"the same lines were changed on both sides"}],"left_ignored":[]}
[3]
$ shadow diff n.txt
diff --git a/n.txt b/n.txt
index 7df83a9..fcfe350 100644
--- a/n.txt
+++ b/n.txt
@@ -1,5 +1,5 @@
 1
-2
+agent
 3
 4
 5
$ shadow apply --yes n.txt new.txt old.txt
applied 3 changes; 'shadow undo 1' takes it back
$ tail -n 7 n.txt
14
user
16
17
18
19
20
$ shadow discard --yes list.txt
discarded the change of 'list.txt'
$ shadow refresh
the session is up to date
## How it is not called.
$ shadow refresh --on-conflict=ours
shadow: cannot understand '--on-conflict': 'shadow refresh' has no such option
hint: 'shadow refresh --help' lists them
[2]
$ shadow refresh ..
shadow: cannot select '..': it is not in the project '$TMP/project'
[2]
$ shadow --as nobody refresh
shadow: cannot find a session of 'nobody' in '$TMP/project'
hint: 'shadow list' shows all sessions
[2]
