# SPDX-License-Identifier: MIT
# fish completion for shadow: shadow completion fish | source
# Options and their values come from `shadow COMMAND --help`, so that they are those of the installed
# program.

# The command's place among the words of the line, and nothing when there is none yet.
function __shadow_command_index
    set -l words (commandline -opc)
    set -l skip 0
    for i in (seq 2 (count $words))
        if test $skip = 1
            set skip 0
        else
            switch $words[$i]
                case -C --as --color
                    set skip 1
                case '-*'
                case '*'
                    echo $i
                    return 0
            end
        end
    end
    return 1
end

function __shadow_command
    set -l words (commandline -opc)
    set -l index (__shadow_command_index)
    or return 1
    echo $words[$index]
end

function __shadow_is
    set -l command (__shadow_command)
    contains -- "$command" $argv
end

function __shadow_no_command
    not __shadow_command_index >/dev/null
end

# The options on the line that say whose session is meant.
function __shadow_session
    set -l words (commandline -opc)
    set -l take 0
    for word in $words[2..-1]
        if test $take = 1
            echo -- $word
            set take 0
        else
            switch $word
                case -C --as
                    echo -- $word
                    set take 1
                case '--as=*' '-C?*'
                    echo -- $word
            end
        end
    end
end

function __shadow_commands
    shadow --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z-]*\) *\(.*\)/\1\t\2/p'
end

function __shadow_agents
    shadow list --json 2>/dev/null | grep -o '"agent": *"[^"\\\\]*"' |
        sed 's/.*: *"\(.*\)"/\1/' | sort -u
end

function __shadow_options
    set -l command (__shadow_command)
    shadow $command --help 2>/dev/null | string match -ar -- '--[a-z][a-z-]+' | sort -u
end

# The option whose value is being typed: the one before a '=' in this word, or the word before.
function __shadow_value_option
    set -l token (commandline -ct)
    if string match -q -- '--*=*' "$token"
        string replace -r -- '=.*' '' "$token"
        return 0
    end
    set -l words (commandline -opc)
    string match -r -- '^--[a-z-]+$' "$words[-1]"
end

# The words that the option can have, or paths; fails when no value is being typed.
function __shadow_values
    set -l option (__shadow_value_option)
    or return 1
    set -l command (__shadow_command)
    set -l type (shadow $command --help 2>/dev/null |
        string replace -rf -- '^  (?:-., )?'$option'\[?[= ]([a-zA-Z][^\] ]*).*' '$1')
    or return 1
    set -l before ''
    string match -q -- '--*=*' (commandline -ct)
    and set before "$option="
    switch "$option $type[1]"
        case '--as *'
            printf "$before%s\n" (__shadow_agents)
        case '--color *'
            printf "$before%s\n" auto always never
        case '--env *' '--unset *'
            printf "$before%s\n" (set -xn)
        case '*|*'
            printf "$before%s\n" (string split '|' -- $type[1] | string match -r -- '^[a-z]+')
        case '* PATH' '* FILE' '* DIR'
            set -l typed (string replace -- "$before" '' (commandline -ct))
            printf "$before%s\n" (__fish_complete_path "$typed" | string replace -r '\t.*' '')
    end
    return 0
end

function __shadow_takes_value
    set -l option (__shadow_value_option)
    or return 1
    string match -q -- '--*=*' (commandline -ct)
    and return 0
    contains -- $option --as --color
    and return 0
    set -l command (__shadow_command)
    shadow $command --help 2>/dev/null | string match -qr -- '^  (-., )?'$option'='
end

# The current directory's path below the project's root, with a '/' behind it; nothing at the root, and fails
# outside of it, where shadow takes paths from the root on.
function __shadow_below
    set -l session (__shadow_session)
    set -l here (pwd -P)
    set -l root $SHADOW_PROJECT
    if set -l at (contains -i -- -C $session)
        set root $session[(math $at + 1)]
    else if set -l glued (string match -r -- '^-C(.+)' $session)
        set root $glued[2]
    end
    if test -n "$root"
        set root (realpath -- $root 2>/dev/null)
    else
        # It is the deepest enclosing directory with a session, and `log` looks at no files to find out.
        set root $here
        while test -n "$root"; and not shadow $session -C $root log >/dev/null 2>&1
            set root (string replace -r '/[^/]*$' '' -- $root)
        end
    end
    test -n "$root"
    and string replace -rf -- '^'(string escape --style=regex -- $root)'/' '' $here/
end

# The session's changes of every kind, as paths from the current directory on.
function __shadow_changed
    set -l session (__shadow_session)
    # diff --name-only would give these paths, but leaves out empty directories, FIFOs and ignored files. One line
    # a path: a newline in it becomes \1 meanwhile. Fish takes what follows a tab for a description.
    set -l paths (shadow $session status -z 2>/dev/null | tr '\0\n\1' '\n\1\t' | string match -v -- '*'\t'*' |
        string sub -s 5)
    test -n "$paths"
    or return
    set -l dir (__shadow_below)
    set -l up ''
    set -l found
    while test -n "$dir"
        set -l beneath '^'(string escape --style=regex -- $dir)
        set -a found $up(string replace -rf -- $beneath '' $paths)
        set paths (string match -rv -- $beneath $paths)
        set up ../$up
        set dir (string replace -r '[^/]*/$' '' -- $dir)
    end
    set -a found $up$paths
    # Neither an option nor git's pathspec magic, and the directory itself has a name, too.
    string replace -r -- '^(?=[-:]|$)' ./ $found | tr '\n\1' '\0\n' | string split0
end

# The same, and when none of that begins so the project's own files: what has been applied is no change any more,
# and `log` knows it still.
function __shadow_logged
    set -l token (commandline -ct)
    set -l typed (string unescape -- $token; or string unescape -- $token\'; or string unescape -- $token\")
    set -l changed (__shadow_changed)
    if string match -qr -- '^'(string escape --style=regex -- "$typed") $changed
        string join0 -- $changed | string split0
    else if __shadow_below >/dev/null
        __fish_complete_path "$typed" | string replace -r '\t.*' ''
    end
end

# Lines "  NUMBER  TEXT" on stdin.
function __shadow_numbers
    sed -n 's/^ *\([0-9][0-9]*\)  *\(.*\)/\1\t\2/p'
end

function __shadow_runs
    set -l session (__shadow_session)
    shadow $session log 2>/dev/null | __shadow_numbers
end

function __shadow_applies
    set -l session (__shadow_session)
    shadow $session undo --list 2>/dev/null | __shadow_numbers
end

# Of `shadow run`: the words of the wrapped command so far; fails while run's own options are typed.
function __shadow_wrapped
    __shadow_is run
    or return 1
    set -l words (commandline -opc)
    set -l takes (shadow run --help 2>/dev/null | string match -ar -- '--[a-z-]+=' | string trim -c =) -C
    set -l at (math (__shadow_command_index) + 1)
    while test $at -le (count $words)
        if test "$words[$at]" = --
            set at (math $at + 1)
            break
        else if not string match -q -- '-*' "$words[$at]"
            break
        else if contains -- "$words[$at]" $takes
            set at (math $at + 1)
        end
        set at (math $at + 1)
    end
    # Past the end by one: an option still waits for its value.
    if test $at -gt (math (count $words) + 1)
        return 1
    end
    if test $at -gt (count $words)
        string match -q -- '-*' (commandline -ct)
        and test "$words[-1]" != --
        and return 1
    end
    test $at -le (count $words)
    and printf '%s\n' $words[$at..-1]
    return 0
end

function __shadow_in_wrapped
    __shadow_wrapped >/dev/null
end

function __shadow_complete_wrapped
    set -l words (string escape -- (__shadow_wrapped)) (commandline -ct)
    complete -C (string join ' ' -- $words)
end

function __shadow_own
    not __shadow_takes_value
    and not __shadow_in_wrapped
end

complete -c shadow -f
complete -c shadow -n '__shadow_takes_value; and not __shadow_in_wrapped' -a '(__shadow_values)'
complete -c shadow -n '__shadow_no_command; and __shadow_own' -a '(__shadow_commands)'
complete -c shadow -n 'string match -q -- "-*" (commandline -ct); and __shadow_own' -a '(__shadow_options)'
complete -c shadow -n 'not __shadow_in_wrapped' -s C -x -a '(__fish_complete_directories)' -d 'act as if started there'
complete -c shadow -n '__shadow_is status diff apply refresh discard; and __shadow_own' -a '(__shadow_changed)'
complete -c shadow -n '__shadow_is log; and __shadow_own' -a '(__shadow_logged)'
complete -c shadow -n '__shadow_is show; and __shadow_own' -k -a '(__shadow_runs)'
complete -c shadow -n '__shadow_is undo; and __shadow_own' -k -a '(__shadow_applies)'
complete -c shadow -n '__shadow_is help; and __shadow_own' -a '(__shadow_commands)'
complete -c shadow -n '__shadow_is completion; and __shadow_own' -a 'bash zsh fish'
complete -c shadow -n __shadow_in_wrapped -a '(__shadow_complete_wrapped)'
