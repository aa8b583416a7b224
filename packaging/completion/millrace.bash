# Completion of the command `millrace` and of `millrace-serve` for bash: `. packaging/completion/millrace.bash`, or as
# /usr/share/bash-completion/completions/millrace and millrace-serve, where `cmake --install` puts it. Options are those that --help prints,
# so that there is no list here to keep.

_millrace_options() {
  "$@" --help 2>/dev/null | grep -oE '(^|[^[:alnum:]-])--[a-z][a-z-]*' | grep -oE -- '--[a-z][a-z-]*' | sort -u
}

# With a name behind them that no file has. Others take a file, or a number, for which offering files does no harm.
_millrace_values() {
  case $1 in
    --device) echo 0 1 cpu opencl ;;
    --listen) echo 127.0.0.1:8000 0.0.0.0:8000 '[::1]:8000' unix: ;;
    *) return 1 ;;
  esac
}

_millrace() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} program=${COMP_WORDS[0]} command=() values
  COMPREPLY=()
  if [[ ${program##*/} == millrace ]]; then
    if ((COMP_CWORD == 1)); then
      mapfile -t COMPREPLY < <(compgen -W "$("$program" --help 2>/dev/null | grep -oE 'millrace [a-z]+' | cut -d' ' -f2 | sort -u) --help" -- "$word")
      return
    fi
    command=("${COMP_WORDS[1]}")
  fi
  # After `trace --` a command of its own begins.
  if [[ ${command[0]} == trace && " ${COMP_WORDS[*]:2:COMP_CWORD-2} " == *' -- '* ]]; then
    mapfile -t COMPREPLY < <(compgen -c -f -- "$word")
    return
  fi
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_millrace_options "$program" "${command[@]}") --help" -- "$word")
    return
  fi
  [[ $word == '=' ]] && word=''
  [[ $before == '=' ]] && before=${COMP_WORDS[COMP_CWORD - 2]}
  if values=$(_millrace_values "$before"); then
    mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
    compopt -o filenames 2>/dev/null
  fi
}

complete -F _millrace millrace millrace-serve
