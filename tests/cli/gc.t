## What no session needs goes.
$ shadow gc
$ mkdir ../gone; cd ../gone; shadow -C . run -- sh -c 'echo x >x'; rm -r ../gone
$ shadow list
$ shadow gc --dry-run
$ shadow gc
$ shadow list
