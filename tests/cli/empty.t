## A project without git, and questions before anything happened.
$ mkdir ../plain; cd ../plain; shadow status; shadow diff; shadow log; shadow list; shadow apply --yes
$ cd ../plain; shadow run -- sh -c 'echo 1 >one; mkdir -p a/b; echo 2 >a/b/two'
$ cd ../plain; shadow status; shadow diff; shadow apply --yes; find . -type f
