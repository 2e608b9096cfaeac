## Changes that could make a program run later need their own word.
$ shadow run -- sh -c 'echo "echo hi" >.envrc; echo "exit 0" >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; echo 6 >>list.txt; ln -s /etc/passwd out'
$ shadow status
$ shadow apply --yes
$ git status --short
$ shadow apply --yes --skip-sensitive
$ shadow apply --yes --allow-sensitive=.envrc
$ git status --short; ls .git/hooks | grep -v sample
