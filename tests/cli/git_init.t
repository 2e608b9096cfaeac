## A repository that is wholly new arrives without hooks and with a plain configuration.
$ mkdir ../plain; cd ../plain; shadow -C . run -- sh -c 'git init -q -b main --template= .; mkdir .git/hooks; echo "echo gotcha" >.git/hooks/pre-commit; git config core.fsmonitor ./evil; echo x >x; git add x; git commit -q -n -m x' 2>/dev/null
$ cd ../plain; shadow -C . status; shadow -C . apply --yes; ls .git/hooks | grep -v sample; git config -l --local; git log --oneline
session 'default' of '$TMP/plain': 1 change

  A  x

New git repositories, which apply takes without hooks and settings:
  .git/  (1 commit)
applied 1 change and 1 git repository; 'shadow undo 1' takes it back
left in the session (in a git directory; files there are not applied):
  .git/hooks/pre-commit
ls: cannot access '.git/hooks': No such file or directory
core.repositoryformatversion=0
core.filemode=true
core.bare=false
core.logallrefupdates=true
de94ad3 x
$ cd ../plain; shadow -C . undo -n; shadow -C . undo --yes; ls -A
to take back apply 1 of 'default', $TIME:
  D  .git/
  D  x
took back 1 change and 1 git repository of apply 1; 'shadow undo 2' does it again
changes of the session of 'default' again
