## A repository that is wholly new arrives without hooks and with a plain configuration.
$ mkdir ../plain; cd ../plain; shadow -C . run -- sh -c 'git init -q -b main .; echo "echo gotcha" >.git/hooks/pre-commit; git config core.fsmonitor ./evil; echo x >x; git add x; git commit -q -n -m x'
$ cd ../plain; shadow -C . status; shadow -C . apply --yes; ls .git/hooks | grep -v sample; git config -l --local; git log --oneline
