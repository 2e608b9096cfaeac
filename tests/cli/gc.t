## What no session needs goes.
$ shadow gc
nothing to remove
$ mkdir ../gone; cd ../gone; shadow -C . run -- sh -c 'echo x >x'; rm -r ../gone
$ while shadow list | grep -q '?.*?'; do sleep 0.1; done; shadow list | sed 's/~2 B /2 B  /'
AGENT    CHANGES  SIZE  LAST USED            PROJECT
default  ?        2 B   $TIME  $TMP/gone  project is gone
$ shadow gc
left session 'default' of '$TMP/gone': the project is gone, or another directory is in its place, and the session holds work; it is removed when it was not used for 'retention_days'
$ mkdir ../empty; cd ../empty; shadow run -- true; rm -r ../empty
$ shadow gc --dry-run | grep -v left
would remove session 'default' of '$TMP/empty'
$ shadow gc | grep -v left
removed session 'default' of '$TMP/empty'
removed discarded directories: 1
$ shadow list | wc -l
2
