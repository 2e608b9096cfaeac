## From a change to the project, and what is left.
$ shadow run -- sh -c "sed -i s/three/3/ list.txt; rm notes.txt; echo new >src/new.c; echo b >build/b.o"
$ shadow status
$ shadow diff
$ shadow diff --stat
$ shadow diff --numstat
$ shadow diff --name-status
$ shadow diff --name-only src
$ shadow diff --exit-code >/dev/null
$ shadow apply --dry-run
$ shadow apply --yes list.txt
$ git diff --stat
$ shadow diff --name-status
$ shadow apply --yes
$ git status --short
$ shadow status
$ shadow diff --exit-code
$ shadow apply --ignored --yes
$ ls build
