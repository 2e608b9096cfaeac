## Kinds of change that a patch has to say.
$ shadow run -- sh -c 'chmod +x list.txt; ln -s list.txt link; printf end >src/main.c; mv notes.txt "odd name"'
$ shadow diff
$ shadow run -- sh -c 'rm -r src; echo file >src; head -c 100 /dev/zero >zeros'
$ shadow diff src zeros
$ shadow diff --binary zeros
$ shadow diff --name-status -z | tr '\0' '!'
