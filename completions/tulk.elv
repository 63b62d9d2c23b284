# Completion of tulk for Elvish. It asks tulk itself.
# Install: add `eval (tulk completions elvish | slurp)` to ~/.config/elvish/rc.elv.

use str

set edit:completion:arg-completer[tulk] = {|@words|
    tmp E:TULK_COMPLETE = elvish
    var reply = []
    try { set reply = [(e:tulk '--' $@words 2>/dev/null | from-lines)] } catch { nop }
    if (> (count $reply) 0) {
        var kind prefix = (str:split &max=2 "\t" $reply[0])
        if (has-value [files directories] $kind) {
            if (eq $prefix '') { edit:complete-filename $@words }
        } else {
            for line $reply[1..] {
                var value help = (str:split &max=2 "\t" $line)
                var end = ' '
                if (str:has-suffix $value /) { set end = '' }
                edit:complex-candidate $value &display=$value'  '$help &code-suffix=$end
            }
        }
    }
}
