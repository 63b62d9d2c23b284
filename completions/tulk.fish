# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_tulk_global_optspecs
    string join \n config= p/profile= server= sandbox key-file= format= json header columns= color= progress= q/quiet v/verbose n/dry-run y/yes timeout= retries= max-wait= concurrency= rate= proxy= no-proxy ca-file= insecure-http reporting-tag= no-check h/help V/version
end

function __fish_tulk_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_tulk_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_tulk_using_subcommand
    set -l cmd (__fish_tulk_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c tulk -n "__fish_tulk_needs_command" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_needs_command" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_needs_command" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_needs_command" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_needs_command" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_needs_command" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_needs_command" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_needs_command" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_needs_command" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_needs_command" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_needs_command" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_needs_command" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_needs_command" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_needs_command" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_needs_command" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_needs_command" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_needs_command" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_needs_command" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_needs_command" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_needs_command" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_needs_command" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_needs_command" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_needs_command" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_needs_command" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_needs_command" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_needs_command" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_needs_command" -s V -l version -d 'Print version'
complete -c tulk -n "__fish_tulk_needs_command" -f -a "translate" -d 'Translate text, files or standard input'
complete -c tulk -n "__fish_tulk_needs_command" -f -a "t" -d 'Translate text, files or standard input'
complete -c tulk -n "__fish_tulk_needs_command" -f -a "doc" -d 'Translate documents such as Word, PowerPoint, Excel and PDF files'
complete -c tulk -n "__fish_tulk_needs_command" -f -a "voice" -d 'Transcribe and translate speech in real time'
complete -c tulk -n "__fish_tulk_needs_command" -f -a "write" -d 'Rephrase or correct text'
complete -c tulk -n "__fish_tulk_needs_command" -f -a "style" -d 'Manage style rule lists'
complete -c tulk -n "__fish_tulk_needs_command" -f -a "langs" -d 'Show supported languages and features'
complete -c tulk -n "__fish_tulk_needs_command" -f -a "usage" -d 'Show usage and limits'
complete -c tulk -n "__fish_tulk_needs_command" -f -a "tm" -d 'Show translation memories'
complete -c tulk -n "__fish_tulk_needs_command" -f -a "glossary" -d 'Manage glossaries'
complete -c tulk -n "__fish_tulk_needs_command" -f -a "admin" -d 'Manage developer keys and show usage reports'
complete -c tulk -n "__fish_tulk_needs_command" -f -a "api" -d 'Send an authenticated request to any endpoint'
complete -c tulk -n "__fish_tulk_needs_command" -f -a "auth" -d 'Log in, log out and show keys'
complete -c tulk -n "__fish_tulk_needs_command" -f -a "config" -d 'Show and change settings'
complete -c tulk -n "__fish_tulk_needs_command" -f -a "sandbox" -d 'Run the sandbox, and show or reset its state'
complete -c tulk -n "__fish_tulk_needs_command" -f -a "cache" -d 'Show or clear the local cache'
complete -c tulk -n "__fish_tulk_needs_command" -f -a "completions" -d 'Print a shell completion script'
complete -c tulk -n "__fish_tulk_needs_command" -f -a "man" -d 'Print the manual page, or write all pages to a directory'
complete -c tulk -n "__fish_tulk_needs_command" -f -a "help" -d 'Show help for a command or topic'
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand translate" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand translate" -s t -l to -d 'Target languages, such as de,fr' -r
complete -c tulk -n "__fish_tulk_using_subcommand translate" -s f -l from -d 'Source language [default: detected]' -r
complete -c tulk -n "__fish_tulk_using_subcommand translate" -s i -l input -d 'File to read (- for stdin), repeatable' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand translate" -s o -l output -d 'File, or template of {dir} {stem} {lang} {ext}' -r
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l glossary -d 'Glossary name or ID, up to 5; `none` ignores the default' -r
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l style -d 'Style rule list name or ID; `none` ignores the default' -r
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l translation-memory -d 'Translation memory name or ID; `none` ignores the default' -r
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l context-file -d 'File with additional context' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l param -d 'Add a request field that tulk does not know, repeatable' -r
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l context -d 'Additional context in the source language, not billed' -r
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l model-type -d 'Model to use' -r -f -a "latency_optimized\t'Fastest response'
quality_optimized\t'Best quality'
prefer_quality_optimized\t'Best quality if available, else fastest response'"
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l split-sentences -d 'Where to split sentences' -r -f -a "0\t'Nowhere'
1\t'At punctuation and newlines'
nonewlines\t'At punctuation'"
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l preserve-formatting -d 'Keep the first letter\'s case and the punctuation at both ends' -r -f -a "true\t''
false\t''"
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l formality -d 'Formality of the translation' -r -f -a "default\t'Default formality of the language'
more\t'More formal; an error if not supported'
less\t'Less formal; an error if not supported'
prefer_more\t'More formal if supported'
prefer_less\t'Less formal if supported'"
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l custom-instruction -d 'Instruction for the model (up to 10, 300 characters each)' -r
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l translation-memory-threshold -d 'Minimum translation-memory match (%) [default: 75]' -r
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l show-billed-characters -d 'Report billed characters' -r -f -a "true\t''
false\t''"
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l tag-handling -d 'Type of markup in the texts' -r -f -a "xml\t'XML'
html\t'HTML'"
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l tag-handling-version -d 'Version of markup handling (v1, v2)' -r
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l outline-detection -d 'Detect the XML structure automatically' -r -f -a "true\t''
false\t''"
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l non-splitting-tags -d 'Tags that never split sentences' -r
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l splitting-tags -d 'Tags that always split sentences' -r
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l ignore-tags -d 'Tags whose text is not translated' -r
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l context-lines -d 'Send the N lines before each request as its context' -r
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l max-characters -d 'Maximum number of characters to send, across all targets' -r
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand translate" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand translate" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand translate" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand translate" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l lines -d 'Treat each line as an entry'
complete -c tulk -n "__fish_tulk_using_subcommand translate" -s 0 -l nul -d 'Treat each NUL-separated part as an entry'
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l lossy -d 'Replace invalid UTF-8 instead of refusing it'
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l strip-ansi -d 'Remove terminal escape sequences and overstrikes'
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l in-place -d 'Replace the input files with their results'
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l resume -d 'Continue an unfinished run'
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l force -d 'Start over, and overwrite what an unfinished run left'
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l no-outline-detection -d 'Do not detect the structure of XML; list it with --splitting-tags'
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l keep-going -d 'Copy refused entries unchanged and continue'
complete -c tulk -n "__fish_tulk_using_subcommand translate" -l stats -d 'Print statistics to stderr at the end'
complete -c tulk -n "__fish_tulk_using_subcommand translate" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand t" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand t" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand t" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand t" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand t" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand t" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand t" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand t" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand t" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand t" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand t" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand t" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand t" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand t" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand t" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand t" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand t" -s t -l to -d 'Target languages, such as de,fr' -r
complete -c tulk -n "__fish_tulk_using_subcommand t" -s f -l from -d 'Source language [default: detected]' -r
complete -c tulk -n "__fish_tulk_using_subcommand t" -s i -l input -d 'File to read (- for stdin), repeatable' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand t" -s o -l output -d 'File, or template of {dir} {stem} {lang} {ext}' -r
complete -c tulk -n "__fish_tulk_using_subcommand t" -l glossary -d 'Glossary name or ID, up to 5; `none` ignores the default' -r
complete -c tulk -n "__fish_tulk_using_subcommand t" -l style -d 'Style rule list name or ID; `none` ignores the default' -r
complete -c tulk -n "__fish_tulk_using_subcommand t" -l translation-memory -d 'Translation memory name or ID; `none` ignores the default' -r
complete -c tulk -n "__fish_tulk_using_subcommand t" -l context-file -d 'File with additional context' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand t" -l param -d 'Add a request field that tulk does not know, repeatable' -r
complete -c tulk -n "__fish_tulk_using_subcommand t" -l context -d 'Additional context in the source language, not billed' -r
complete -c tulk -n "__fish_tulk_using_subcommand t" -l model-type -d 'Model to use' -r -f -a "latency_optimized\t'Fastest response'
quality_optimized\t'Best quality'
prefer_quality_optimized\t'Best quality if available, else fastest response'"
complete -c tulk -n "__fish_tulk_using_subcommand t" -l split-sentences -d 'Where to split sentences' -r -f -a "0\t'Nowhere'
1\t'At punctuation and newlines'
nonewlines\t'At punctuation'"
complete -c tulk -n "__fish_tulk_using_subcommand t" -l preserve-formatting -d 'Keep the first letter\'s case and the punctuation at both ends' -r -f -a "true\t''
false\t''"
complete -c tulk -n "__fish_tulk_using_subcommand t" -l formality -d 'Formality of the translation' -r -f -a "default\t'Default formality of the language'
more\t'More formal; an error if not supported'
less\t'Less formal; an error if not supported'
prefer_more\t'More formal if supported'
prefer_less\t'Less formal if supported'"
complete -c tulk -n "__fish_tulk_using_subcommand t" -l custom-instruction -d 'Instruction for the model (up to 10, 300 characters each)' -r
complete -c tulk -n "__fish_tulk_using_subcommand t" -l translation-memory-threshold -d 'Minimum translation-memory match (%) [default: 75]' -r
complete -c tulk -n "__fish_tulk_using_subcommand t" -l show-billed-characters -d 'Report billed characters' -r -f -a "true\t''
false\t''"
complete -c tulk -n "__fish_tulk_using_subcommand t" -l tag-handling -d 'Type of markup in the texts' -r -f -a "xml\t'XML'
html\t'HTML'"
complete -c tulk -n "__fish_tulk_using_subcommand t" -l tag-handling-version -d 'Version of markup handling (v1, v2)' -r
complete -c tulk -n "__fish_tulk_using_subcommand t" -l outline-detection -d 'Detect the XML structure automatically' -r -f -a "true\t''
false\t''"
complete -c tulk -n "__fish_tulk_using_subcommand t" -l non-splitting-tags -d 'Tags that never split sentences' -r
complete -c tulk -n "__fish_tulk_using_subcommand t" -l splitting-tags -d 'Tags that always split sentences' -r
complete -c tulk -n "__fish_tulk_using_subcommand t" -l ignore-tags -d 'Tags whose text is not translated' -r
complete -c tulk -n "__fish_tulk_using_subcommand t" -l context-lines -d 'Send the N lines before each request as its context' -r
complete -c tulk -n "__fish_tulk_using_subcommand t" -l max-characters -d 'Maximum number of characters to send, across all targets' -r
complete -c tulk -n "__fish_tulk_using_subcommand t" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand t" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand t" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand t" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand t" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand t" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand t" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand t" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand t" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand t" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand t" -l lines -d 'Treat each line as an entry'
complete -c tulk -n "__fish_tulk_using_subcommand t" -s 0 -l nul -d 'Treat each NUL-separated part as an entry'
complete -c tulk -n "__fish_tulk_using_subcommand t" -l lossy -d 'Replace invalid UTF-8 instead of refusing it'
complete -c tulk -n "__fish_tulk_using_subcommand t" -l strip-ansi -d 'Remove terminal escape sequences and overstrikes'
complete -c tulk -n "__fish_tulk_using_subcommand t" -l in-place -d 'Replace the input files with their results'
complete -c tulk -n "__fish_tulk_using_subcommand t" -l resume -d 'Continue an unfinished run'
complete -c tulk -n "__fish_tulk_using_subcommand t" -l force -d 'Start over, and overwrite what an unfinished run left'
complete -c tulk -n "__fish_tulk_using_subcommand t" -l no-outline-detection -d 'Do not detect the structure of XML; list it with --splitting-tags'
complete -c tulk -n "__fish_tulk_using_subcommand t" -l keep-going -d 'Copy refused entries unchanged and continue'
complete -c tulk -n "__fish_tulk_using_subcommand t" -l stats -d 'Print statistics to stderr at the end'
complete -c tulk -n "__fish_tulk_using_subcommand t" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -f -a "translate" -d 'Translate files: upload, wait and download'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -f -a "upload" -d 'Upload a file without waiting for the result'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -f -a "status" -d 'Show the status of a document'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -f -a "wait" -d 'Wait until a document is translated'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -f -a "download" -d 'Download a result (possible only once)'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -f -a "list" -d 'List the documents recorded on this machine'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -f -a "resume" -d 'Finish unfinished documents without uploading them again'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and not __fish_seen_subcommand_from translate upload status wait download list resume forget" -f -a "forget" -d 'Remove a document\'s local record; asks if it is unfinished'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -s t -l to -d 'Target languages, such as de,fr' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -s f -l from -d 'Source language [default: detected]' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l formality -d 'Formality of the translation' -r -f -a "default\t'Default formality of the language'
more\t'More formal; an error if not supported'
less\t'Less formal; an error if not supported'
prefer_more\t'More formal if supported'
prefer_less\t'Less formal if supported'"
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l translation-memory-threshold -d 'Minimum translation-memory match (%) [default: 75]' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l output-format -d 'Format of the result; a PDF can become a docx' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l glossary -d 'Glossary name or ID, up to 5; `none` ignores the default' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l style -d 'Style rule list name or ID; `none` ignores the default' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l translation-memory -d 'Translation memory name or ID; `none` ignores the default' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l filename -d 'File name sent to the service; its extension is the type' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -s o -l output -d 'File, or template of {dir} {stem} {lang} {ext} (- for stdout)' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l out-dir -d 'Directory for the results' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l watermark -d 'Mark a docx or PDF result as machine-translated'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l force -d 'Replace existing results'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l again -d 'Upload again instead of resuming'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l if-newer -d 'Skip files with a newer result and replace older results'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -l detach -d 'Exit after the upload; download with `tulk doc resume`'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from translate" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -s t -l to -d 'Target languages, such as de,fr' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -s f -l from -d 'Source language [default: detected]' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -l formality -d 'Formality of the translation' -r -f -a "default\t'Default formality of the language'
more\t'More formal; an error if not supported'
less\t'Less formal; an error if not supported'
prefer_more\t'More formal if supported'
prefer_less\t'Less formal if supported'"
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -l translation-memory-threshold -d 'Minimum translation-memory match (%) [default: 75]' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -l output-format -d 'Format of the result; a PDF can become a docx' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -l glossary -d 'Glossary name or ID, up to 5; `none` ignores the default' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -l style -d 'Style rule list name or ID; `none` ignores the default' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -l translation-memory -d 'Translation memory name or ID; `none` ignores the default' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -l filename -d 'File name sent to the service; its extension is the type' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -s o -l output -d 'File, or template of {dir} {stem} {lang} {ext} (- for stdout)' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -l out-dir -d 'Directory for the results' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -l key-out -d 'Also write the document key to a private file' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -l watermark -d 'Mark a docx or PDF result as machine-translated'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -l force -d 'Replace existing results'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -l again -d 'Upload again instead of resuming'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from upload" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from status" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from status" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from status" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from status" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from status" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from status" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from status" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from status" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from status" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from status" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from status" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from status" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from status" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from status" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from status" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from status" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from status" -l document-key-file -d 'File with the document key, if uploaded on another machine' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from status" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from status" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from status" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from status" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from status" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from status" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from status" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from status" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from status" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from status" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from status" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from wait" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from wait" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from wait" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from wait" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from wait" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from wait" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from wait" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from wait" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from wait" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from wait" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from wait" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from wait" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from wait" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from wait" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from wait" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from wait" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from wait" -l document-key-file -d 'File with the document key, if uploaded on another machine' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from wait" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from wait" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from wait" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from wait" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from wait" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from wait" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from wait" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from wait" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from wait" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from wait" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from wait" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from download" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from download" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from download" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from download" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from download" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from download" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from download" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from download" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from download" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from download" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from download" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from download" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from download" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from download" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from download" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from download" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from download" -l document-key-file -d 'File with the document key, if uploaded on another machine' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from download" -s o -l output -d 'Result file (- for stdout)' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from download" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from download" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from download" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from download" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from download" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from download" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from download" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from download" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from download" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from download" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from download" -l force -d 'Replace an existing file'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from download" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from list" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from list" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from list" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from list" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from list" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from list" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from list" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from list" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from list" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from list" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from list" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from list" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from list" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from list" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from list" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from list" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from list" -l limit -d 'Stop after N rows' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from list" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from list" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from list" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from list" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from list" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from list" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from list" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from list" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from list" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from resume" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from resume" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from resume" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from resume" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from resume" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from resume" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from resume" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from resume" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from resume" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from resume" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from resume" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from resume" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from resume" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from resume" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from resume" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from resume" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from resume" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from resume" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from resume" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from resume" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from resume" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from resume" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from resume" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from resume" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from resume" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from resume" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from resume" -l force -d 'Replace existing results'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from resume" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from forget" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from forget" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from forget" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from forget" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from forget" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from forget" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from forget" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from forget" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from forget" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from forget" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from forget" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from forget" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from forget" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from forget" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from forget" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from forget" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from forget" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from forget" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from forget" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from forget" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from forget" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from forget" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from forget" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from forget" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from forget" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from forget" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand doc; and __fish_seen_subcommand_from forget" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and not __fish_seen_subcommand_from stream session terms" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand voice; and not __fish_seen_subcommand_from stream session terms" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and not __fish_seen_subcommand_from stream session terms" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and not __fish_seen_subcommand_from stream session terms" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand voice; and not __fish_seen_subcommand_from stream session terms" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand voice; and not __fish_seen_subcommand_from stream session terms" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and not __fish_seen_subcommand_from stream session terms" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand voice; and not __fish_seen_subcommand_from stream session terms" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand voice; and not __fish_seen_subcommand_from stream session terms" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and not __fish_seen_subcommand_from stream session terms" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and not __fish_seen_subcommand_from stream session terms" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and not __fish_seen_subcommand_from stream session terms" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and not __fish_seen_subcommand_from stream session terms" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and not __fish_seen_subcommand_from stream session terms" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and not __fish_seen_subcommand_from stream session terms" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand voice; and not __fish_seen_subcommand_from stream session terms" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and not __fish_seen_subcommand_from stream session terms" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and not __fish_seen_subcommand_from stream session terms" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and not __fish_seen_subcommand_from stream session terms" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and not __fish_seen_subcommand_from stream session terms" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and not __fish_seen_subcommand_from stream session terms" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and not __fish_seen_subcommand_from stream session terms" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and not __fish_seen_subcommand_from stream session terms" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and not __fish_seen_subcommand_from stream session terms" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and not __fish_seen_subcommand_from stream session terms" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and not __fish_seen_subcommand_from stream session terms" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and not __fish_seen_subcommand_from stream session terms" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and not __fish_seen_subcommand_from stream session terms" -f -a "stream" -d 'Transcribe or translate audio from a file or a pipe'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and not __fish_seen_subcommand_from stream session terms" -f -a "session" -d 'Request a session and print it, for use by another program'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and not __fish_seen_subcommand_from stream session terms" -f -a "terms" -d 'Manage spoken terms: names and jargon for speech recognition'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -s t -l to -d 'Target languages, up to 5; without any, only transcribe' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -s f -l from -d 'Source language [default: detected]' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l source-mode -d 'How to use --from' -r -f -a "auto\t'As a hint; other languages are detected'
fixed\t'As the only language'"
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l glossary -d 'Glossary name or ID; `none` ignores the default' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l spoken-terms -d 'Collection of spoken terms, name or ID; see `tulk voice terms`' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l formality -d 'Formality of the translation' -r -f -a "default\t'Default formality of the language'
formal\t'Formal'
more\t'Same as formal'
informal\t'Informal'
less\t'Same as informal'"
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l content-type -d 'Content type of the audio; required for raw PCM' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l message-format -d 'Encoding of the messages' -r -f -a "json\t'JSON in text frames'
msgpack\t'MessagePack in binary frames'"
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l speak -d 'Target language to speak' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l audio-content-type -d 'Content type of the speech' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l voice -d 'Voice of the speech: male or female' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l bitrate -d 'Bit rate of the audio in kbit/s, if the file does not contain it' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l reconnects -d 'Maximum number of reconnections' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -s o -l output -d 'File, or template of {dir} {stem} {lang} {ext}' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l audio-out -d 'Output file for the speech' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l transcript -d 'Also print the source transcript'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -l force -d 'Replace existing output files'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from stream" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -s t -l to -d 'Target languages, up to 5; without any, only transcribe' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -s f -l from -d 'Source language [default: detected]' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -l source-mode -d 'How to use --from' -r -f -a "auto\t'As a hint; other languages are detected'
fixed\t'As the only language'"
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -l glossary -d 'Glossary name or ID; `none` ignores the default' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -l spoken-terms -d 'Collection of spoken terms, name or ID; see `tulk voice terms`' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -l formality -d 'Formality of the translation' -r -f -a "default\t'Default formality of the language'
formal\t'Formal'
more\t'Same as formal'
informal\t'Informal'
less\t'Same as informal'"
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -l content-type -d 'Content type of the audio; required for raw PCM' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -l message-format -d 'Encoding of the messages' -r -f -a "json\t'JSON in text frames'
msgpack\t'MessagePack in binary frames'"
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -l speak -d 'Target language to speak' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -l audio-content-type -d 'Content type of the speech' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -l voice -d 'Voice of the speech: male or female' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from session" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -f -a "list" -d 'List all collections of spoken terms'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -f -a "show" -d 'Show a collection and its term lists'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -f -a "create" -d 'Create a collection from files with one term per line'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -f -a "entries" -d 'Print the terms of one or all languages'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -f -a "set" -d 'Replace a term list with a file'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -f -a "merge" -d 'Add the terms of a file to a term list'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -f -a "rename" -d 'Rename a collection'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -f -a "delete" -d 'Delete a collection'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -f -a "delete-list" -d 'Delete the term list of a language'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -f -a "lint" -d 'Check files of terms offline'
complete -c tulk -n "__fish_tulk_using_subcommand voice; and __fish_seen_subcommand_from terms" -f -a "sync" -d 'Make a collection match files'
complete -c tulk -n "__fish_tulk_using_subcommand write; and not __fish_seen_subcommand_from rephrase correct" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand write; and not __fish_seen_subcommand_from rephrase correct" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and not __fish_seen_subcommand_from rephrase correct" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and not __fish_seen_subcommand_from rephrase correct" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand write; and not __fish_seen_subcommand_from rephrase correct" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand write; and not __fish_seen_subcommand_from rephrase correct" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and not __fish_seen_subcommand_from rephrase correct" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand write; and not __fish_seen_subcommand_from rephrase correct" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand write; and not __fish_seen_subcommand_from rephrase correct" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and not __fish_seen_subcommand_from rephrase correct" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and not __fish_seen_subcommand_from rephrase correct" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and not __fish_seen_subcommand_from rephrase correct" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and not __fish_seen_subcommand_from rephrase correct" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and not __fish_seen_subcommand_from rephrase correct" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and not __fish_seen_subcommand_from rephrase correct" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand write; and not __fish_seen_subcommand_from rephrase correct" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and not __fish_seen_subcommand_from rephrase correct" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand write; and not __fish_seen_subcommand_from rephrase correct" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand write; and not __fish_seen_subcommand_from rephrase correct" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand write; and not __fish_seen_subcommand_from rephrase correct" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand write; and not __fish_seen_subcommand_from rephrase correct" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand write; and not __fish_seen_subcommand_from rephrase correct" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand write; and not __fish_seen_subcommand_from rephrase correct" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand write; and not __fish_seen_subcommand_from rephrase correct" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand write; and not __fish_seen_subcommand_from rephrase correct" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand write; and not __fish_seen_subcommand_from rephrase correct" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand write; and not __fish_seen_subcommand_from rephrase correct" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand write; and not __fish_seen_subcommand_from rephrase correct" -f -a "rephrase" -d 'Reword texts, optionally in a style or tone'
complete -c tulk -n "__fish_tulk_using_subcommand write; and not __fish_seen_subcommand_from rephrase correct" -f -a "correct" -d 'Correct mistakes and change nothing else'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l style -d 'Writing style' -r -f -a "academic\t'For academic texts'
business\t'For colleagues and customers'
casual\t'For friends'
default\t'No particular style'
simple\t'Simple words'
prefer_academic\t'Academic if supported'
prefer_business\t'Business if supported'
prefer_casual\t'Casual if supported'
prefer_simple\t'Simple if supported'"
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l tone -d 'Tone; cannot be used with --style' -r -f -a "confident\t'Confident'
default\t'No particular tone'
diplomatic\t'Diplomatic'
enthusiastic\t'Enthusiastic'
friendly\t'Friendly'
prefer_confident\t'Confident if supported'
prefer_diplomatic\t'Diplomatic if supported'
prefer_enthusiastic\t'Enthusiastic if supported'
prefer_friendly\t'Friendly if supported'"
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -s t -l to -d 'Language of the result [default: language of the text]' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -s i -l input -d 'File to read (- for stdin), repeatable' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -s o -l output -d 'File, or template of {dir} {stem} {lang} {ext}' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l max-characters -d 'Maximum number of characters to send, across all targets' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l lines -d 'Treat each line as an entry'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -s 0 -l nul -d 'Treat each NUL-separated part as an entry'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l lossy -d 'Replace invalid UTF-8 instead of refusing it'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l strip-ansi -d 'Remove terminal escape sequences and overstrikes'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l diff -d 'Show changes by word, or as a unified diff when piped'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l check -d 'List the inputs that would change; exit 1 if there are any'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l in-place -d 'Replace the input files with their results'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l resume -d 'Continue an unfinished run'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l force -d 'Start over, and overwrite what an unfinished run left'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l keep-going -d 'Copy refused entries unchanged and continue'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -l stats -d 'Print statistics to stderr at the end'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from rephrase" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -s t -l to -d 'Language of the result [default: language of the text]' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -s i -l input -d 'File to read (- for stdin), repeatable' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -s o -l output -d 'File, or template of {dir} {stem} {lang} {ext}' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -l max-characters -d 'Maximum number of characters to send, across all targets' -r
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -l lines -d 'Treat each line as an entry'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -s 0 -l nul -d 'Treat each NUL-separated part as an entry'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -l lossy -d 'Replace invalid UTF-8 instead of refusing it'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -l strip-ansi -d 'Remove terminal escape sequences and overstrikes'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -l diff -d 'Show changes by word, or as a unified diff when piped'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -l check -d 'List the inputs that would change; exit 1 if there are any'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -l in-place -d 'Replace the input files with their results'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -l resume -d 'Continue an unfinished run'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -l force -d 'Start over, and overwrite what an unfinished run left'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -l keep-going -d 'Copy refused entries unchanged and continue'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -l stats -d 'Print statistics to stderr at the end'
complete -c tulk -n "__fish_tulk_using_subcommand write; and __fish_seen_subcommand_from correct" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -f -a "list" -d 'List all style rule lists'
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -f -a "show" -d 'Show a list with its rules and instructions'
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -f -a "create" -d 'Create a list'
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -f -a "rename" -d 'Rename a list'
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -f -a "delete" -d 'Delete a list'
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -f -a "rules" -d 'Show and set predefined rules'
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -f -a "instruction" -d 'Manage custom instructions'
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -f -a "export" -d 'Print a list as a TOML file'
complete -c tulk -n "__fish_tulk_using_subcommand style; and not __fish_seen_subcommand_from list show create rename delete rules instruction export apply" -f -a "apply" -d 'Make a list match a TOML file'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from list" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from list" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from list" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from list" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from list" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from list" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from list" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from list" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from list" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from list" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from list" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from list" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from list" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from list" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from list" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from list" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from list" -l limit -d 'Stop after N rows' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from list" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from list" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from list" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from list" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from list" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from list" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from list" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from list" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from list" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from list" -l detailed -d 'Include rules and instructions'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from show" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from show" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from show" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from show" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from show" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from show" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from show" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from show" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from show" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from show" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from show" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from show" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from show" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from show" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from show" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from show" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from show" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from show" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from show" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from show" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from show" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from show" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from show" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from show" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from show" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from show" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from create" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from create" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from create" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from create" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from create" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from create" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from create" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from create" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from create" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from create" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from create" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from create" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from create" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from create" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from create" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from create" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from create" -s l -l language -d 'Language of the list' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from create" -l file -d 'TOML file with rules and instructions (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from create" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from create" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from create" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from create" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from create" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from create" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from create" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from create" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from create" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from create" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from create" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rename" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rename" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rename" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rename" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rename" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rename" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rename" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rename" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rename" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rename" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rename" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rename" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rename" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rename" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rename" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rename" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rename" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rename" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rename" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rename" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rename" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rename" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rename" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rename" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rename" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rename" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rename" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from delete" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from delete" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from delete" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from delete" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from delete" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from delete" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from delete" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from delete" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from delete" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from delete" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from delete" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from delete" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from delete" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from delete" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from delete" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from delete" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from delete" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from delete" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from delete" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from delete" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from delete" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from delete" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from delete" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from delete" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from delete" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from delete" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from delete" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rules" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rules" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rules" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rules" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rules" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rules" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rules" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rules" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rules" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rules" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rules" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rules" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rules" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rules" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rules" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rules" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rules" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rules" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rules" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rules" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rules" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rules" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rules" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rules" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rules" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rules" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rules" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rules" -f -a "show" -d 'Show the rules of a list'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rules" -f -a "set" -d 'Change rules of a list, or replace them all'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from rules" -f -a "catalogue" -d 'List known rules and their options'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from instruction" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from instruction" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from instruction" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from instruction" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from instruction" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from instruction" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from instruction" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from instruction" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from instruction" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from instruction" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from instruction" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from instruction" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from instruction" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from instruction" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from instruction" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from instruction" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from instruction" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from instruction" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from instruction" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from instruction" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from instruction" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from instruction" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from instruction" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from instruction" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from instruction" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from instruction" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from instruction" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from instruction" -f -a "list" -d 'List the instructions of a list'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from instruction" -f -a "add" -d 'Add an instruction to a list'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from instruction" -f -a "show" -d 'Show an instruction'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from instruction" -f -a "edit" -d 'Edit an instruction'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from instruction" -f -a "remove" -d 'Remove an instruction from a list'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from export" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from export" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from export" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from export" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from export" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from export" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from export" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from export" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from export" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from export" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from export" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from export" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from export" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from export" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from export" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from export" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from export" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from export" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from export" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from export" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from export" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from export" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from export" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from export" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from export" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from export" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from export" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from apply" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from apply" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from apply" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from apply" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from apply" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from apply" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from apply" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from apply" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from apply" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from apply" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from apply" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from apply" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from apply" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from apply" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from apply" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from apply" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from apply" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from apply" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from apply" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from apply" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from apply" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from apply" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from apply" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from apply" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from apply" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from apply" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand style; and __fish_seen_subcommand_from apply" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and not __fish_seen_subcommand_from list resources check v2" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand langs; and not __fish_seen_subcommand_from list resources check v2" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and not __fish_seen_subcommand_from list resources check v2" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and not __fish_seen_subcommand_from list resources check v2" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand langs; and not __fish_seen_subcommand_from list resources check v2" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand langs; and not __fish_seen_subcommand_from list resources check v2" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and not __fish_seen_subcommand_from list resources check v2" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand langs; and not __fish_seen_subcommand_from list resources check v2" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand langs; and not __fish_seen_subcommand_from list resources check v2" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and not __fish_seen_subcommand_from list resources check v2" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and not __fish_seen_subcommand_from list resources check v2" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and not __fish_seen_subcommand_from list resources check v2" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and not __fish_seen_subcommand_from list resources check v2" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and not __fish_seen_subcommand_from list resources check v2" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and not __fish_seen_subcommand_from list resources check v2" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand langs; and not __fish_seen_subcommand_from list resources check v2" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and not __fish_seen_subcommand_from list resources check v2" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and not __fish_seen_subcommand_from list resources check v2" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and not __fish_seen_subcommand_from list resources check v2" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and not __fish_seen_subcommand_from list resources check v2" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and not __fish_seen_subcommand_from list resources check v2" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and not __fish_seen_subcommand_from list resources check v2" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and not __fish_seen_subcommand_from list resources check v2" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and not __fish_seen_subcommand_from list resources check v2" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and not __fish_seen_subcommand_from list resources check v2" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and not __fish_seen_subcommand_from list resources check v2" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and not __fish_seen_subcommand_from list resources check v2" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and not __fish_seen_subcommand_from list resources check v2" -f -a "list" -d 'List the languages of a resource with their features'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and not __fish_seen_subcommand_from list resources check v2" -f -a "resources" -d 'List resources and the language support their features require'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and not __fish_seen_subcommand_from list resources check v2" -f -a "check" -d 'Check languages and features: exit 0 if supported, else 1'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and not __fish_seen_subcommand_from list resources check v2" -f -a "v2" -d 'List languages with the deprecated v2 operation'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from list" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from list" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from list" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from list" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from list" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from list" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from list" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from list" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from list" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from list" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from list" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from list" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from list" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from list" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from list" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from list" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from list" -l resource -d 'Resource: translate_text, write, voice and others' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from list" -l include -d 'Include beta or external languages and features' -r -f -a "beta\t'Beta languages and features'
external\t'Features provided by third parties'"
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from list" -l limit -d 'Stop after N rows' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from list" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from list" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from list" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from list" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from list" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from list" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from list" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from list" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from list" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from list" -l no-cache -d 'Ignore cached responses'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from list" -l source -d 'List only source languages'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from list" -l target -d 'List only target languages'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from resources" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from resources" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from resources" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from resources" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from resources" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from resources" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from resources" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from resources" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from resources" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from resources" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from resources" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from resources" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from resources" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from resources" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from resources" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from resources" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from resources" -l limit -d 'Stop after N rows' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from resources" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from resources" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from resources" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from resources" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from resources" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from resources" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from resources" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from resources" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from resources" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from resources" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from resources" -l no-cache -d 'Ignore cached responses'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from resources" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from check" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from check" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from check" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from check" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from check" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from check" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from check" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from check" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from check" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from check" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from check" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from check" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from check" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from check" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from check" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from check" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from check" -l resource -d 'Resource: translate_text, write, voice and others' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from check" -l include -d 'Include beta or external languages and features' -r -f -a "beta\t'Beta languages and features'
external\t'Features provided by third parties'"
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from check" -s f -l from -d 'Source language' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from check" -s t -l to -d 'Target language' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from check" -l feature -d 'Feature key, such as glossary; repeatable' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from check" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from check" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from check" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from check" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from check" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from check" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from check" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from check" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from check" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from check" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from check" -l no-cache -d 'Ignore cached responses'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from v2" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from v2" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from v2" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from v2" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from v2" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from v2" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from v2" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from v2" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from v2" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from v2" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from v2" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from v2" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from v2" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from v2" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from v2" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from v2" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from v2" -l limit -d 'Stop after N rows' -r
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from v2" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from v2" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from v2" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from v2" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from v2" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from v2" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from v2" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from v2" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from v2" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from v2" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from v2" -l source -d 'List only source languages (default)'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from v2" -l target -d 'List only target languages'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from v2" -l no-cache -d 'Ignore cached responses'
complete -c tulk -n "__fish_tulk_using_subcommand langs; and __fish_seen_subcommand_from v2" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand usage" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand usage" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand usage" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand usage" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand usage" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand usage" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand usage" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand usage" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand usage" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand usage" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand usage" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand usage" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand usage" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand usage" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand usage" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand usage" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand usage" -l fail-above -d 'Exit 1 if a counter is above PERCENT of its limit' -r
complete -c tulk -n "__fish_tulk_using_subcommand usage" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand usage" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand usage" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand usage" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand usage" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand usage" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand usage" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand usage" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand usage" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand usage" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand usage" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand tm; and not __fish_seen_subcommand_from list" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand tm; and not __fish_seen_subcommand_from list" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand tm; and not __fish_seen_subcommand_from list" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand tm; and not __fish_seen_subcommand_from list" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand tm; and not __fish_seen_subcommand_from list" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand tm; and not __fish_seen_subcommand_from list" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand tm; and not __fish_seen_subcommand_from list" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand tm; and not __fish_seen_subcommand_from list" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand tm; and not __fish_seen_subcommand_from list" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand tm; and not __fish_seen_subcommand_from list" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand tm; and not __fish_seen_subcommand_from list" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand tm; and not __fish_seen_subcommand_from list" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand tm; and not __fish_seen_subcommand_from list" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand tm; and not __fish_seen_subcommand_from list" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand tm; and not __fish_seen_subcommand_from list" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand tm; and not __fish_seen_subcommand_from list" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand tm; and not __fish_seen_subcommand_from list" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand tm; and not __fish_seen_subcommand_from list" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand tm; and not __fish_seen_subcommand_from list" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand tm; and not __fish_seen_subcommand_from list" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand tm; and not __fish_seen_subcommand_from list" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand tm; and not __fish_seen_subcommand_from list" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand tm; and not __fish_seen_subcommand_from list" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand tm; and not __fish_seen_subcommand_from list" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand tm; and not __fish_seen_subcommand_from list" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand tm; and not __fish_seen_subcommand_from list" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand tm; and not __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand tm; and not __fish_seen_subcommand_from list" -f -a "list" -d 'List the translation memories of the account'
complete -c tulk -n "__fish_tulk_using_subcommand tm; and __fish_seen_subcommand_from list" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand tm; and __fish_seen_subcommand_from list" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand tm; and __fish_seen_subcommand_from list" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand tm; and __fish_seen_subcommand_from list" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand tm; and __fish_seen_subcommand_from list" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand tm; and __fish_seen_subcommand_from list" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand tm; and __fish_seen_subcommand_from list" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand tm; and __fish_seen_subcommand_from list" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand tm; and __fish_seen_subcommand_from list" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand tm; and __fish_seen_subcommand_from list" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand tm; and __fish_seen_subcommand_from list" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand tm; and __fish_seen_subcommand_from list" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand tm; and __fish_seen_subcommand_from list" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand tm; and __fish_seen_subcommand_from list" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand tm; and __fish_seen_subcommand_from list" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand tm; and __fish_seen_subcommand_from list" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand tm; and __fish_seen_subcommand_from list" -l limit -d 'Stop after N rows' -r
complete -c tulk -n "__fish_tulk_using_subcommand tm; and __fish_seen_subcommand_from list" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand tm; and __fish_seen_subcommand_from list" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand tm; and __fish_seen_subcommand_from list" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand tm; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand tm; and __fish_seen_subcommand_from list" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand tm; and __fish_seen_subcommand_from list" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand tm; and __fish_seen_subcommand_from list" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand tm; and __fish_seen_subcommand_from list" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand tm; and __fish_seen_subcommand_from list" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand tm; and __fish_seen_subcommand_from list" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand tm; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -f -a "list" -d 'List all glossaries'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -f -a "show" -d 'Show a glossary and its dictionaries'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -f -a "create" -d 'Create a glossary from dictionary files'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -f -a "entries" -d 'Print the entries of one or all dictionaries'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -f -a "set" -d 'Replace a dictionary with a file'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -f -a "merge" -d 'Add the entries of a file to a dictionary'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -f -a "add" -d 'Add an entry, or change its target phrase'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -f -a "remove" -d 'Remove entries'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -f -a "rename" -d 'Rename a glossary'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -f -a "delete" -d 'Delete a glossary'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -f -a "delete-dictionary" -d 'Delete a dictionary from a glossary'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -f -a "lint" -d 'Check dictionary files offline'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -f -a "diff" -d 'Compare a dictionary with a file'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -f -a "sync" -d 'Make a glossary match dictionary files'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -f -a "export" -d 'Write one file per dictionary'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -f -a "wait" -d 'Wait until a glossary is ready'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and not __fish_seen_subcommand_from list show create entries set merge add remove rename delete delete-dictionary lint diff sync export wait v2" -f -a "v2" -d 'Manage v2 glossaries (one language pair, immutable)'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from list" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from list" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from list" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from list" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from list" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from list" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from list" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from list" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from list" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from list" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from list" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from list" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from list" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from list" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from list" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from list" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from list" -l limit -d 'Stop after N rows' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from list" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from list" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from list" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from list" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from list" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from list" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from list" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from list" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from list" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from show" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from show" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from show" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from show" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from show" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from show" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from show" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from show" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from show" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from show" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from show" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from show" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from show" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from show" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from show" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from show" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from show" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from show" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from show" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from show" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from show" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from show" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from show" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from show" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from show" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from show" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from create" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from create" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from create" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from create" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from create" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from create" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from create" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from create" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from create" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from create" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from create" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from create" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from create" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from create" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from create" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from create" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from create" -l dictionary -d 'Language pair and file, such as en:de=terms.tsv; repeatable' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from create" -l entries-format -d 'File format [default: from the file extension, else tsv]' -r -f -a "tsv\t'source TAB target, no quotes'
csv\t'source,target or source,target,source code,target code'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from create" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from create" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from create" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from create" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from create" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from create" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from create" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from create" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from create" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from create" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from create" -l header-row -d 'Skip the first line of each file'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from create" -l wait -d 'Wait until the glossary is ready'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from create" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from entries" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from entries" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from entries" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from entries" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from entries" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from entries" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from entries" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from entries" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from entries" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from entries" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from entries" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from entries" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from entries" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from entries" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from entries" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from entries" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from entries" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from entries" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from entries" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from entries" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from entries" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from entries" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from entries" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from entries" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from entries" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from entries" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from entries" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from set" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from set" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from set" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from set" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from set" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from set" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from set" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from set" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from set" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from set" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from set" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from set" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from set" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from set" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from set" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from set" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from set" -l entries-format -d 'File format [default: from the file extension, else tsv]' -r -f -a "tsv\t'source TAB target, no quotes'
csv\t'source,target or source,target,source code,target code'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from set" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from set" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from set" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from set" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from set" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from set" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from set" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from set" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from set" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from set" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from set" -l header-row -d 'Skip the first line of each file'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from set" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from merge" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from merge" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from merge" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from merge" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from merge" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from merge" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from merge" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from merge" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from merge" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from merge" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from merge" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from merge" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from merge" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from merge" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from merge" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from merge" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from merge" -l entries-format -d 'File format [default: from the file extension, else tsv]' -r -f -a "tsv\t'source TAB target, no quotes'
csv\t'source,target or source,target,source code,target code'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from merge" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from merge" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from merge" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from merge" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from merge" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from merge" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from merge" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from merge" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from merge" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from merge" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from merge" -l header-row -d 'Skip the first line of each file'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from merge" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from add" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from add" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from add" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from add" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from add" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from add" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from add" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from add" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from add" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from add" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from add" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from add" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from add" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from add" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from add" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from add" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from add" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from add" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from add" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from add" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from add" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from add" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from add" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from add" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from add" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from add" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from add" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from remove" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from remove" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from remove" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from remove" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from remove" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from remove" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from remove" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from remove" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from remove" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from remove" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from remove" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from remove" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from remove" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from remove" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from remove" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from remove" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from remove" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from remove" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from remove" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from remove" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from remove" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from remove" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from remove" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from remove" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from remove" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from remove" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from remove" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from rename" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from rename" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from rename" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from rename" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from rename" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from rename" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from rename" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from rename" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from rename" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from rename" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from rename" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from rename" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from rename" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from rename" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from rename" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from rename" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from rename" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from rename" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from rename" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from rename" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from rename" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from rename" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from rename" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from rename" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from rename" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from rename" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from rename" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete-dictionary" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete-dictionary" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete-dictionary" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete-dictionary" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete-dictionary" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete-dictionary" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete-dictionary" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete-dictionary" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete-dictionary" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete-dictionary" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete-dictionary" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete-dictionary" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete-dictionary" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete-dictionary" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete-dictionary" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete-dictionary" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete-dictionary" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete-dictionary" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete-dictionary" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete-dictionary" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete-dictionary" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete-dictionary" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete-dictionary" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete-dictionary" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete-dictionary" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete-dictionary" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from delete-dictionary" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from lint" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from lint" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from lint" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from lint" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from lint" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from lint" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from lint" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from lint" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from lint" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from lint" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from lint" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from lint" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from lint" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from lint" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from lint" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from lint" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from lint" -l entries-format -d 'File format [default: from the file extension, else tsv]' -r -f -a "tsv\t'source TAB target, no quotes'
csv\t'source,target or source,target,source code,target code'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from lint" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from lint" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from lint" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from lint" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from lint" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from lint" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from lint" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from lint" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from lint" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from lint" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from lint" -l header-row -d 'Skip the first line of each file'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from lint" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from diff" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from diff" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from diff" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from diff" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from diff" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from diff" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from diff" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from diff" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from diff" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from diff" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from diff" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from diff" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from diff" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from diff" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from diff" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from diff" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from diff" -l entries-format -d 'File format [default: from the file extension, else tsv]' -r -f -a "tsv\t'source TAB target, no quotes'
csv\t'source,target or source,target,source code,target code'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from diff" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from diff" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from diff" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from diff" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from diff" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from diff" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from diff" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from diff" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from diff" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from diff" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from diff" -l header-row -d 'Skip the first line of each file'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from diff" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from sync" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from sync" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from sync" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from sync" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from sync" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from sync" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from sync" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from sync" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from sync" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from sync" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from sync" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from sync" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from sync" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from sync" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from sync" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from sync" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from sync" -l entries-format -d 'File format [default: from the file extension, else tsv]' -r -f -a "tsv\t'source TAB target, no quotes'
csv\t'source,target or source,target,source code,target code'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from sync" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from sync" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from sync" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from sync" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from sync" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from sync" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from sync" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from sync" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from sync" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from sync" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from sync" -l prune -d 'Remove entries and dictionaries that are not in the files'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from sync" -l header-row -d 'Skip the first line of each file'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from sync" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from export" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from export" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from export" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from export" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from export" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from export" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from export" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from export" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from export" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from export" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from export" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from export" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from export" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from export" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from export" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from export" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from export" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from export" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from export" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from export" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from export" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from export" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from export" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from export" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from export" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from export" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from export" -l force -d 'Replace files that have other entries'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from export" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from wait" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from wait" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from wait" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from wait" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from wait" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from wait" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from wait" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from wait" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from wait" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from wait" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from wait" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from wait" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from wait" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from wait" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from wait" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from wait" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from wait" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from wait" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from wait" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from wait" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from wait" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from wait" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from wait" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from wait" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from wait" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from wait" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from wait" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from v2" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from v2" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from v2" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from v2" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from v2" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from v2" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from v2" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from v2" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from v2" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from v2" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from v2" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from v2" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from v2" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from v2" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from v2" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from v2" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from v2" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from v2" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from v2" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from v2" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from v2" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from v2" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from v2" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from v2" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from v2" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from v2" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from v2" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from v2" -f -a "list" -d 'List all v2 glossaries'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from v2" -f -a "show" -d 'Show a v2 glossary'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from v2" -f -a "create" -d 'Create a v2 glossary from a dictionary file'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from v2" -f -a "entries" -d 'Print the entries of a v2 glossary'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from v2" -f -a "delete" -d 'Delete a v2 glossary'
complete -c tulk -n "__fish_tulk_using_subcommand glossary; and __fish_seen_subcommand_from v2" -f -a "pairs" -d 'List the language pairs that v2 glossaries support'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and not __fish_seen_subcommand_from keys usage tags" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand admin; and not __fish_seen_subcommand_from keys usage tags" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and not __fish_seen_subcommand_from keys usage tags" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and not __fish_seen_subcommand_from keys usage tags" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand admin; and not __fish_seen_subcommand_from keys usage tags" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand admin; and not __fish_seen_subcommand_from keys usage tags" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and not __fish_seen_subcommand_from keys usage tags" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand admin; and not __fish_seen_subcommand_from keys usage tags" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand admin; and not __fish_seen_subcommand_from keys usage tags" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and not __fish_seen_subcommand_from keys usage tags" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and not __fish_seen_subcommand_from keys usage tags" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and not __fish_seen_subcommand_from keys usage tags" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and not __fish_seen_subcommand_from keys usage tags" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and not __fish_seen_subcommand_from keys usage tags" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and not __fish_seen_subcommand_from keys usage tags" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand admin; and not __fish_seen_subcommand_from keys usage tags" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and not __fish_seen_subcommand_from keys usage tags" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and not __fish_seen_subcommand_from keys usage tags" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and not __fish_seen_subcommand_from keys usage tags" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and not __fish_seen_subcommand_from keys usage tags" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and not __fish_seen_subcommand_from keys usage tags" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and not __fish_seen_subcommand_from keys usage tags" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and not __fish_seen_subcommand_from keys usage tags" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and not __fish_seen_subcommand_from keys usage tags" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and not __fish_seen_subcommand_from keys usage tags" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and not __fish_seen_subcommand_from keys usage tags" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and not __fish_seen_subcommand_from keys usage tags" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and not __fish_seen_subcommand_from keys usage tags" -f -a "keys" -d 'List, create, rename, limit and deactivate developer keys'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and not __fish_seen_subcommand_from keys usage tags" -f -a "usage" -d 'Report usage, in total, by key, or by key and day'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and not __fish_seen_subcommand_from keys usage tags" -f -a "tags" -d 'Report usage by reporting tag'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from keys" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from keys" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from keys" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from keys" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from keys" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from keys" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from keys" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from keys" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from keys" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from keys" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from keys" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from keys" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from keys" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from keys" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from keys" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from keys" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from keys" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from keys" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from keys" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from keys" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from keys" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from keys" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from keys" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from keys" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from keys" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from keys" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from keys" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from keys" -f -a "list" -d 'List all keys, active and deactivated'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from keys" -f -a "create" -d 'Create a key and print it'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from keys" -f -a "rename" -d 'Change the label of a key'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from keys" -f -a "limit" -d 'Set or remove the limits of a key'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from keys" -f -a "deactivate" -d 'Deactivate a key immediately and permanently'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from usage" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from usage" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from usage" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from usage" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from usage" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from usage" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from usage" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from usage" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from usage" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from usage" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from usage" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from usage" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from usage" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from usage" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from usage" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from usage" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from usage" -l start -d 'First day: YYYY-MM-DD, today, or -30d' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from usage" -l end -d 'Last day, inclusive; at most 366 days' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from usage" -l by -d 'How to group; by default, print totals only' -r -f -a "key\t'One row per key'
key-and-day\t'One row per key and day'"
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from usage" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from usage" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from usage" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from usage" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from usage" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from usage" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from usage" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from usage" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from usage" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from usage" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from usage" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from tags" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from tags" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from tags" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from tags" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from tags" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from tags" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from tags" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from tags" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from tags" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from tags" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from tags" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from tags" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from tags" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from tags" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from tags" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from tags" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from tags" -l start -d 'First day: YYYY-MM-DD, today, or -30d' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from tags" -l end -d 'Last day, inclusive; at most 366 days' -r
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from tags" -l by -d 'How to group [default: period]' -r -f -a "period\t'One row per tag'
day\t'One row per tag and day'"
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from tags" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from tags" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from tags" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from tags" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from tags" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from tags" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from tags" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from tags" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from tags" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from tags" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand admin; and __fish_seen_subcommand_from tags" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand api" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand api" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand api" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand api" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand api" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand api" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand api" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand api" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand api" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand api" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand api" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand api" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand api" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand api" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand api" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand api" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand api" -s F -l field -d 'Add a field: a number, true, false, null, @FILE or text' -r
complete -c tulk -n "__fish_tulk_using_subcommand api" -s f -l raw-field -d 'Add a field that is always text' -r
complete -c tulk -n "__fish_tulk_using_subcommand api" -l input -d 'Send a file as the body (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand api" -s H -d 'Add a header' -r
complete -c tulk -n "__fish_tulk_using_subcommand api" -s o -l output -d 'Write the body to a file (- for stdout)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand api" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand api" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand api" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand api" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand api" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand api" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand api" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand api" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand api" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand api" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand api" -l form -d 'Send the fields as a form, and upload files in them'
complete -c tulk -n "__fish_tulk_using_subcommand api" -l no-auth -d 'Send no key, and accept a URL of any server as the path'
complete -c tulk -n "__fish_tulk_using_subcommand api" -s i -l include -d 'Print status and headers before the body'
complete -c tulk -n "__fish_tulk_using_subcommand api" -l paginate -d 'Request all pages and print them as one'
complete -c tulk -n "__fish_tulk_using_subcommand api" -l silent -d 'Do not print the body'
complete -c tulk -n "__fish_tulk_using_subcommand api" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and not __fish_seen_subcommand_from login status logout token" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand auth; and not __fish_seen_subcommand_from login status logout token" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and not __fish_seen_subcommand_from login status logout token" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and not __fish_seen_subcommand_from login status logout token" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand auth; and not __fish_seen_subcommand_from login status logout token" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand auth; and not __fish_seen_subcommand_from login status logout token" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and not __fish_seen_subcommand_from login status logout token" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand auth; and not __fish_seen_subcommand_from login status logout token" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand auth; and not __fish_seen_subcommand_from login status logout token" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and not __fish_seen_subcommand_from login status logout token" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and not __fish_seen_subcommand_from login status logout token" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and not __fish_seen_subcommand_from login status logout token" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and not __fish_seen_subcommand_from login status logout token" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and not __fish_seen_subcommand_from login status logout token" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and not __fish_seen_subcommand_from login status logout token" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand auth; and not __fish_seen_subcommand_from login status logout token" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and not __fish_seen_subcommand_from login status logout token" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and not __fish_seen_subcommand_from login status logout token" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and not __fish_seen_subcommand_from login status logout token" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and not __fish_seen_subcommand_from login status logout token" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and not __fish_seen_subcommand_from login status logout token" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and not __fish_seen_subcommand_from login status logout token" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and not __fish_seen_subcommand_from login status logout token" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and not __fish_seen_subcommand_from login status logout token" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and not __fish_seen_subcommand_from login status logout token" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and not __fish_seen_subcommand_from login status logout token" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and not __fish_seen_subcommand_from login status logout token" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and not __fish_seen_subcommand_from login status logout token" -f -a "login" -d 'Store a key from a hidden prompt or stdin after checking it'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and not __fish_seen_subcommand_from login status logout token" -f -a "status" -d 'Show the server and key of every profile, and whether the key works'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and not __fish_seen_subcommand_from login status logout token" -f -a "logout" -d 'Remove a stored key'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and not __fish_seen_subcommand_from login status logout token" -f -a "token" -d 'Print the key in use, for other tools'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from login" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from login" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from login" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from login" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from login" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from login" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from login" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from login" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from login" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from login" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from login" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from login" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from login" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from login" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from login" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from login" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from login" -l service -d 'Preset, or a service defined under [services]' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from login" -l endpoint -d 'Endpoint of the service' -r -f -a "paid\t''
free\t''
us\t''
jp\t''"
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from login" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from login" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from login" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from login" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from login" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from login" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from login" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from login" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from login" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from login" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from login" -l admin -d 'Use the admin key instead of the API key'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from login" -l no-verify -d 'Store the key without checking it'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from login" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from status" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from status" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from status" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from status" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from status" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from status" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from status" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from status" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from status" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from status" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from status" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from status" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from status" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from status" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from status" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from status" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from status" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from status" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from status" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from status" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from status" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from status" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from status" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from status" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from status" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from status" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from status" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from logout" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from logout" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from logout" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from logout" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from logout" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from logout" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from logout" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from logout" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from logout" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from logout" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from logout" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from logout" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from logout" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from logout" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from logout" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from logout" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from logout" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from logout" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from logout" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from logout" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from logout" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from logout" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from logout" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from logout" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from logout" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from logout" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from logout" -l admin -d 'Use the admin key instead of the API key'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from logout" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from token" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from token" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from token" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from token" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from token" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from token" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from token" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from token" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from token" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from token" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from token" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from token" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from token" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from token" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from token" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from token" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from token" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from token" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from token" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from token" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from token" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from token" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from token" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from token" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from token" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from token" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from token" -l admin -d 'Use the admin key instead of the API key'
complete -c tulk -n "__fish_tulk_using_subcommand auth; and __fish_seen_subcommand_from token" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand config; and not __fish_seen_subcommand_from path list get set unset edit" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand config; and not __fish_seen_subcommand_from path list get set unset edit" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and not __fish_seen_subcommand_from path list get set unset edit" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and not __fish_seen_subcommand_from path list get set unset edit" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand config; and not __fish_seen_subcommand_from path list get set unset edit" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand config; and not __fish_seen_subcommand_from path list get set unset edit" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and not __fish_seen_subcommand_from path list get set unset edit" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand config; and not __fish_seen_subcommand_from path list get set unset edit" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand config; and not __fish_seen_subcommand_from path list get set unset edit" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and not __fish_seen_subcommand_from path list get set unset edit" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and not __fish_seen_subcommand_from path list get set unset edit" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and not __fish_seen_subcommand_from path list get set unset edit" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and not __fish_seen_subcommand_from path list get set unset edit" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and not __fish_seen_subcommand_from path list get set unset edit" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and not __fish_seen_subcommand_from path list get set unset edit" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand config; and not __fish_seen_subcommand_from path list get set unset edit" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and not __fish_seen_subcommand_from path list get set unset edit" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand config; and not __fish_seen_subcommand_from path list get set unset edit" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand config; and not __fish_seen_subcommand_from path list get set unset edit" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand config; and not __fish_seen_subcommand_from path list get set unset edit" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand config; and not __fish_seen_subcommand_from path list get set unset edit" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand config; and not __fish_seen_subcommand_from path list get set unset edit" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand config; and not __fish_seen_subcommand_from path list get set unset edit" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand config; and not __fish_seen_subcommand_from path list get set unset edit" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand config; and not __fish_seen_subcommand_from path list get set unset edit" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand config; and not __fish_seen_subcommand_from path list get set unset edit" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand config; and not __fish_seen_subcommand_from path list get set unset edit" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand config; and not __fish_seen_subcommand_from path list get set unset edit" -f -a "path" -d 'Print the path of the settings file'
complete -c tulk -n "__fish_tulk_using_subcommand config; and not __fish_seen_subcommand_from path list get set unset edit" -f -a "list" -d 'List all settings'
complete -c tulk -n "__fish_tulk_using_subcommand config; and not __fish_seen_subcommand_from path list get set unset edit" -f -a "get" -d 'Print a setting'
complete -c tulk -n "__fish_tulk_using_subcommand config; and not __fish_seen_subcommand_from path list get set unset edit" -f -a "set" -d 'Change a setting; keeps comments and order'
complete -c tulk -n "__fish_tulk_using_subcommand config; and not __fish_seen_subcommand_from path list get set unset edit" -f -a "unset" -d 'Remove a setting'
complete -c tulk -n "__fish_tulk_using_subcommand config; and not __fish_seen_subcommand_from path list get set unset edit" -f -a "edit" -d 'Edit the settings file in $VISUAL or $EDITOR'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from path" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from path" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from path" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from path" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from path" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from path" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from path" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from path" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from path" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from path" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from path" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from path" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from path" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from path" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from path" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from path" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from path" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from path" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from path" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from path" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from path" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from path" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from path" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from path" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from path" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from path" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from path" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from list" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from list" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from list" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from list" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from list" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from list" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from list" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from list" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from list" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from list" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from list" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from list" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from list" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from list" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from list" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from list" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from list" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from list" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from list" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from list" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from list" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from list" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from list" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from list" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from list" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from get" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from get" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from get" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from get" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from get" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from get" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from get" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from get" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from get" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from get" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from get" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from get" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from get" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from get" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from get" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from get" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from get" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from get" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from get" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from get" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from get" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from get" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from get" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from get" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from get" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from get" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from get" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from set" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from set" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from set" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from set" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from set" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from set" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from set" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from set" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from set" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from set" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from set" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from set" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from set" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from set" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from set" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from set" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from set" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from set" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from set" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from set" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from set" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from set" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from set" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from set" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from set" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from set" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from set" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from unset" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from unset" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from unset" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from unset" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from unset" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from unset" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from unset" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from unset" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from unset" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from unset" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from unset" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from unset" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from unset" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from unset" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from unset" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from unset" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from unset" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from unset" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from unset" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from unset" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from unset" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from unset" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from unset" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from unset" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from unset" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from unset" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from unset" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from edit" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from edit" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from edit" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from edit" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from edit" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from edit" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from edit" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from edit" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from edit" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from edit" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from edit" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from edit" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from edit" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from edit" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from edit" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from edit" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from edit" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from edit" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from edit" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from edit" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from edit" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from edit" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from edit" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from edit" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from edit" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from edit" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand config; and __fish_seen_subcommand_from edit" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and not __fish_seen_subcommand_from serve status reset" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and not __fish_seen_subcommand_from serve status reset" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and not __fish_seen_subcommand_from serve status reset" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and not __fish_seen_subcommand_from serve status reset" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and not __fish_seen_subcommand_from serve status reset" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and not __fish_seen_subcommand_from serve status reset" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and not __fish_seen_subcommand_from serve status reset" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and not __fish_seen_subcommand_from serve status reset" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and not __fish_seen_subcommand_from serve status reset" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and not __fish_seen_subcommand_from serve status reset" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and not __fish_seen_subcommand_from serve status reset" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and not __fish_seen_subcommand_from serve status reset" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and not __fish_seen_subcommand_from serve status reset" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and not __fish_seen_subcommand_from serve status reset" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and not __fish_seen_subcommand_from serve status reset" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and not __fish_seen_subcommand_from serve status reset" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and not __fish_seen_subcommand_from serve status reset" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and not __fish_seen_subcommand_from serve status reset" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and not __fish_seen_subcommand_from serve status reset" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and not __fish_seen_subcommand_from serve status reset" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and not __fish_seen_subcommand_from serve status reset" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and not __fish_seen_subcommand_from serve status reset" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and not __fish_seen_subcommand_from serve status reset" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and not __fish_seen_subcommand_from serve status reset" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and not __fish_seen_subcommand_from serve status reset" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and not __fish_seen_subcommand_from serve status reset" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and not __fish_seen_subcommand_from serve status reset" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and not __fish_seen_subcommand_from serve status reset" -f -a "serve" -d 'Serve the sandbox on loopback and print its address'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and not __fish_seen_subcommand_from serve status reset" -f -a "status" -d 'Show the number of stored objects and counted characters'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and not __fish_seen_subcommand_from serve status reset" -f -a "reset" -d 'Delete the state of the sandbox'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l port -d 'Port on 127.0.0.1; 0 selects a free one' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l key -d 'Accepted key, repeatable [default: sandbox]' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l admin-key -d 'Accepted admin key, repeatable [default: the accepted keys]' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l engine -d 'How texts are translated [default: pseudo]' -r -f -a "pseudo\t'Accented letters, different for each target language'
echo\t'The text itself, byte for byte'
upper\t'Capital letters'"
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l phrases -d 'Exact translations: TSV with source_lang, target_lang, source, target' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l memories -d 'Translation memories as JSON' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l latency -d 'Delay of each response: 50ms, or 10ms-100ms' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l fault -d 'Fault for a share of requests, or for all: 429:0.1, drop; repeatable' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l seed -d 'Seed that makes faults and latency repeatable' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l rate-limit -d 'Respond with 429 above this request rate' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l character-limit -d 'Respond with 456 above this number of characters per month' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l document-limit -d 'Respond with 456 above this number of uploaded documents per month' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l document-queue-time -d 'Time that a document is queued' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l document-translate-time -d 'Time to translate a document' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l glossary-ready-delay -d 'Time until a new glossary is ready' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l voice-fault -d 'Fault in voice streams, repeatable: drop@500, error, late' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l record -d 'Append each request to a file as JSON, including the keys' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l ephemeral -d 'Keep no state on disk'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from status" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from status" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from status" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from status" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from status" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from status" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from status" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from status" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from status" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from status" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from status" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from status" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from status" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from status" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from status" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from status" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from status" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from status" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from status" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from status" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from status" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from status" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from status" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from status" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from status" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from status" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from status" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and not __fish_seen_subcommand_from stats clear" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand cache; and not __fish_seen_subcommand_from stats clear" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand cache; and not __fish_seen_subcommand_from stats clear" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand cache; and not __fish_seen_subcommand_from stats clear" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand cache; and not __fish_seen_subcommand_from stats clear" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand cache; and not __fish_seen_subcommand_from stats clear" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand cache; and not __fish_seen_subcommand_from stats clear" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand cache; and not __fish_seen_subcommand_from stats clear" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand cache; and not __fish_seen_subcommand_from stats clear" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand cache; and not __fish_seen_subcommand_from stats clear" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand cache; and not __fish_seen_subcommand_from stats clear" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand cache; and not __fish_seen_subcommand_from stats clear" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand cache; and not __fish_seen_subcommand_from stats clear" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand cache; and not __fish_seen_subcommand_from stats clear" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand cache; and not __fish_seen_subcommand_from stats clear" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand cache; and not __fish_seen_subcommand_from stats clear" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand cache; and not __fish_seen_subcommand_from stats clear" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and not __fish_seen_subcommand_from stats clear" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and not __fish_seen_subcommand_from stats clear" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and not __fish_seen_subcommand_from stats clear" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and not __fish_seen_subcommand_from stats clear" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and not __fish_seen_subcommand_from stats clear" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and not __fish_seen_subcommand_from stats clear" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and not __fish_seen_subcommand_from stats clear" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and not __fish_seen_subcommand_from stats clear" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and not __fish_seen_subcommand_from stats clear" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and not __fish_seen_subcommand_from stats clear" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and not __fish_seen_subcommand_from stats clear" -f -a "stats" -d 'Show the size and path of each cache'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and not __fish_seen_subcommand_from stats clear" -f -a "clear" -d 'Remove all cached responses'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from stats" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from stats" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from stats" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from stats" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from stats" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from stats" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from stats" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from stats" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from stats" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from stats" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from stats" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from stats" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from stats" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from stats" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from stats" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from stats" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from stats" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from stats" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from stats" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from stats" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from stats" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from stats" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from stats" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from stats" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from stats" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from stats" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from stats" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from clear" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from clear" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from clear" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from clear" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from clear" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from clear" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from clear" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from clear" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from clear" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from clear" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from clear" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from clear" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from clear" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from clear" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from clear" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from clear" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from clear" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from clear" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from clear" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from clear" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from clear" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from clear" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from clear" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from clear" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from clear" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from clear" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand cache; and __fish_seen_subcommand_from clear" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand completions" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand completions" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand completions" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand completions" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand completions" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand completions" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand completions" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand completions" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand completions" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand completions" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand completions" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand completions" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand completions" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand completions" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand completions" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand completions" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand completions" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand completions" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand completions" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand completions" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand completions" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand completions" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand completions" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand completions" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand completions" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand completions" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand completions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand man" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand man" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand man" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand man" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand man" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand man" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand man" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand man" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand man" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand man" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand man" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand man" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand man" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand man" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand man" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand man" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand man" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand man" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand man" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand man" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand man" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand man" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand man" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand man" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand man" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand man" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand man" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c tulk -n "__fish_tulk_using_subcommand help" -l config -d 'Settings file; credentials.toml is in the same directory' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand help" -s p -l profile -d 'Profile to use' -r
complete -c tulk -n "__fish_tulk_using_subcommand help" -l server -d 'Base URL of the service' -r
complete -c tulk -n "__fish_tulk_using_subcommand help" -l key-file -d 'File to read the key from (- for stdin)' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand help" -l format -d 'Output format' -r -f -a "auto\t'Table on a terminal, TSV when piped; text for translate and write'
table\t'Aligned table'
json\t'JSON as sent by the service'
jsonl\t'One JSON object per line'
tsv\t'Tab-separated values, one row per line'
text\t'Plain text'
srt\t'SubRip subtitles (voice)'
vtt\t'WebVTT subtitles (voice)'"
complete -c tulk -n "__fish_tulk_using_subcommand help" -l columns -d 'Columns to show, in this order' -r
complete -c tulk -n "__fish_tulk_using_subcommand help" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless the environment disables it'
always\t'Always'
never\t'Never'"
complete -c tulk -n "__fish_tulk_using_subcommand help" -l progress -d 'How to show progress' -r -f -a "auto\t'A bar on a terminal, otherwise a line every 10 seconds'
bar\t'A progress bar'
plain\t'Plain lines'
none\t'No progress'"
complete -c tulk -n "__fish_tulk_using_subcommand help" -l timeout -d 'Timeout of an attempt; idle timeout of transfers [default: 30s]' -r
complete -c tulk -n "__fish_tulk_using_subcommand help" -l retries -d 'Maximum retries of a request [default: 5]' -r
complete -c tulk -n "__fish_tulk_using_subcommand help" -l max-wait -d 'Maximum total wait' -r
complete -c tulk -n "__fish_tulk_using_subcommand help" -l concurrency -d 'Maximum requests in flight [default: 8]' -r
complete -c tulk -n "__fish_tulk_using_subcommand help" -l rate -d 'Maximum request rate, such as 5/s' -r
complete -c tulk -n "__fish_tulk_using_subcommand help" -l proxy -d 'Proxy for all requests' -r
complete -c tulk -n "__fish_tulk_using_subcommand help" -l ca-file -d 'Certificates to trust in addition to the system\'s' -r -F
complete -c tulk -n "__fish_tulk_using_subcommand help" -l reporting-tag -d 'Reporting tag for text translations' -r
complete -c tulk -n "__fish_tulk_using_subcommand help" -l sandbox -d 'Use the embedded sandbox instead of a server'
complete -c tulk -n "__fish_tulk_using_subcommand help" -l json -d 'Same as --format json'
complete -c tulk -n "__fish_tulk_using_subcommand help" -l header -d 'Add a header line to TSV'
complete -c tulk -n "__fish_tulk_using_subcommand help" -s q -l quiet -d 'Print errors only'
complete -c tulk -n "__fish_tulk_using_subcommand help" -s v -l verbose -d 'Log requests; repeat for headers and bodies'
complete -c tulk -n "__fish_tulk_using_subcommand help" -s n -l dry-run -d 'Print billable or modifying requests instead of sending them'
complete -c tulk -n "__fish_tulk_using_subcommand help" -s y -l yes -d 'Answer yes to all prompts'
complete -c tulk -n "__fish_tulk_using_subcommand help" -l no-proxy -d 'Connect directly, without a proxy'
complete -c tulk -n "__fish_tulk_using_subcommand help" -l insecure-http -d 'Allow plain HTTP to other machines'
complete -c tulk -n "__fish_tulk_using_subcommand help" -l no-check -d 'Skip the local checks of limits and rules'
complete -c tulk -n "__fish_tulk_using_subcommand help" -s h -l help -d 'Print help (see more with \'--help\')'
