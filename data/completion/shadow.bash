# SPDX-License-Identifier: MIT
# bash completion for shadow: eval "$(shadow completion bash)"
# Options and their values come from `shadow COMMAND --help`, so that they are those of the installed
# program.

_shadow_help() { # COMMAND
  shadow ${1:+"$1"} --help 2>/dev/null
}

_shadow_commands() {
  _shadow_help | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z-]*\).*/\1/p'
}

# What the help says that an option takes: PATH, NAME, "stop|merge|ours".
_shadow_type() { # COMMAND OPTION
  _shadow_help "$1" | sed -n "s/^  .*$2\[\{0,1\}[= ]\([a-zA-Z][^] ]*\).*/\1/p" | head -n 1
}

# The options whose value may be a word of its own.
_shadow_value_options() { # COMMAND
  _shadow_help "$1" | grep -oE -- '^  (-[a-zA-Z], )?--[a-z-]+=' | tr -d ' =' | tr , '\n'
  printf '%s\n' -C --as --color # also of a command whose help leaves them out
}

# Agents with a plain name; others have to be typed.
_shadow_agents() {
  shadow list --json 2>/dev/null | grep -o '"agent": *"[^"\\]*"' |
    sed 's/.*: *"\(.*\)"/\1/' | sort -u
}

# Reads the word before the cursor. Readline replaces only TEXT at its end: what is behind an opened quote, or
# behind a '=' or ':'. Sets `typed` to what the whole word stands for, `head` to the part of it that stays, and
# `open` to the quote that stays open before the cursor: ' or " or, for $', a $.
_shadow_read_word() { # TEXT
  local text=$1 quote= ansi= before= c next i keep
  # Without a line, as when it is called with words alone, the text is all there is.
  local line=${COMP_LINE:0:${COMP_POINT:-0}}
  [[ -n $line ]] || line=$text
  # Behind a sudo, say, the text is the word as bash splits the line.
  [[ $text == [=:] ]] && text=
  keep=$((${#line} - ${#text}))
  typed= head= open=
  for ((i = 0; ; i++)); do
    ((i == keep)) && head=$typed${ansi@E} open=$quote
    ((i < ${#line})) || break
    c=${line:i:1} next=${line:i+1:1}
    case $quote$c in
      "''" | '""' | "\$'") typed+=${ansi@E} quote= ansi= ;;
      '"\') if [[ $next == [\"\\\$\`] ]]; then typed+=$next; ((++i)); else typed+=$c; fi ;;
      '$\') ansi+=${next:+$c$next}; ((++i)) ;;
      [\'\"]?) typed+=$c ;;
      \$?) ansi+=$c ;;
      \\) typed+=$next; ((++i)) ;;
      \$)
        if [[ $next == \' ]]; then quote=$c before=$typed; ((++i)); else typed+=$c; fi
        ;;
      [\'\"]) quote=$c before=$typed ;;
      [[:space:]\;\|\&\<\>\(\)]) typed= ;;
      *) typed+=$c ;;
    esac
  done
  typed+=${ansi@E}
  # Readline takes \' for the end of $'..', and then the whole word for the text.
  [[ -n $quote && $text != *\\\'* ]] && head=$before open=$quote
}

# Fills COMPREPLY with the given words that begin with what is typed, each so that the shell reads it where
# readline puts it. _shadow_read_word comes first.
_shadow_offer() { # candidates that end in NUL on stdin
  local word plain close=${open/\$/\'}
  while IFS= read -r -d '' word; do
    [[ -n $word && $word == "$typed"* ]] || continue
    plain=${word#"$head"}
    printf -v word %q "$plain"
    case $open in
      [\'\"])
        # %q has another quoting for what a plain quote would hand to the terminal as it is.
        [[ $word == \$\'* ]] && continue
        if [[ $open == \' ]]; then
          word=${plain//\'/"'\''"}
        else
          word=${plain//\\/'\\'} word=${word//\"/'\"'} word=${word//\$/'\$'} word=${word//\`/'\`'}
          word=${word//!/'"\!"'}  # within the quote it would stand for an earlier command
        fi
        ;;
      \$)
        if [[ $word == \$\'* ]]; then
          word=${word:2:-1}
        else
          word=${plain//\\/'\\'} word=${word//\'/"\'"}
        fi
        ;;
    esac
    # Readline closes the quote of a single match, but not where the same character comes last already.
    [[ -n $close && $word == *"$close" ]] && word+=$close
    COMPREPLY+=("$word")
  done
}

# The current directory's path below the project's root, with a '/' behind it; nothing at the root, and fails
# outside of it, where shadow takes paths from the root on.
_shadow_below() {
  local here root= i
  here=$(pwd -P)
  for ((i = 0; i < ${#session[@]}; i++)); do
    [[ ${session[i]} == -C ]] && root=${session[i + 1]}
  done
  root=${root:-$SHADOW_PROJECT}
  if [[ -n $root ]]; then
    root=$(CDPATH='' cd -- "$root" 2>/dev/null && pwd -P)
  else
    # It is the deepest enclosing directory with a session, and `log` looks at no files to find out.
    root=$here
    until [[ -z $root ]] || shadow "${session[@]}" -C "$root" log >/dev/null 2>&1; do
      root=${root%/*}
    done
  fi
  [[ -n $root && $here/ == "$root"/* ]] || return 1
  here=$here/
  printf '%s' "${here#"$root"/}"
}

# The session's changes of every kind, as paths from the current directory on that end in NUL.
_shadow_changed() {
  local below= path up dir
  local -a paths
  # diff --name-only would give these paths, but leaves out empty directories, FIFOs and ignored files.
  mapfile -d '' -t paths < <(shadow "${session[@]}" status -z 2>/dev/null)
  ((${#paths[@]})) || return
  below=$(_shadow_below)
  for path in "${paths[@]#????}"; do
    up= dir=$below
    while [[ -n $dir && $path != "$dir"* ]]; do
      up+=../ dir=${dir%/}
      if [[ $dir == */* ]]; then dir=${dir%/*}/; else dir=; fi
    done
    path=$up${path#"$dir"}
    # Neither an option nor git's pathspec magic, and the directory itself has a name, too.
    [[ $path == [:-]* || -z $path ]] && path=./$path
    printf '%s\0' "$path"
  done
}

# The project's own files: what has been applied is no change any more, and `log` knows it still.
_shadow_files() {
  local file
  _shadow_below >/dev/null || return
  for file in "$typed"*; do
    [[ -d $file ]] && file+=/
    [[ -e $file || -L $file ]] && printf '%s\0' "$file"
  done
}

# Numbers, each followed by what it stands for. That is shown only while there are several.
_shadow_offer_numbers() { # PREFIX, lines "  NUMBER  TEXT" on stdin
  local line number
  while IFS= read -r line; do
    number=${line%%  *}
    [[ $number == "$1"* ]] && COMPREPLY+=("${line:0:$((${COLUMNS:-80} - 2))}")
  done < <(sed -n 's/^ *\([0-9][0-9]*\)  *\(.*\)/\1  \2/p')
  ((${#COMPREPLY[@]} == 1)) && COMPREPLY=("${COMPREPLY[0]%%  *}")
  compopt -o nosort 2>/dev/null
}

# A word of the line as the shell would hand it over, as far as that needs no expansion.
_shadow_unquoted() { # WORD
  local word=${1//[\"\'\\]/}
  printf '%s' "${word/#\~/$HOME}"
}

# Sets `command`, `at` (its place) and `session` (the options that say whose session is meant).
_shadow_read_line() {
  local i=1 word option
  while ((i < COMP_CWORD)); do
    word=${COMP_WORDS[i]} option=
    case $word in
      --) break ;;
      -C | --as | --color)
        option=$word
        # `--as=NAME` arrives as three words.
        [[ ${COMP_WORDS[i + 1]} == = ]] && ((i++))
        ((i++))
        ((i < COMP_CWORD)) || break
        [[ $option == --color ]] || session+=("$option" "$(_shadow_unquoted "${COMP_WORDS[i]}")")
        ;;
      -*) ;;
      *)
        if [[ -z $command ]]; then
          command=$word at=$i
          [[ $command == run ]] && break
        fi
        ;;
    esac
    ((i++))
  done
}

# Of `shadow run`: sets `start` to the place of the wrapped command, which may be the word that is
# being typed; fails when that is still one of run's own options or their values.
_shadow_find_wrapped() {
  local i word takes
  takes=" $(_shadow_value_options run | tr '\n' ' ') "
  for ((i = at + 1; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $word == -- ]] && ((i < COMP_CWORD)); then
      start=$((i + 1))
      return 0
    elif [[ $word == -* ]]; then
      if [[ ${COMP_WORDS[i + 1]} == = ]]; then
        ((i += 2))
        # What holds a ':' is several words, too.
        while [[ ${COMP_WORDS[i + 1]} == : ]]; do ((i += 2)); done
      elif [[ $takes == *" $word "* ]]; then
        ((i++))
      fi
    else
      start=$i
      return 0
    fi
  done
  return 1
}

_shadow_complete_value() { # COMMAND OPTION PREFIX
  local type
  type=$(_shadow_type "$1" "$2")
  case $type in
    *'|'*)
      COMPREPLY=($(compgen -W "$(tr '|' '\n' <<<"$type" | grep -oE '^[a-z]+')" -- "$3"))
      ;;
    PATH | FILE | DIR) mapfile -t COMPREPLY < <(compgen -f -- "$3"); compopt -o filenames ;;
    '') return 1 ;;
  esac
}

_shadow() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev= command= at=0 start=0 typed= head= open=
  local -a session=()
  COMPREPLY=()
  ((COMP_CWORD > 0)) && prev=${COMP_WORDS[COMP_CWORD - 1]}
  # `--net=ho` arrives as three words.
  [[ $cur == = ]] && cur=
  [[ $prev == = ]] && ((COMP_CWORD > 1)) && prev=${COMP_WORDS[COMP_CWORD - 2]}
  _shadow_read_line

  if [[ $command == run ]] && _shadow_find_wrapped; then
    if ((start == COMP_CWORD)); then
      COMPREPLY=($(compgen -c -- "$cur"))
    elif declare -F _command_offset >/dev/null; then
      _command_offset "$start"
    else
      mapfile -t COMPREPLY < <(compgen -f -- "$cur")
      compopt -o filenames
    fi
    return
  fi

  case $prev in
    --as)
      _shadow_read_word "${2-$cur}"
      typed=${typed#--as=} head=${head#--as=}
      _shadow_offer < <(_shadow_agents | tr '\n' '\0')
      return
      ;;
    -C) mapfile -t COMPREPLY < <(compgen -d -- "$cur"); compopt -o filenames; return ;;
    --color) COMPREPLY=($(compgen -W 'auto always never' -- "$cur")); return ;;
    --env | --unset) COMPREPLY=($(compgen -e -- "$cur")); return ;;
    -m) return ;;
    --*) _shadow_complete_value "$command" "$prev" "$cur" && return ;;
  esac

  if [[ -z $command ]]; then
    if [[ $cur == -* ]]; then
      COMPREPLY=($(compgen -W '-C --as --json --color --help --version' -- "$cur"))
    else
      COMPREPLY=($(compgen -W "$(_shadow_commands)" -- "$cur"))
    fi
    return
  fi

  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$(_shadow_help "$command" | grep -oE -- '--[a-z][a-z-]+')" -- "$cur"))
    return
  fi
  case $command in
    status | diff | apply | refresh | discard | log)
      _shadow_read_word "${2-$cur}"
      _shadow_offer < <(_shadow_changed)
      if [[ $command == log && -z ${COMPREPLY[*]} ]]; then
        _shadow_offer < <(_shadow_files)
        [[ ${COMPREPLY[*]} == */ ]] && compopt -o nospace 2>/dev/null
      fi
      ;;
    show) _shadow_offer_numbers "$cur" < <(shadow "${session[@]}" log 2>/dev/null) ;;
    undo) _shadow_offer_numbers "$cur" < <(shadow "${session[@]}" undo --list 2>/dev/null) ;;
    help) COMPREPLY=($(compgen -W "$(_shadow_commands)" -- "$cur")) ;;
    completion) COMPREPLY=($(compgen -W 'bash zsh fish' -- "$cur")) ;;
  esac
}

complete -F _shadow shadow
