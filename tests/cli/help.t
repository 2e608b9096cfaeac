## Every command explains itself, on stdout, and says so with 0.
$ shadow --help
Usage: shadow [-C DIR] [--as NAME] COMMAND [OPTION]... [ARGUMENT]...

Gives an agent a private copy-on-write view of a project, and lets a person
review, promote or drop what it changed.

Commands:
  run         run a command in the session's view
  shell       run an interactive shell in the session's view
  status      summarize what the session changed
  diff        show what the session changed as a patch
  apply       write the session's changes into the project
  undo        take an apply back
  refresh     bring the session up to the project
  discard     drop changes, or the whole session
  list        list all sessions
  log         list the session's runs
  show        show a run, or a commit of the session, in full
  doctor      test what shadow needs on this machine
  gc          remove what no session needs any more
  completion  print a completion script for a shell

Options of every command:
  -C DIR      act as if started in DIR, which is the project
  --as NAME   the agent whose session is meant
  --json      print data and errors as JSON
  --color WHEN
              auto, always or never
  -h, --help  help of the program or of a command
  -v, --version
              print the version

'shadow help COMMAND' tells more; so does shadow(1).
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
                          the network that the command has
  --ro=PATH               show this path of the host, read-only
  --rw=PATH               let the command write to this real path, outside
                          review
  --hide=PATH             hide this path from the command
  --home=auto|overlay|private|ro|allow
                          the home that the command has
  --env=NAME[=VALUE]      pass on or set a variable
  --unset=NAME            keep a variable back
  --clear-env             pass on no variable that is not named
  --memory=SIZE           memory of all processes together
  --cpus=NUMBER           processors' worth of time
  --pids=NUMBER           processes and threads
  --tmp-size=SIZE         size of /tmp
  --file-size=SIZE        largest file that can be written
  --open-files=NUMBER     descriptors of one process
  --timeout=DURATION      end the command after this time
  --only=FILE             show the command this file of the project alone
  --hide-secrets          hide files of the project such as .env
  --die-with-parent       end the command when what started shadow ends
  --no-die-with-parent    let it go on
  --print-policy          say what would hold, and run nothing
  -C DIR                  act as if started in DIR, which is the project
  --as=NAME               the agent whose session is meant
  --json                  print data and errors as JSON
  --color=WHEN            auto, always or never
$ shadow shell --help
Usage: shadow shell [OPTION]...

run an interactive shell in the session's view

Options:
  -h, --help              print this help
  --profile=default|strict|agent
                          start from this profile
  --net=host|none|allow:HOST[:PORT],...
                          the network that the command has
  --ro=PATH               show this path of the host, read-only
  --rw=PATH               let the command write to this real path, outside
                          review
  --hide=PATH             hide this path from the command
  --home=auto|overlay|private|ro|allow
                          the home that the command has
  --env=NAME[=VALUE]      pass on or set a variable
  --unset=NAME            keep a variable back
  --clear-env             pass on no variable that is not named
  --memory=SIZE           memory of all processes together
  --cpus=NUMBER           processors' worth of time
  --pids=NUMBER           processes and threads
  --tmp-size=SIZE         size of /tmp
  --file-size=SIZE        largest file that can be written
  --open-files=NUMBER     descriptors of one process
  --timeout=DURATION      end the command after this time
  --only=FILE             show the command this file of the project alone
  --hide-secrets          hide files of the project such as .env
  --die-with-parent       end the command when what started shadow ends
  --no-die-with-parent    let it go on
  --print-policy          say what would hold, and run nothing
  -C DIR                  act as if started in DIR, which is the project
  --as=NAME               the agent whose session is meant
  --json                  print data and errors as JSON
  --color=WHEN            auto, always or never
$ shadow status --help
Usage: shadow status [OPTION]... [PATH]...

summarize what the session changed

Options:
  -h, --help              print this help
  --porcelain             stable, line-based output for scripts
  -z                      as --porcelain, with NUL ends and raw names
  --watch                 show it again whenever something changes
  -C DIR                  act as if started in DIR, which is the project
  --as=NAME               the agent whose session is meant
  --json                  print data and errors as JSON
  --color=WHEN            auto, always or never
$ shadow diff --help
Usage: shadow diff [OPTION]... [PATH]...

show what the session changed as a patch

Options:
  -h, --help              print this help
  --stat                  changed lines per file as a bar
  --numstat               changed lines per file as numbers
  --name-only             the changed files' names
  --name-status           the changed files' letters and names
  -z                      raw names with NUL ends in the three formats above
  --binary                a patch that 'git apply' takes for binary files too
  -U, --unified=N         lines of context (default: 3)
  -M, --find-renames      look for similar renamed files however many there are
  --session               what the session did since its base, not what an apply
                          would
  --commits               list the session's commits instead
  -p, --patch             with --commits, print each with its patch
  --exit-code             exit with 1 when there are differences
  --ignored               include what git ignores
  -C DIR                  act as if started in DIR, which is the project
  --as=NAME               the agent whose session is meant
  --json                  print data and errors as JSON
  --color=WHEN            auto, always or never
$ shadow apply --help
Usage: shadow apply [OPTION]... [PATH]...

write the session's changes into the project

Options:
  -h, --help              print this help
  -p, --patch             ask for each hunk and each file whether to write it
  -n, --dry-run           print what would be written, write nothing
  --diff                  with -n, print the patch that would be written
  --on-conflict=merge|stop|skip|ours|theirs|markers
                          what to do where the project changed too (default:
                          merge)
  -y, --yes               do not ask
  --ignored               include what git ignores
  --allow-sensitive[=PATH]
                          write sensitive changes too: all, or those at or below
                          PATH
  --skip-sensitive        leave sensitive changes in the session
  --unseen                write what changed after it was shown, too
  --keep-mtime            keep the files' modification times
  --no-commits            write files only; commits stay in the session
  --branch=NAME           put all on a new branch, leave the work tree as it is
  -m, --message=TEXT      with --branch, the message of its last commit
  -C DIR                  act as if started in DIR, which is the project
  --as=NAME               the agent whose session is meant
  --json                  print data and errors as JSON
  --color=WHEN            auto, always or never
$ shadow undo --help
Usage: shadow undo [OPTION]... [ID]

take an apply back

Options:
  -h, --help              print this help
  --list                  list the applies, change nothing
  -n, --dry-run           say what would be taken back, change nothing
  -y, --yes               do not ask
  -C DIR                  act as if started in DIR, which is the project
  --as=NAME               the agent whose session is meant
  --json                  print data and errors as JSON
  --color=WHEN            auto, always or never
$ shadow discard --help
Usage: shadow discard [OPTION]... [PATH]...

drop changes, or the whole session

Options:
  -h, --help              print this help
  -p, --patch             ask for each hunk and each file whether to drop it
  -y, --yes               do not ask
  --all-sessions          every session of the project
  --kill                  end the session's live runs first
  -C DIR                  act as if started in DIR, which is the project
  --as=NAME               the agent whose session is meant
  --json                  print data and errors as JSON
  --color=WHEN            auto, always or never
$ shadow list --help
Usage: shadow list

list all sessions

Options:
  -h, --help              print this help
  -C DIR                  act as if started in DIR, which is the project
  --as=NAME               the agent whose session is meant
  --json                  print data and errors as JSON
  --color=WHEN            auto, always or never
$ shadow log --help
Usage: shadow log [PATH]...

list the session's runs

Options:
  -h, --help              print this help
  -C DIR                  act as if started in DIR, which is the project
  --as=NAME               the agent whose session is meant
  --json                  print data and errors as JSON
  --color=WHEN            auto, always or never
$ shadow show --help
Usage: shadow show RUN|COMMIT

show a run, or a commit of the session, in full

Options:
  -h, --help              print this help
  -C DIR                  act as if started in DIR, which is the project
  --as=NAME               the agent whose session is meant
  --json                  print data and errors as JSON
  --color=WHEN            auto, always or never
$ shadow doctor --help
Usage: shadow doctor

test what shadow needs on this machine

Options:
  -h, --help              print this help
  -C DIR                  act as if started in DIR, which is the project
  --as=NAME               the agent whose session is meant
  --json                  print data and errors as JSON
  --color=WHEN            auto, always or never
$ shadow gc --help
Usage: shadow gc [OPTION]...

remove what no session needs any more

Options:
  -h, --help              print this help
  -n, --dry-run           print what would be removed, remove nothing
  -C DIR                  act as if started in DIR, which is the project
  --as=NAME               the agent whose session is meant
  --json                  print data and errors as JSON
  --color=WHEN            auto, always or never
$ shadow completion --help
Usage: shadow completion bash|zsh|fish

print a completion script for a shell

Options:
  -h, --help              print this help
  -C DIR                  act as if started in DIR, which is the project
  --as=NAME               the agent whose session is meant
  --json                  print data and errors as JSON
  --color=WHEN            auto, always or never
