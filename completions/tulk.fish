# Completion of tulk for fish. It asks tulk itself.
# Install: ~/.config/fish/completions/tulk.fish

function __tulk_complete
    set -l words (commandline --current-process --tokenize --cut-at-cursor)
    set -l current (commandline --current-token --cut-at-cursor)
    set -l program tulk
    command --query tulk; or set program (string replace --regex '^~/' "$HOME/" -- $words[1])
    set -l reply (TULK_COMPLETE=fish command $program -- $words "$current" 2>/dev/null)
    set -l first (string split --max 1 \t -- $reply[1])
    switch "$first[1]"
        case files directories
            set -l start (math (string length -- "$first[2]") + 1)
            set -l paths (complete --do-complete "'' "(string sub --start $start -- "$current"))
            test $first[1] = directories; and set paths (string match --regex '.*/$' -- (string split --fields 1 \t -- $paths))
            for path in $paths
                printf '%s%s\n' "$first[2]" "$path"
            end
        case values
            printf '%s\n' $reply[2..-1]
    end
end

complete --command tulk --no-files --keep-order --arguments '(__tulk_complete)'
