#compdef shadow
# SPDX-License-Identifier: MIT
# zsh completion for shadow: eval "$(shadow completion zsh)", or as _shadow in a directory of $fpath
# Options come from `shadow COMMAND --help`, so that they are those of the installed program.

_shadow_interlocutors() {
  local -a names
  names=(${(f)"$(shadow list --json 2>/dev/null | grep -o '"interlocutor": *"[^"\\]*"' |
    sed 's/.*: *"\(.*\)"/\1/' | sort -u)"})
  _wanted interlocutors expl interlocutor compadd -a names
}

_shadow_changed() {
  local -a paths
  paths=(${(0)"$(shadow diff --name-only -z 2>/dev/null)"})
  _wanted changes expl 'changed path' compadd -a paths
}

_shadow() {
  local command word expl
  local -i i skip=0
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
    if ((skip)); then
      skip=0
    elif [[ $word == (-C|--as|--color) ]]; then
      skip=1
    elif [[ $word != -* ]]; then
      command=$word
      break
    fi
  done

  case $words[CURRENT-1] in
    --as) _shadow_interlocutors; return ;;
    -C) _directories; return ;;
    --ro | --rw | --hide) _files; return ;;
    --color) compadd auto always never; return ;;
    --env | --unset) _parameters -g '*export*'; return ;;
  esac

  if [[ -z $command ]]; then
    if [[ $PREFIX == -* ]]; then
      compadd -- -C --as --json --color --help --version
    else
      local -a commands
      commands=(${(f)"$(shadow --help 2>/dev/null |
        sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z-]*\) *\(.*\)/\1:\2/p')"})
      _describe command commands
    fi
    return
  fi

  if [[ $command == run ]]; then
    local -i start=$i
    for ((i = start + 1; i < CURRENT; i++)); do
      [[ $words[i] == -- ]] && { ((i++)); break; }
      [[ $words[i] != -* ]] && break
    done
    if ((i <= CURRENT)) && [[ $PREFIX != -* || $i -lt $CURRENT || $words[CURRENT-1] == -- ]]; then
      shift $((i - 1)) words
      ((CURRENT -= i - 1))
      _normal
      return
    fi
  fi

  if [[ $PREFIX == -* ]]; then
    local -a options
    options=(${(fu)"$(shadow $command --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]+')"})
    compadd -a options
    return
  fi
  case $command in
    status | diff | apply | refresh | discard | log) _shadow_changed ;;
    completion) compadd bash zsh fish ;;
  esac
}

# Works both when sourced and when autoloaded as a function of that name.
if [[ $funcstack[1] == _shadow ]]; then
  _shadow "$@"
else
  compdef _shadow shadow
fi
