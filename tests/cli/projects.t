## What cannot be a project, and which one is meant.
$ shadow -C / run -- true
shadow: cannot use '/' as a project
hint: change into the project's own directory, or name it: -C DIR
[125]
$ shadow -C "$HOME" run -- true
shadow: cannot use the home directory '$TMP/home' as a project
hint: change into the project's own directory, or name it: -C DIR
[125]
$ shadow -C "$SHADOW_STATE_DIR" run -- true
shadow: cannot use '$TMP/state' as a project: it contains shadow's state directory
hint: set SHADOW_STATE_DIR to a directory outside of it
[125]
$ shadow -C .. run -- true
shadow: cannot use '$TMP' as a project: it contains shadow's state directory
hint: set SHADOW_STATE_DIR to a directory outside of it
[125]
$ cd src && shadow run -- sh -c 'cd .. && echo from below >where'; shadow run -- cat ../where
from below
$ mkdir ../other; SHADOW_PROJECT=../other shadow run -- pwd
$TMP/other
$ ln -s project ../link; cd ../link && shadow run -- pwd
$TMP/project
