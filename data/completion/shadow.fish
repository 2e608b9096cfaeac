# SPDX-License-Identifier: MIT
# fish completion for shadow: shadow completion fish | source
# Options come from `shadow COMMAND --help`, so that they are those of the installed program.

function __shadow_command
    set -l words (commandline -opc)
    set -l skip 0
    for word in $words[2..-1]
        if test $skip = 1
            set skip 0
        else
            switch $word
                case -C --as --color
                    set skip 1
                case '-*'
                case '*'
                    echo $word
                    return 0
            end
        end
    end
    return 1
end

function __shadow_commands
    shadow --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z-]*\) *\(.*\)/\1\t\2/p'
end

function __shadow_interlocutors
    shadow list --json 2>/dev/null | grep -o '"interlocutor": *"[^"\\\\]*"' |
        sed 's/.*: *"\(.*\)"/\1/' | sort -u
end

function __shadow_options
    set -l command (__shadow_command)
    shadow $command --help 2>/dev/null | string match -ar -- '--[a-z][a-z-]+' | sort -u
end

function __shadow_changed
    shadow diff --name-only -z 2>/dev/null | string split0
end

function __shadow_takes_paths
    contains -- (__shadow_command) status diff apply refresh discard log
end

complete -c shadow -f
complete -c shadow -n 'not __shadow_command >/dev/null' -a '(__shadow_commands)'
complete -c shadow -n 'string match -q -- "-*" (commandline -ct)' -a '(__shadow_options)'
complete -c shadow -l as -x -a '(__shadow_interlocutors)' -d 'the interlocutor whose session is meant'
complete -c shadow -s C -x -a '(__fish_complete_directories)' -d 'act as if started there'
complete -c shadow -l color -x -a 'auto always never'
complete -c shadow -n '__shadow_takes_paths' -a '(__shadow_changed)'
complete -c shadow -n 'test (__shadow_command) = completion' -a 'bash zsh fish'
complete -c shadow -n 'test (__shadow_command) = run' -a '(__fish_complete_subcommand)'
