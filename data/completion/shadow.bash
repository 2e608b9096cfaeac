# SPDX-License-Identifier: MIT
# bash completion for shadow: eval "$(shadow completion bash)"
# Options come from `shadow COMMAND --help`, so that they are those of the installed program.

_shadow_help() { # COMMAND
  shadow ${1:+"$1"} --help 2>/dev/null
}

_shadow_commands() {
  _shadow_help | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z-]*\).*/\1/p'
}

# The values of an option whose help says `--option a|b|c`.
_shadow_values() { # COMMAND OPTION
  _shadow_help "$1" | sed -n "s/.*$2[ =]\([a-z]*\(|[a-z]*\)\{1,\}\).*/\1/p" | head -n 1 | tr '|' ' '
}

# Interlocutors with a plain name; others have to be typed.
_shadow_interlocutors() {
  shadow list --json 2>/dev/null | grep -o '"interlocutor": *"[^"\\]*"' |
    sed 's/.*: *"\(.*\)"/\1/' | sort -u
}

# Fills COMPREPLY with the given lines that begin with $2, quoted for the shell. One line a word.
_shadow_offer() { # PREFIX, candidates on stdin
  local line
  while IFS= read -r line; do
    [[ -n $line && $line == "$1"* ]] && COMPREPLY+=("$(printf '%q' "$line")")
  done
}

_shadow() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev= command= at=0 i word
  COMPREPLY=()
  ((COMP_CWORD > 0)) && prev=${COMP_WORDS[COMP_CWORD - 1]}
  # `--net=ho` arrives as three words.
  [[ $cur == = ]] && cur=
  [[ $prev == = ]] && ((COMP_CWORD > 1)) && prev=${COMP_WORDS[COMP_CWORD - 2]}

  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    case $word in
      -C | --as | --color) ((i++)) ;;
      -*) ;;
      *) command=$word at=$i; break ;;
    esac
  done

  case $prev in
    --as) _shadow_offer "$cur" < <(_shadow_interlocutors); return ;;
    -C) COMPREPLY=($(compgen -d -- "$cur")); compopt -o filenames; return ;;
    --ro | --rw | --hide) COMPREPLY=($(compgen -f -- "$cur")); compopt -o filenames; return ;;
    --color) COMPREPLY=($(compgen -W 'auto always never' -- "$cur")); return ;;
    --env | --unset) COMPREPLY=($(compgen -e -- "$cur")); return ;;
    --*)
      local values
      values=$(_shadow_values "$command" "$prev")
      [[ -n $values ]] && { COMPREPLY=($(compgen -W "$values" -- "$cur")); return; }
      ;;
  esac

  if [[ -z $command ]]; then
    if [[ $cur == -* ]]; then
      COMPREPLY=($(compgen -W '-C --as --json --color --help --version' -- "$cur"))
    else
      COMPREPLY=($(compgen -W "$(_shadow_commands)" -- "$cur"))
    fi
    return
  fi

  if [[ $command == run ]]; then
    # The wrapped command begins after `--` or at the first word that is not an option's.
    for ((i = at + 1; i < COMP_CWORD; i++)); do
      case ${COMP_WORDS[i]} in
        --) break ;;
        --*) [[ ${COMP_WORDS[i + 1]} == = ]] && ((i += 2)) ;;
        -*) ;;
        *) ((i--)); break ;;
      esac
    done
    if ((i < COMP_CWORD)) && declare -F _command_offset >/dev/null; then
      _command_offset $((i + 1))
      return
    elif ((i < COMP_CWORD - 1)); then
      COMPREPLY=($(compgen -f -- "$cur"))
      compopt -o filenames
      return
    elif [[ $cur != -* ]]; then
      COMPREPLY=($(compgen -c -- "$cur"))
      return
    fi
  fi

  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$(_shadow_help "$command" | grep -oE -- '--[a-z][a-z-]+')" -- "$cur"))
    return
  fi
  case $command in
    status | diff | apply | refresh | discard | log)
      _shadow_offer "$cur" < <(shadow diff --name-only -z 2>/dev/null | tr '\0' '\n')
      ;;
    completion) COMPREPLY=($(compgen -W 'bash zsh fish' -- "$cur")) ;;
  esac
}

complete -F _shadow shadow
