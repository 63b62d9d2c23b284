# Completion of tulk for bash. It asks tulk itself.
# Install: ~/.local/share/bash-completion/completions/tulk, or source it in ~/.bashrc.

_tulk() {
    local program=tulk reply kind line
    type -P tulk > /dev/null || program=${1/#\~\//$HOME/}
    COMPREPLY=()
    reply=$(TULK_COMPLETE=bash command "$program" -- "$COMP_WORDBREAKS" "$COMP_TYPE" "${COLUMNS:-80}" \
        "${COMP_LINE:0:COMP_POINT}" 2> /dev/null) || return 0
    kind=${reply%%$'\n'*}
    case $kind in
        files) compopt -o default -o filenames 2> /dev/null ;;
        directories) compopt -o dirnames -o filenames 2> /dev/null ;;
        joined) compopt -o nospace 2> /dev/null ;;
    esac
    [[ $reply == *$'\n'* ]] || return 0
    while IFS= read -r line; do
        COMPREPLY+=("$line")
    done <<< "${reply#*$'\n'}"
}

complete -o nosort -F _tulk tulk 2> /dev/null || complete -o default -F _tulk tulk
