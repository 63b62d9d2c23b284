# Completion of tulk for bash. It asks tulk itself.
# Install: ~/.local/share/bash-completion/completions/tulk, or source it in ~/.bashrc.

_tulk() {
    local program=tulk kind value help width=0 i
    local -a helps=()
    COMPREPLY=()
    type -P tulk > /dev/null || program=${1/#\~\//$HOME/}
    # The file of a redirection.
    if [[ $3 == *[\<\>] ]]; then
        compopt -o default -o filenames 2> /dev/null
        return 0
    fi
    {
        IFS=$'\t' read -r kind value
        case $kind in
            files) compopt -o default -o filenames 2> /dev/null ;;
            directories) compopt -o dirnames -o filenames 2> /dev/null ;;
        esac
        while IFS=$'\t' read -r value help; do
            COMPREPLY+=("$value")
            helps+=("$help")
            (( ${#value} > width )) && width=${#value}
            # Bash quotes only what it takes for names of files.
            [[ $value == *[!A-Za-z0-9_./,:=@%+-]* ]] && compopt -o filenames 2> /dev/null
        done
    } < <(TULK_COMPLETE=bash command "$program" -- "${2//\\/}" "${COMP_LINE:0:COMP_POINT}" 2> /dev/null)
    if (( ${#COMPREPLY[@]} == 1 )); then
        [[ ${COMPREPLY[0]} == *[:=.] ]] && compopt -o nospace 2> /dev/null
    elif [[ $COMP_TYPE == 33 || $COMP_TYPE == 63 || $COMP_TYPE == 64 ]]; then
        # A list is shown and not inserted, so it can have descriptions.
        for i in "${!COMPREPLY[@]}"; do
            if [[ ${helps[i]} ]] && (( width + 13 < ${COLUMNS:-80} )); then
                printf -v value '%-*s  %s' "$width" "${COMPREPLY[i]}" "${helps[i]}"
                if (( ${#value} >= ${COLUMNS:-80} )); then
                    value=${value:0:${COLUMNS:-80} - 2}
                    value=${value% }…
                fi
                COMPREPLY[i]=$value
                compopt +o filenames 2> /dev/null
            fi
        done
    fi
    return 0
}

complete -o nosort -F _tulk tulk 2> /dev/null || complete -o default -F _tulk tulk
