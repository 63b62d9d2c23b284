//! Scripts that run every command that prints JSON, so that each optional field is printed at least once and missing at least once.

/// A sandbox that translates, with the files of [`super::prepared`].
pub const SERVICE: &[&str] = &[TEXTS, GLOSSARIES, STYLES, DOCUMENTS, VOICE, SERVICE_FACTS, ADMIN, PLANS];

const TEXTS: &str = r#"
translate 0 translate --to de Hello Two
translate 0 translate --to de Hello " " --format jsonl
translate 0 translate --to de -i blank.txt -i in.txt --lines --show-billed-characters --model-type quality_optimized
translate 0 translate --to de -i blank.txt -i in.txt --lines --show-billed-characters --model-type quality_optimized --format jsonl
translate 0 translate --to de,fr Hello
translate 9 translate --to xx,de Hello
translate 0 translate --to de --csv --column text -i table.csv
translate 0 translate --to de --csv --column text -i table.csv --format jsonl
translate 0 translate --to de --jsonl --field /text -i records.jsonl
translate 0 translate --to de --jsonl --field /text -i records.jsonl --format jsonl
translate 0 translate --to ru --as json -i c.json
translate 0 translate --to de --as po -i c.po
translate 0 translate --to de --as po -i c.po --format jsonl
translate 0 translate --to ru --as android -i c.xml --format jsonl
translate 0 translate --to de --as srt -i c.srt
translate 0 translate --to de --as vtt -i c.vtt
translate 0 translate --to de --as markdown -i c.md
translate 0 translate --to de --as markdown -i c.md --format jsonl
translate 0 translate --to de --protect braces "Hello {x}"
translate 0 translate --to de Hello -v --stats
- 2 translate --to de Hello --glossary missing
- 2 translate --no-such-flag
- 5 translate --to xx Hello
- 8 usage --server http://127.0.0.1:9 --retries 0
- 70 translate --to de -o /dev/full Hello
- 6 translate --to de --max-characters 2 Hello
write-rephrase 0 write rephrase "A sentence."
write-rephrase 0 write rephrase -i in.txt -i blank.txt --lines
write-rephrase 0 write rephrase -i in.txt -i blank.txt --lines --format jsonl
write-rephrase 1 write rephrase -i wrong.txt --check
write-rephrase 1 write rephrase -i wrong.txt --check --format jsonl
write-correct 0 write correct "A sentence."
write-correct 0 write correct "A sentence." --format jsonl
write-correct 0 write correct -i in.txt --check
"#;

const GLOSSARIES: &str = r"
glossary-create 0 glossary create K --dictionary en:de=k.tsv --wait
glossary-create 0 glossary create L --dictionary en:de=k.tsv
glossary-list 0 glossary list
glossary-list 0 glossary list --format jsonl
glossary-show 0 glossary show K
glossary-wait 0 glossary wait K
glossary-entries 0 glossary entries K
glossary-entries 0 glossary entries K en:de --format jsonl
glossary-add 0 glossary add K en:de sun Sonne
glossary-remove 0 glossary remove K en:de sun
glossary-set 0 glossary set K en:de k.tsv
glossary-merge 0 glossary merge K en:de k2.tsv
glossary-rename 0 glossary rename L M
glossary-diff 1 glossary diff K en:de k3.tsv
glossary-diff 1 glossary diff K en:de k3.tsv --format jsonl
glossary-lint 1 glossary lint bad.tsv empty.tsv rules.tsv quotes.csv wrong.bin en:de=other.csv
glossary-lint 0 glossary lint k.tsv
glossary-export 0 glossary export K exported
glossary-sync 0 glossary sync new en:de=k.tsv
glossary-sync 0 glossary sync new en:de=k.tsv
glossary-sync 0 glossary sync K en:de=k.tsv en:fr=k.tsv
glossary-sync 0 glossary sync K en:de=k2.tsv
glossary-sync 0 glossary sync K en:de=k3.tsv --prune --yes
- 0 glossary delete M --yes
- 4 glossary show nothing
glossary-v2-create 0 glossary v2 create V --dictionary en:de=k.tsv
glossary-v2-list 0 glossary v2 list
glossary-v2-show 0 glossary v2 show V
glossary-v2-entries 0 glossary v2 entries V
glossary-v2-pairs 0 glossary v2 pairs
";

const STYLES: &str = r#"
style-create 0 style create S --language de
style-rules-set 0 style rules set S punctuation.periods_in_academic_degrees=do_not_use
style-rules-set 0 style rules set S punctuation.periods_in_academic_degrees=do_not_use --format jsonl
style-rules-show 0 style rules show S
style-rules-show 0 style rules show S --format jsonl
style-rules-catalogue 0 style rules catalogue
style-instruction-add 0 style instruction add S --label I --prompt p --source-language en
style-instruction-add 0 style instruction add S --label J --prompt p
style-instruction-list 0 style instruction list S
style-instruction-show 0 style instruction show S I
style-instruction-edit 0 style instruction edit S I --prompt q
style-list 0 style list
style-list 0 style list --detailed
style-show 0 style show S
style-rename 0 style rename S S
style-profile-create 0 style profile create P --glossary K --style S --translation-memory M --description d --industry i --glossary-priority-order
style-profile-list 0 style profile list
style-profile-show 0 style profile show P
style-profile-edit 0 style profile edit P --description "" --industry "" --clear glossaries
- 0 style profile delete P --yes
$ tulk style export S | sed -e 's/^name = .*/name = "T"/' -e 's/^periods_in_.*//' -e 's/"J"/"New"/' -e 's/prompt = "q"/prompt = "r"/' -e '/^id = /d' > changed.toml
style-apply 0 style apply changed.toml --yes
style-apply 0 style apply changed.toml --dry-run
style-apply 0 style apply new.toml --dry-run
- 0 style delete T --yes
"#;

const DOCUMENTS: &str = r#"
doc-translate 0 doc translate a.txt --to de,fr
doc-translate 0 doc translate a.txt --to de --if-newer
doc-upload 0 doc upload b.txt --to de --key-out key
$ tulk doc list --jq '.[] | select(.status == "uploaded") | .document_id' > id
doc-status 0 doc status <id>
doc-wait 0 doc wait <id>
doc-download 0 doc download <id>
doc-translate 0 doc translate e.txt --to de --detach
$ tulk doc upload g.txt --to de --key-out key2 --columns document_id > id2
$ tulk api POST "/v2/document/$(cat id2)/result" -F "document_key=$(cat key2)" --silent
- 4 doc download <id2>
doc-upload 0 doc upload c.txt --to de
doc-resume 9 doc resume
doc-translate 5 doc translate failing.txt --to de
doc-upload 0 doc upload failing2.txt --to de
$ tulk doc list --jq '.[] | select(.source == "failing2.txt") | .document_id' > failing
doc-status 0 doc status <failing>
$ tulk doc translate c.txt --to fr -o - > /dev/null
doc-translate 5 doc translate h.txt --to xx
doc-translate 5 doc translate h.txt --to xx,yy
doc-translate 2 doc translate a.txt --to de
$ printf '<a><b>Good day</b><b>{name}</b></a>' > page.xml; printf '%%PDF' > page.pdf
doc-translate 0 doc translate page.xml page.pdf --from en --to de --evaluate
$ tulk doc upload page.xml --from en --to fr --evaluate --columns document_id > page
doc-wait 0 doc wait <page>
doc-download 0 doc download <page>
doc-status 0 doc status <page>
doc-list 0 doc list
- 2 doc translate missing.txt --to de
"#;

const VOICE: &str = r#"
voice-session 0 voice session --content-type audio/ogg --to de
voice-stream 0 voice stream a.raw --content-type "audio/pcm;encoding=s16le;rate=16000" --to de --format jsonl
voice-terms-create 0 voice terms create T en=t.txt de=t.txt
voice-terms-list 0 voice terms list
voice-terms-show 0 voice terms show T
voice-terms-entries 0 voice terms entries T
voice-terms-entries 0 voice terms entries T en
voice-terms-entries 0 voice terms entries T en --format jsonl
voice-terms-set 0 voice terms set T en t.txt
voice-terms-merge 0 voice terms merge T en t2.txt
voice-terms-rename 0 voice terms rename T T
voice-terms-lint 1 voice terms lint badt.txt empty.tsv rulest.txt wrong.bin
voice-terms-sync 0 voice terms sync new en=t.txt
voice-terms-sync 0 voice terms sync T en=t2.txt fr=t.txt
voice-terms-sync 0 voice terms sync T en=t.txt fr=t2.txt
voice-terms-sync 0 voice terms sync T en=t2.txt --prune --yes
"#;

const SERVICE_FACTS: &str = r"
langs-list 0 langs list --include beta
langs-list 0 langs list --resource voice --include beta,external
langs-list 0 langs list --format jsonl
langs-resources 0 langs resources
langs-check 0 langs check --to de
langs-check 0 langs check --to de-CH
langs-check 1 langs check --to xx
langs-detect 0 langs detect Hello 123
langs-detect 0 langs detect Hello --format jsonl
langs-v2 0 langs v2 --source
langs-v2 0 langs v2 --target
usage 0 usage
usage 0 usage --format jsonl
tm-list 0 tm list
tm-show 0 tm show M
tm-segments 0 tm segments M
tm-segments 0 tm segments M --format jsonl
$ tulk translate --to de --from en --translation-memory M Sea
tm-segments 0 tm segments M
tm-segments 0 tm segments M --format jsonl
- 0 tm delete M --yes
tm-import 0 tm import pumps.tmx
tm-job 0 tm job
tm-job 0 tm job --format jsonl
tm-import 0 tm import pumps.tmx --wait
tm-export 0 tm export pumps -o exported.tmx
$ tulk tm import pumps.tmx --name Spare --columns job_id --quiet > job
tm-job 0 tm job <job>
tm-job 0 tm job <job> --wait
dry-run 0 tm import pumps.tmx --dry-run
api 0 api GET /v2/usage
api 4 api GET /v2/nothing
sandbox-status 0 sandbox status
$ tulk --sandbox glossary create K --dictionary en:de=k.tsv --quiet
$ tulk --sandbox translate --to de Hello --quiet
sandbox-status 0 sandbox status
auth-status 0 auth status
auth-token 0 auth token
- 4 auth logout
config-path 0 config path
config-list 0 config list
$ tulk config set default_profile work
$ tulk config set profiles.work.cache true
$ tulk config set profiles.work.translation_memory_threshold 80
config-list 0 config list
config-get 0 config get default_profile
config-get 0 config get profiles.work.cache
config-get 0 config get profiles.work.translation_memory_threshold
$ tulk config unset default_profile
cache-stats 0 cache stats
- 0 cache clear
";

const ADMIN: &str = r"
admin-keys-create 0 admin keys create ci
admin-keys-list 0 admin keys list
admin-keys-rename 0 admin keys rename ci ci2
admin-keys-limit 0 admin keys limit ci2 --characters 5 --speech-to-text-milliseconds 5
admin-keys-deactivate 0 admin keys deactivate ci2 --yes
admin-keys-list 0 admin keys list --format jsonl
admin-usage 0 admin usage --start today --end today
admin-usage 0 admin usage --start today --end today --by key
admin-usage 0 admin usage --start today --end today --by key-and-day
admin-usage 0 admin usage --start today --end today --format jsonl
admin-usage 0 admin usage --start today --end today --by key --format jsonl
admin-usage 0 admin usage --start today --end today --by key-and-day --format jsonl
$ tulk translate --to de Hello --reporting-tag tag
admin-tags 0 admin tags --start today --end today
admin-tags 0 admin tags --start today --end today --by day
admin-tags 0 admin tags --start today --end today --by day --format jsonl
admin-pairs 0 admin pairs --start today --end today
admin-pairs 0 admin pairs --start today --end today --by key-and-day
admin-pairs 0 admin pairs --start today --end today --by key-and-day --format jsonl
admin-pairs 0 admin pairs --start today --end today --format jsonl
";

const PLANS: &str = r#"
dry-run 0 translate --to de Hello --dry-run
dry-run 0 doc translate d.txt --to de --dry-run
dry-run 0 glossary delete K --dry-run
dry-run 0 voice session --content-type audio/ogg --to de --dry-run
dry-run 0 api GET /v2/usage --dry-run
sync-status 0 sync status
sync 1 sync --check
sync 0 sync --dry-run
sync 0 sync
$ echo '{"a": "Eins!", "b": "Zwei", "x": "extra", "d": "Four"}' > de.json
$ echo '{"a": "Uno", "b": "Two {x}", "c": "Three", "d": "Four"}' > en.json
sync 1 sync --check --strict
sync 1 sync --check --format jsonl
sync-status 0 sync status
sync-accept 0 sync accept
$ echo '{"a": "Un", "b": "Two {x}", "c": "Three", "d": "Four"}' > en.json
sync 1 sync --check
sync 0 sync --dry-run --retranslate all,review,edited,failed,same --prune
$ echo '{"a": "Un", "f": "Two {x}", "c": "Three", "d": "Four", "e": "{n, plural, other {a} one"}' > en.json
sync 0 sync --dry-run
$ echo '{"a": "One", "b": "Two {x}", "c": "Three", "d": "Four", "e": "Five", "f": "Six", "g": "Taxi"}' > en.json
$ echo '{"d": "Vier", "g": "Taxi"}' > de.json
$ echo '<xliff version="1.2"><file original="en.json" target-language="de"><body><trans-unit id="a"><source>One</source><target state="final">Eins!</target></trans-unit><trans-unit id="b"><source>Two {x}</source><target state="final">Zwei</target></trans-unit><trans-unit id="c"><source>Three</source><target state="final"></target></trans-unit><trans-unit id="d"><source>Four</source><target state="needs-translation">Vier</target></trans-unit><trans-unit id="e"><source>Five</source><target state="needs-translation">Funf</target></trans-unit><trans-unit id="f"><source>Old</source><target state="final">Sechs</target></trans-unit><trans-unit id="g"><source>Taxi</source><target state="final">Taxi</target></trans-unit></body></file></xliff>' > back.xlf
sync-import 9 sync import back.xlf --dry-run
sync-import 9 sync import back.xlf --dry-run --format jsonl
doctor 0 doctor
"#;

/// A sandbox that refuses requests and loses answers.
pub const FAULTY: &str = r"
doc-translate 8 doc translate lost.txt --to de --retries 0
doc-list 0 doc list
- 7 usage --retries 0
- 10 langs resources --max-wait 1s
- 3 glossary list
";

/// A sandbox whose documents take an hour and in which one step of a plan fails.
pub const SLOW: &str = r"
doc-translate 10 doc translate a.txt --to de --max-wait 1s
doc-translate 10 doc translate a.txt --to fr --max-wait 1s --format jsonl
glossary-create 0 glossary create K --dictionary en:de=k.tsv --wait
glossary-sync 5 glossary sync K en:de=k2.tsv en:xx=k.tsv
glossary-sync 5 glossary sync New en:xx=k.tsv
- 2 glossary sync K en:de=k.tsv --prune
voice-terms-sync 5 voice terms sync New xx=t.txt
# No target language is a pseudo-language.
- 2 sync --sandbox --to de
- 2 sync --sandbox
sync 0 sync --sandbox --dry-run
";

/// A service that omits every optional field.
pub const SPARSE: &str = r"
admin-usage 0 admin usage --start 2026-01-01 --end 2026-01-02
admin-tags 0 admin tags --start 2026-01-01 --end 2026-01-02
admin-tags 0 admin tags --start 2026-01-01 --end 2026-01-02 --format jsonl
translate 0 translate --to de Hello --format jsonl
write-rephrase 0 write rephrase Hello
write-rephrase 0 write rephrase Hello --format jsonl
glossary-list 0 glossary list
glossary-v2-list 0 glossary v2 list
style-list 0 style list
style-profile-list 0 style profile list
tm-list 0 tm list
tm-show 0 tm show M
tm-segments 0 tm segments M
tm-segments 0 tm segments M --format jsonl
tm-job 0 tm job 2
usage 0 usage
usage 1 usage --fail-above 40
doc-status 0 doc status DOCUMENT --document-key-file key
voice-session 0 voice session --content-type audio/ogg --to de
voice-terms-list 0 voice terms list
admin-keys-list 0 admin keys list
admin-tags 0 admin tags --start today --end today
admin-pairs 0 admin pairs --start today --end today
";

pub const ALONE: &str = r#"
auth-status 3 auth status
sandbox-status 0 sandbox status
doctor 1 doctor
$ echo key | tulk auth login --admin --server http://127.0.0.1:9 --no-verify
auth-status 8 auth status
$ printf '[profiles.a]\ncustom_instruction = ["a"]\n' > settings.toml
config-list 0 config list --config settings.toml
config-get 0 config get profiles.a.custom_instruction --config settings.toml
- 3 usage
"#;
