## What no session needs goes.
$ shadow gc
nothing to remove
$ mkdir ../gone; cd ../gone; shadow -C . run -- sh -c 'echo x >x'; rm -r ../gone
$ while shadow list | grep -q '?.*?'; do sleep 0.1; done; shadow list | sed 's/~2 B /2 B  /'
AGENT    CHANGES  SIZE  LAST USED            PROJECT
default  ?        2 B   $TIME  $TMP/gone  project is gone
$ shadow gc --dry-run
would remove session 'default' of '$TMP/gone'
$ shadow gc
removed session 'default' of '$TMP/gone'
removed discarded directories: 1
$ shadow list
no sessions
