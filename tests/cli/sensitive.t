## Changes that could make a program run later need their own word.
$ shadow run -- sh -c 'echo "echo hi" >.envrc; echo "exit 0" >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; echo 6 >>list.txt; ln -s /etc/passwd out'
$ shadow status
session 'default' of '$TMP/project': 3 changes, 2 sensitive

  A  .envrc  (sensitive: direnv runs it)
  M  list.txt
  A  out  (symlink; sensitive: a symlink out of the project)

The session wrote to .git; apply leaves that alone.
$ shadow apply --yes
shadow: cannot apply 2 sensitive changes, which can act on your side without being asked to; nothing was written
  out (a symlink out of the project)
  .envrc (direnv runs it)
hint: look at them with 'shadow diff PATH'; --allow-sensitive=PATH takes one, --allow-sensitive all of them, --skip-sensitive applies the rest
[4]
$ git status --short
?? notes.txt
$ shadow apply --yes --skip-sensitive
applied 1 change; 'shadow undo 1' takes it back
left in the session (sensitive, and skipped):
  .envrc
  out
left in the session (in a git directory; files there are not applied):
  .git/hooks/pre-commit
$ shadow apply --yes --allow-sensitive=.envrc
shadow: cannot apply 1 sensitive change, which can act on your side without being asked to; nothing was written
  out (a symlink out of the project)
hint: look at them with 'shadow diff PATH'; --allow-sensitive=PATH takes one, --allow-sensitive all of them, --skip-sensitive applies the rest
[4]
$ git status --short; ls .git/hooks | grep -v sample
 M list.txt
?? notes.txt
[1]
## A permission for a path without a sensitive change was not meant: nothing is written.
$ shadow run -- sh -c 'echo 7 >>list.txt'; shadow apply --yes --allow-sensitive=.envcr --allow-sensitive=out
shadow: no sensitive change at or below '.envcr'
hint: did you mean '.envrc'?
[1]
$ shadow apply -n --allow-sensitive=list.txt; shadow apply -p --allow-sensitive=.envcr
shadow: no sensitive change at or below 'list.txt'
shadow: no sensitive change at or below '.envcr'
hint: did you mean '.envrc'?
[1]
$ git status --short
 M list.txt
?? notes.txt
$ shadow apply --yes --allow-sensitive=.git/hooks --allow-sensitive=.envrc --allow-sensitive=out | head -1
applied 4 changes; 'shadow undo 2' takes it back
