## Commits that an agent makes are named, not copied.
$ shadow run -- sh -c 'echo c >c.txt; git add c.txt; git commit -q -m "Add c"; git log --oneline | wc -l'
$ git log --oneline | wc -l
$ shadow status
$ shadow diff
$ shadow apply --yes
$ git status --short
