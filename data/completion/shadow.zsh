#compdef shadow
# SPDX-License-Identifier: MIT
# zsh completion for shadow: eval "$(shadow completion zsh)", or as _shadow in a directory of $fpath
# Options and their values come from `shadow COMMAND --help`, so that they are those of the installed
# program.

_shadow_agents() {
  local -a names
  names=(${(f)"$(shadow list --json 2>/dev/null | grep -o '"agent": *"[^"\\]*"' |
    sed 's/.*: *"\(.*\)"/\1/' | sort -u)"})
  _wanted agents expl agent compadd -a names
}

# Sets `below` to the current directory's path below the project's root, with a '/' behind it; to nothing at the
# root, and fails outside of it, where shadow takes paths from the root on.
_shadow_below() { # OPTION...
  local root=$SHADOW_PROJECT here=${PWD:A}
  local -i i
  for ((i = 1; i <= $#; i++)); do
    case $argv[i] in
      -C) root=$argv[i+1] ;;
      -C*) root=${argv[i]#-C} ;;
    esac
  done
  if [[ -n $root ]]; then
    root=${root:A}
  else
    # It is the deepest enclosing directory with a session, and `log` looks at no files to find out.
    root=$here
    until [[ -z $root ]] || shadow "$@" -C $root log >/dev/null 2>&1; do
      root=${root%/*}
    done
  fi
  here+=/ below=
  [[ -n $root && $here == $root/* ]] && below=${here#$root/}
}

# The session's changes of every kind, as paths from the current directory on.
_shadow_changed() { # OPTION...
  local below one up dir expl
  local -a changes paths
  # diff --name-only would give these paths, but leaves out empty directories, FIFOs and ignored files.
  changes=(${${(0)"$(shadow "$@" status -z 2>/dev/null)"}#????})
  (($#changes)) || return 1
  _shadow_below "$@"
  for one in $changes; do
    up= dir=$below
    while [[ -n $dir && $one != $dir* ]]; do
      up+=../ dir=${dir%/}
      if [[ $dir == */* ]]; then dir=${dir%/*}/; else dir=; fi
    done
    one=$up${one#$dir}
    # Neither an option nor git's pathspec magic, and the directory itself has a name, too.
    [[ $one == [:-]* || -z $one ]] && one=./$one
    paths+=($one)
  done
  _wanted changes expl 'changed path' compadd -a paths
}

# The project's own files: what has been applied is no change any more, and `log` knows it still.
_shadow_files() { # OPTION...
  local below
  _shadow_below "$@" && _files
}

# Lines "  NUMBER  TEXT" on stdin.
_shadow_numbers() { # WHAT
  local -a numbers
  numbers=(${(f)"$(sed -n 's/^ *\([0-9][0-9]*\)  *\(.*\)/\1\t\2/p' | sed 's/:/\\:/g' | tr '\t' ':')"})
  _describe -V $1 numbers
}

_shadow_commands() {
  local -a commands
  commands=(${(f)"$(shadow --help 2>/dev/null |
    sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z-]*\) *\(.*\)/\1:\2/p')"})
  _describe command commands
}

# What an option takes by the help: files, one of some words, or what nobody can know.
_shadow_value() { # COMMAND OPTION
  local type
  type=$(shadow ${1:+$1} --help 2>/dev/null |
    sed -n "s/^  .*$2\[\{0,1\}[= ]\([a-zA-Z][^] ]*\).*/\1/p" | head -n 1)
  case $2 in
    --as) _shadow_agents; return 0 ;;
    -C) _directories; return 0 ;;
    --color) compadd auto always never; return 0 ;;
    --env | --unset) _parameters -g '*export*'; return 0 ;;
    -m) return 0 ;;
  esac
  case $type in
    *'|'*) compadd -- ${${(M)${(s:|:)type}:#[a-z]*}%%[^a-z]*}; return 0 ;;
    PATH | FILE | DIR) _files; return 0 ;;
  esac
  [[ -n $type ]]
}

_shadow() {
  local command word expl
  local -i i skip=0
  local -a session takes
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
    if ((skip)); then
      skip=0
    elif [[ $word == -- ]]; then
      break
    elif [[ $word == (-C|--as) ]]; then
      skip=1
      ((i + 1 < CURRENT)) && session+=($word "${(Q)${words[i + 1]/#\~/$HOME}}")
    elif [[ $word == (-C?*|--as=*) ]]; then
      session+=("${(Q)word}")
    elif [[ $word == --color ]]; then
      skip=1
    elif [[ $word != -* && -z $command ]]; then
      command=$word
      [[ $command == run ]] && break
    fi
  done

  if [[ $command == run ]]; then
    local -i start=0
    takes=(-C ${${(f)"$(shadow run --help 2>/dev/null | grep -oE -- '--[a-z-]+=')"}%=})
    for ((i++; i <= CURRENT; i++)); do
      word=$words[i]
      if [[ $word == -- ]] && ((i < CURRENT)); then
        start=$((i + 1))
        break
      elif [[ $word != -* ]]; then
        start=$i
        break
      elif ((${takes[(Ie)$word]})); then
        ((i++))
      fi
    done
    if ((start > 0)); then
      shift $((start - 1)) words
      ((CURRENT -= start - 1))
      _normal
      return
    fi
  fi

  if [[ $PREFIX == --*=* ]]; then
    local option=${PREFIX%%=*}
    compset -P '*='
    _shadow_value "$command" $option
    return
  elif [[ $words[CURRENT-1] == -* && $words[CURRENT-1] != *=* ]]; then
    # A value that may be left out comes behind a '=' only.
    if ! shadow ${command:+$command} --help 2>/dev/null | grep -qF -- "$words[CURRENT-1][="; then
      _shadow_value "$command" $words[CURRENT-1] && return
    fi
  fi

  if [[ -z $command ]]; then
    if [[ $PREFIX == -* ]]; then
      compadd -- -C --as --json --color --help --version
    else
      _shadow_commands
    fi
    return
  fi

  if [[ $PREFIX == -* ]]; then
    local -a options
    options=(${(fu)"$(shadow $command --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]+')"})
    compadd -a options
    return
  fi
  case $command in
    status | diff | apply | refresh | discard) _shadow_changed $session ;;
    log) _shadow_changed $session || _shadow_files $session ;;
    show) shadow $session log 2>/dev/null | _shadow_numbers run ;;
    undo) shadow $session undo --list 2>/dev/null | _shadow_numbers apply ;;
    help) _shadow_commands ;;
    completion) compadd bash zsh fish ;;
  esac
}

# Works both when sourced and when autoloaded as a function of that name.
if [[ $funcstack[1] == _shadow ]]; then
  _shadow "$@"
else
  compdef _shadow shadow
fi
