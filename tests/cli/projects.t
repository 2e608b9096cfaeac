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
## A project that is gone, and a directory that was removed around the user.
$ mkdir ../gone; shadow -C ../gone run -- touch made; rmdir ../gone; shadow -C ../gone/ status
shadow: cannot open the project '../gone/': it is gone
hint: its sessions wait until it is back there; an empty directory there will do for: shadow -C ../gone/ discard --all-sessions
[2]
$ mkdir ../gone && shadow -C ../gone/ discard --all-sessions --yes && rmdir ../gone && shadow -C ../gone status
discarded session 'default' of '$TMP/gone'
shadow: cannot open '../gone': no such file or directory
[2]
$ mkdir ../gone; cd ../gone && rmdir ../gone && shadow status
shadow: cannot use '.': it was removed or cannot be reached by its path
hint: change into a directory that is there
[2]
$ mkdir ../gone; cd ../gone && rmdir ../gone && shadow -C "$TMP/other" run -- pwd
$TMP/other
