## What is not understood is said with 2, and with a hint where there is one.
$ shadow
shadow: cannot do anything: no command was given
hint: 'shadow --help' lists the commands
[2]
$ shadow stauts
shadow: cannot understand 'stauts': no such command
hint: did you mean 'status'?
[2]
$ shadow frobnicate
shadow: cannot understand 'frobnicate': no such command
hint: 'shadow --help' lists the commands; a command to be wrapped goes after 'shadow run'
[2]
$ shadow redo
shadow: cannot understand 'redo': no such command
hint: 'shadow undo ID' of an undo does it again; 'shadow undo --list' lists them
[2]
$ shadow diff --name-onyl
shadow: cannot understand '--name-onyl': 'shadow diff' has no such option
hint: did you mean '--name-only'?
[2]
## The beginning of an option or a command finds it, before any other word that looks like it.
$ shadow run --time 3 true
shadow: cannot understand '--time': 'shadow run' has no such option
hint: did you mean '--timeout'?
[125]
$ shadow run --file 1M true
shadow: cannot understand '--file': 'shadow run' has no such option
hint: did you mean '--file-size'?
[125]
$ shadow diff --name
shadow: cannot understand '--name': 'shadow diff' has no such option
hint: did you mean '--name-only' or '--name-status'?
[2]
$ shadow apply --on stop
shadow: cannot understand '--on': 'shadow apply' has no such option
hint: did you mean '--on-conflict'?
[2]
$ shadow apply --dry; shadow apply --skip
shadow: cannot understand '--dry': 'shadow apply' has no such option
hint: did you mean '--dry-run'?
shadow: cannot understand '--skip': 'shadow apply' has no such option
hint: did you mean '--skip-sensitive'?
[2]
$ shadow ref
shadow: cannot understand 'ref': no such command
hint: did you mean 'refresh'?
[2]
$ shadow dis
shadow: cannot understand 'dis': no such command
hint: did you mean 'discard'?
[2]
$ shadow diff -M50
shadow: cannot understand '-M': it takes no value
hint: 'shadow diff --help' explains it
[2]
$ shadow diff --stat --numstat
shadow: cannot print several formats at once
hint: give one of --stat, --numstat, --name-only, --name-status
[2]
$ shadow diff --stat -z
shadow: cannot end names with NUL in this format
hint: -z goes with --numstat, --name-only and --name-status
[2]
$ shadow diff -z
shadow: cannot end names with NUL in this format
hint: -z goes with --numstat, --name-only and --name-status
[2]
$ shadow diff --session --commits
shadow: cannot list commits as changes of files
hint: give --commits or --session, not both
[2]
$ shadow status --json --porcelain
{"error":{"kind":"trouble","message":"cannot print several formats at once","hint":"give --json, or --porcelain or -z","paths":[]}}
[2]
$ shadow status -z --json
{"error":{"kind":"trouble","message":"cannot print several formats at once","hint":"give --json, or --porcelain or -z","paths":[]}}
[2]
$ shadow -C
shadow: cannot understand '-C': a value is missing
hint: 'shadow --help' explains it
[2]
$ shadow --color=sometimes status
shadow: cannot understand '--color': 'sometimes' is none of auto, always, never
[2]
$ shadow undo five
shadow: cannot understand 'undo': 'five' is not a number
[2]
$ shadow show
shadow: cannot understand 'show': it takes one run or commit
hint: 'shadow show --help' explains it
[2]
$ shadow list extra
shadow: cannot understand 'extra': 'shadow list' takes no arguments
hint: 'shadow list --help' explains it
[2]
$ shadow completion tcsh
shadow: cannot print a completion script for 'tcsh': no such script
hint: there are scripts for bash, zsh and fish
[2]
$ shadow --json frobnicate
{"error":{"kind":"trouble","message":"cannot understand 'frobnicate': no such command","hint":"'shadow --help' lists the commands; a command to be wrapped goes after 'shadow run'","paths":[]}}
[2]
## Words after 'help' and 'version' do not make them unknown, nor is a command run.
$ shadow version --json; shadow --json --version
{"version":"0.1.0"}
{"version":"0.1.0"}
$ shadow help undo --json | head -n 1
Usage: shadow undo [OPTION]... [ID]
$ shadow help undo 1 | head -n 1
Usage: shadow undo [OPTION]... [ID]
## A shell that starts hears of no trouble with the state.
$ SHADOW_STATE_DIR=nowhere shadow completion fish | head -n 1
# SPDX-License-Identifier: MIT
## Two options that contradict each other are refused in either order.
$ shadow apply --skip-sensitive --allow-sensitive; shadow apply -n --allow-sensitive --skip-sensitive --branch b
shadow: cannot take both --allow-sensitive and --skip-sensitive
hint: --allow-sensitive=PATH goes with --skip-sensitive: what is there is written, and the other sensitive changes stay
shadow: cannot take both --allow-sensitive and --skip-sensitive
hint: --allow-sensitive=PATH goes with --skip-sensitive: what is there is written, and the other sensitive changes stay
[2]
$ shadow run -- true; shadow apply --allow-sensitive=.envrc --skip-sensitive
shadow: no sensitive change at or below '.envrc'
[1]
## An option that is none is named, not its value; those before `version` count as those behind it.
$ shadow --state-dir tmpfs run true
shadow: cannot understand '--state-dir': 'shadow' has no such option
hint: 'shadow --help' lists them
[2]
$ shadow --net none run true
shadow: cannot understand '--net': 'shadow' has no such option
hint: 'shadow --help' lists them
[2]
$ shadow --json version | sed 's/:".*"/:"N"/'; shadow version --json | sed 's/:".*"/:"N"/'
{"version":"N"}
{"version":"N"}
## Where nothing was applied there is no apply to undo.
$ shadow apply --json | grep -o '"apply":[^,]*'
"apply":null
