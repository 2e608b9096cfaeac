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
  echo -C
}

# Agents with a plain name; others have to be typed.
_shadow_agents() {
  shadow list --json 2>/dev/null | grep -o '"agent": *"[^"\\]*"' |
    sed 's/.*: *"\(.*\)"/\1/' | sort -u
}

# Fills COMPREPLY with the given lines that begin with $2, quoted for the shell. One line a word.
_shadow_offer() { # PREFIX, candidates on stdin
  local line
  while IFS= read -r line; do
    [[ -n $line && $line == "$1"* ]] && COMPREPLY+=("$(printf '%q' "$line")")
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
    PATH | FILE | DIR) COMPREPLY=($(compgen -f -- "$3")); compopt -o filenames ;;
    '') return 1 ;;
  esac
}

_shadow() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev= command= at=0 start=0
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
      COMPREPLY=($(compgen -f -- "$cur"))
      compopt -o filenames
    fi
    return
  fi

  case $prev in
    --as) _shadow_offer "$cur" < <(_shadow_agents); return ;;
    -C) COMPREPLY=($(compgen -d -- "$cur")); compopt -o filenames; return ;;
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
      _shadow_offer "$cur" < <(shadow "${session[@]}" diff --name-only -z 2>/dev/null | tr '\0' '\n')
      ;;
    show) _shadow_offer_numbers "$cur" < <(shadow "${session[@]}" log 2>/dev/null) ;;
    undo) _shadow_offer_numbers "$cur" < <(shadow "${session[@]}" undo --list 2>/dev/null) ;;
    help) COMPREPLY=($(compgen -W "$(_shadow_commands)" -- "$cur")) ;;
    completion) COMPREPLY=($(compgen -W 'bash zsh fish' -- "$cur")) ;;
  esac
}

complete -F _shadow shadow
