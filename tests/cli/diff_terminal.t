## No text of an agent's making steers the terminal; scripts get the bytes.
$ shadow run -- sh -c 'printf "a\033[31mb\n" >list.txt; : >"$(printf "x\033]0;t\007")"'
$ shadow --color=always diff list.txt | cat -v
$ shadow diff list.txt | cat -v
$ shadow status | cat -v
$ shadow diff --name-only -z | tr '\0' '\n' | cat -v
$ NO_COLOR=1 shadow diff --stat | cat -v
