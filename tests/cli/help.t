## Every command explains itself, on stdout, and says so with 0.
$ shadow --help
Usage: shadow [-C DIR] [--as NAME] COMMAND [OPTION]... [ARGUMENT]...

Gives an agent a private copy-on-write view of a project, and lets you review,
apply or drop its changes.

Commands:
  run         run a command in the session's view
  shell       run an interactive shell in the session's view
  status      summarize the session's changes
  diff        show the session's changes as a patch
  apply       write the session's changes into the project
  undo        undo an apply
  refresh     bring the session up to date with the project
  discard     drop changes, or the whole session
  list        list all sessions
  log         list the session's runs
  show        show a run, or a commit of the session, in full
  doctor      check that shadow works on this machine
  gc          remove sessions and files that nobody needs
  completion  print a completion script for a shell

Options of every command:
  -C DIR      act as if started in DIR, which is the project
  --as NAME   use the session of this agent
  --json      print data and errors as JSON
  --color WHEN
              auto, always or never
  -h, --help  print help for the program or a command
  -v, --version
              print the version

See also 'shadow help COMMAND' and shadow(1).
$ shadow --version
shadow 0.1.0
$ shadow run --help
Usage: shadow run [OPTION]... [--] COMMAND [ARGUMENT]...

run a command in the session's view

Options:
  -h, --help              print this help
  --profile=default|strict|agent
                          start from this profile
  --net=host|none|allow:HOST[:PORT],...
                          the command's network
  --ro=PATH               make this path read-only, or show this host path
  --rw=PATH               let the command write to this real path, unreviewed
  --hide=PATH             hide this path from the command
  --home=auto|overlay|private|ro|allow
                          the command's home directory
  --env=NAME[=VALUE]      pass on or set a variable
  --unset=NAME            withhold a variable
  --clear-env             withhold every variable that is not named
  --memory=SIZE           limit the memory of all processes together
  --cpus=NUMBER           limit processor time to that of NUMBER processors
  --pids=NUMBER           limit the number of processes and threads
  --tmp-size=SIZE         limit the size of /tmp
  --file-size=SIZE        limit the size of each written file
  --open-files=NUMBER     limit the descriptors of each process
  --timeout=DURATION      end the command after this time
  --only=FILE             show the command only this file of the project
  --hide-secrets          hide files of the project such as .env
  --die-with-parent       end the command when shadow's parent ends
  --no-die-with-parent    let it go on
  --print-policy          print the policy, run nothing
  -C DIR                  act as if started in DIR, which is the project
  --as=NAME               use the session of this agent
  --json                  print data and errors as JSON
$ shadow shell --help
Usage: shadow shell [OPTION]...

run an interactive shell in the session's view

Options:
  -h, --help              print this help
  --profile=default|strict|agent
                          start from this profile
  --net=host|none|allow:HOST[:PORT],...
                          the command's network
  --ro=PATH               make this path read-only, or show this host path
  --rw=PATH               let the command write to this real path, unreviewed
  --hide=PATH             hide this path from the command
  --home=auto|overlay|private|ro|allow
                          the command's home directory
  --env=NAME[=VALUE]      pass on or set a variable
  --unset=NAME            withhold a variable
  --clear-env             withhold every variable that is not named
  --memory=SIZE           limit the memory of all processes together
  --cpus=NUMBER           limit processor time to that of NUMBER processors
  --pids=NUMBER           limit the number of processes and threads
  --tmp-size=SIZE         limit the size of /tmp
  --file-size=SIZE        limit the size of each written file
  --open-files=NUMBER     limit the descriptors of each process
  --timeout=DURATION      end the command after this time
  --only=FILE             show the command only this file of the project
  --hide-secrets          hide files of the project such as .env
  --die-with-parent       end the command when shadow's parent ends
  --no-die-with-parent    let it go on
  --print-policy          print the policy, run nothing
  -C DIR                  act as if started in DIR, which is the project
  --as=NAME               use the session of this agent
  --json                  print data and errors as JSON
$ shadow status --help
Usage: shadow status [OPTION]... [PATH]...

summarize the session's changes

Options:
  -h, --help              print this help
  --porcelain             stable, line-based output for scripts
  -z                      like --porcelain, with raw names that end in NUL
  --watch                 print it again whenever something changes
  -C DIR                  act as if started in DIR, which is the project
  --as=NAME               use the session of this agent
  --json                  print data and errors as JSON
  --color=WHEN            auto, always or never
$ shadow diff --help
Usage: shadow diff [OPTION]... [PATH]...

show the session's changes as a patch

Options:
  -h, --help              print this help
  --stat                  changed lines per file as a bar
  --numstat               changed lines per file as numbers
  --name-only             the changed files' names
  --name-status           the changed files' letters and names
  -z                      raw names that end in NUL in the last three formats
  --binary                include binary files, for 'git apply'
  -U, --unified=N         lines of context (default: 3)
  -M, --find-renames      look for similar renamed files however many there are
  --session               the session's own changes, without the project's
  --commits               list the session's commits instead
  -p, --patch             with --commits, print each with its patch
  --exit-code             exit with 1 if there are differences
  --ignored               include files that git ignores
  -C DIR                  act as if started in DIR, which is the project
  --as=NAME               use the session of this agent
  --json                  print data and errors as JSON
  --color=WHEN            auto, always or never
$ shadow apply --help
Usage: shadow apply [OPTION]... [PATH]...

write the session's changes into the project

Options:
  -h, --help              print this help
  -p, --patch             ask about each hunk
  -n, --dry-run           print what would be written, write nothing
  --diff                  with -n, print the patch that would be written
  --on-conflict=merge|stop|skip|ours|theirs|markers
                          what to do if both sides changed (default: merge)
  -y, --yes               do not ask
  --ignored               include files that git ignores
  --allow-sensitive[=PATH]
                          write sensitive changes too: all, or those at or below
                          PATH
  --skip-sensitive        keep sensitive changes in the session
  --unseen                also write changes that are not as shown
  --keep-mtime            keep the files' modification times
  --no-commits            write files only; commits stay in the session
  --branch=NAME           put everything on a new branch; the work tree stays as
                          it is
  -m, --message=TEXT      with --branch, the message of the last commit
  -C DIR                  act as if started in DIR, which is the project
  --as=NAME               use the session of this agent
  --json                  print data and errors as JSON
  --color=WHEN            auto, always or never
$ shadow undo --help
Usage: shadow undo [OPTION]... [ID]

undo an apply

Options:
  -h, --help              print this help
  --list                  list the applies, change nothing
  -n, --dry-run           print what would be undone, change nothing
  -y, --yes               do not ask
  --allow-sensitive[=PATH]
                          write sensitive changes too: all, or those at or below
                          PATH
  -C DIR                  act as if started in DIR, which is the project
  --as=NAME               use the session of this agent
  --json                  print data and errors as JSON
  --color=WHEN            auto, always or never
$ shadow discard --help
Usage: shadow discard [OPTION]... [PATH]...

drop changes, or the whole session

Options:
  -h, --help              print this help
  -p, --patch             ask about each hunk
  -y, --yes               do not ask
  --all-sessions          drop every session of the project
  --kill                  end the session's live runs first
  -C DIR                  act as if started in DIR, which is the project
  --as=NAME               use the session of this agent
  --json                  print data and errors as JSON
  --color=WHEN            auto, always or never
$ shadow list --help
Usage: shadow list

list all sessions

Options:
  -h, --help              print this help
  --json                  print data and errors as JSON
$ shadow log --help
Usage: shadow log [PATH]...

list the session's runs

Options:
  -h, --help              print this help
  -C DIR                  act as if started in DIR, which is the project
  --as=NAME               use the session of this agent
  --json                  print data and errors as JSON
$ shadow show --help
Usage: shadow show RUN|COMMIT

show a run, or a commit of the session, in full

Options:
  -h, --help              print this help
  -C DIR                  act as if started in DIR, which is the project
  --as=NAME               use the session of this agent
  --json                  print data and errors as JSON
  --color=WHEN            auto, always or never
$ shadow doctor --help
Usage: shadow doctor

check that shadow works on this machine

Options:
  -h, --help              print this help
  -C DIR                  act as if started in DIR, which is the project
  --json                  print data and errors as JSON
  --color=WHEN            auto, always or never
$ shadow gc --help
Usage: shadow gc [OPTION]...

remove sessions and files that nobody needs

Options:
  -h, --help              print this help
  -n, --dry-run           print what would be removed, remove nothing
  --json                  print data and errors as JSON
$ shadow completion --help
Usage: shadow completion bash|zsh|fish

print a completion script for a shell

Options:
  -h, --help              print this help
  --json                  print data and errors as JSON
