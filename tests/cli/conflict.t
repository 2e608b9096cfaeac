## When both sides changed a file, nothing is written.
$ shadow run -- sh -c 'echo agent >>list.txt; echo agent >src/new.c'
$ echo user >>list.txt
$ shadow status
$ shadow apply --yes
$ git status --short
$ shadow apply --yes src
$ shadow apply --yes --json list.txt
## What both made alike is no conflict.
$ shadow run -- cat list.txt >list.txt
$ shadow apply --yes
$ shadow status
