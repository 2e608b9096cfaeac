## The scripts are there, and bash's works.
$ for s in bash zsh fish; do shadow completion $s | grep -c 'SPDX'; done
1
1
1
$ shadow run -- sh -c 'echo x >"a b"; echo >list.txt'
$ cat >complete.bash <<'END'
> eval "$(shadow completion bash)"
> try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _shadow; echo "${*}: ${COMPREPLY[*]}"; }
> try shadow sta
> try shadow --as no dif
> try shadow diff --name
> try shadow run --home = pri
> try shadow run --net = al
> try shadow --as def
> try shadow apply l
> try shadow apply a
> try shadow completion z
> END
> bash complete.bash
shadow sta: status
shadow --as no dif: diff
shadow diff --name: --name-only --name-status
shadow run --home = pri: private
shadow run --net = al: allow
shadow --as def: default
shadow apply l: list.txt
shadow apply a: a\ b
shadow completion z: zsh
