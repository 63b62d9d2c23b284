//! Tests of the tokens of each syntax, with literal and with generated texts.

#![allow(clippy::string_slice)] // tests

use proptest::prelude::*;
use tulk_growth::assert_linear;

use super::*;
use crate::inline::TokenKind;

/// Returns the tokens of a text; those of pairs are preceded by the number of their pair.
fn token_texts(syntax: Syntax, text: &str, markup: &[&str]) -> Vec<String> {
    let markup: Vec<String> = markup.iter().map(|part| (*part).to_owned()).collect();
    let show = |token: &InlineToken| {
        let source = &text[token.byte_range()];
        match token.kind {
            TokenKind::Fixed => source.to_owned(),
            TokenKind::Open(number) => format!("({number}:{source}"),
            TokenKind::Close(number) => format!("{number}):{source}"),
        }
    };
    syntax.tokens(text, &markup).iter().map(show).collect()
}

fn check(syntax: Syntax, cases: &[(&str, &[&str])]) {
    for (text, tokens) in cases {
        assert_eq!(token_texts(syntax, text, &[]), *tokens, "{text}");
    }
}

#[test]
fn finds_printf_placeholders() {
    check(
        Syntax::Printf,
        &[
            ("%s of %d (%%)", &["%s", "%d", "%%"]),
            ("%1$s %2$-10.3f %1$tY", &["%1$s", "%2$-10.3f", "%1$tY"]),
            ("%(name)s %(n)05d %(name)", &["%(name)s", "%(n)05d"]),
            ("%@ %1$@ %lld %zu %hhd %ld %Lf %qi", &["%@", "%1$@", "%lld", "%zu", "%hhd", "%ld", "%Lf", "%qi"]),
            ("%*d %.*f %-*.*s %*1$d", &["%*d", "%.*f", "%-*.*s", "%*1$d"]),
            ("%+d %#x %05d %,d %'d % d % 5d %'.10d", &["%+d", "%#x", "%05d", "%,d", "%'d", "% d", "% 5d", "%'.10d"]),
            ("%#@files@ in %1$#@folders@", &["%#@files@", "%1$#@folders@"]),
            ("%arg files, %argh", &["%arg", "%a"]),
            ("%<PRIu64> bytes", &["%<PRIu64>"]),
            ("%1 of %2, %L3, %n", &["%1", "%2", "%L3", "%n"]),
            ("%dpx %dx%d %s%s", &["%d", "%d", "%d", "%s", "%s"]),
            ("%{name} {0}", &[]),
        ],
    );
}

#[test]
fn finds_qt_placeholders() {
    check(
        Syntax::Qt,
        &[
            ("%1s of %2d%3", &["%1", "%2", "%3"]),
            ("%L1s, %Ln, %n%1%", &["%L1", "%Ln", "%n", "%1"]),
            ("%12 %123 %0 100% %s %%", &["%12", "%12"]),
        ],
    );
}

#[test]
fn expressions_of_bean_validation_are_placeholders() {
    check(
        Syntax::Braces,
        &[
            (
                "must be at least ${strict == true ? 'more than ' : ''}{value}",
                &["${strict == true ? 'more than ' : ''}", "{value}"],
            ),
            ("${f({'a': \"}\"}, 'it\\'s }')} left, ${x}", &["${f({'a': \"}\"}, 'it\\'s }')}", "${x}"]),
            ("${{name}} ${some prose} $5 ${n", &["${{name}}", "${some prose}"]),
            ("${n's} ${n", &[]),
        ],
    );
    // A file may have messages of both Spring and Bean Validation.
    let mixed = "at least ${strict == true ? 'more than ' : ''}{value}";
    check(Syntax::MessageFormat, &[(mixed, &["${strict == true ? 'more than ' : ''}", "{value}"])]);
    for piece in ["${", "${'", "${'\"", "${\\'", "'${"] {
        assert_linear(piece, 1000, |n| piece.repeat(n), |text| drop(Syntax::Braces.tokens(text, &[])));
    }
}

#[test]
fn entities_are_kept_unless_they_are_letters_of_words() {
    for syntax in Syntax::ALL {
        check(
            *syntax,
            &[
                ("&laquo; Back&nbsp;&#187;, Q&amp;A &#xA0;", &["&laquo;", "&nbsp;", "&#187;", "&amp;", "&#xA0;"]),
                ("&quot;Tea&quot; &#39;Tea&#39; &rsquo;", &["&quot;", "&quot;", "&#39;", "&#39;", "&rsquo;"]),
                ("caf&eacute;, don&#39;t, don&rsquo;t, &Ouml;l, &#233;, AT&T; a & b; &nbsp &;", &[]),
            ],
        );
    }
}

#[test]
fn names_between_percent_signs_are_placeholders() {
    check(
        Syntax::Braces,
        &[
            ("Hello %name%, %user.first_name%%x-y%!", &["%name%", "%user.first_name%", "%x-y%"]),
            ("100% sure, 5%%, 20%-30%, %a b%, %name", &[]),
            ("%{name}% {n}%", &["%{name}", "{n}"]),
        ],
    );
}

#[test]
fn percent_signs_in_prose_are_text() {
    for text in [
        "100% sicher",
        "100% sure",
        "50% discount",
        "10% di sconto",
        "10% d'intérêt",
        "5 % der Fälle",
        "100%ig",
        "100%-os",
        "50% a day",
        "100%",
        "% ",
        "%",
        "5%-a szerint",
        "50%, das",
        "20 %-os",
        "in % des Werts",
    ] {
        assert_eq!(token_texts(Syntax::Printf, text, &[]), [""; 0], "{text}");
        assert_eq!(token_texts(Syntax::Mobile, text, &[]), [""; 0], "{text}");
    }
    for text in ["%5 daha hızlı", "%1", "%50'si", "%-a a képernyőnek", "a képernyő %-a", "%100 emin"] {
        assert_eq!(token_texts(Syntax::Mobile, text, &[]), [""; 0], "{text}");
    }
    check(Syntax::Mobile, &[("%5d %-5s %1$@ %arg %%", &["%5d", "%-5s", "%1$@", "%arg", "%%"])]);
    check(Syntax::Printf, &[("%b %d, %Y", &["%b %d, %Y"]), ("%-d.%m.", &["%-d.%m."]), ("%d of %d", &["%d", "%d"])]);
    check(Syntax::Printf, &[("%s: %m", &["%s", "%m"]), ("%d, %d", &["%d", "%d"]), ("at %b %d", &["%b", "%d"])]);
    check(Syntax::Printf, &[("100%% s", &["%%"]), ("100%s", &["%s"]), ("%d%%", &["%d", "%%"])]);
}

#[test]
fn python_accepts_a_space_before_any_conversion() {
    let texts: [(&str, &[&str]); 4] = [
        ("% s, % (x) s: %(name) s!", &["% s", "%(name) s"]),
        ("% d of %s, %%", &["% d", "%s", "%%"]),
        ("% s and %(a)s", &["% s", "%(a)s"]),
        ("50 % sure, 50 % s DPH, 50\u{a0}% s, 50% s, % sure, %(n) sind, in % s\u{fc}", &[]),
    ];
    check(Syntax::Python, &texts);
    assert_eq!(token_texts(Syntax::Printf, texts[0].0, &[]), [""; 0]);
    let tokens = Syntax::Python.tokens("%s % s", &[]);
    assert!(Syntax::Python.is_ordered("%s % s", &tokens));
}

#[test]
fn finds_placeholders_in_braces() {
    check(
        Syntax::Braces,
        &[
            ("Hi {name}, {0}, {user.name}, {}", &["{name}", "{0}", "{user.name}", "{}"]),
            ("{{name}} ${name} %{name} {n:>5} {x!r}", &["{{name}}", "${name}", "%{name}", "{n:>5}", "{x!r}"]),
            ("{count, number} { some prose } $5 %", &["{count, number}"]),
            ("{unfinished", &[]),
        ],
    );
    check(
        Syntax::I18next,
        &[
            ("{{count}} {{- name}} {{n, number}} {name}", &["{{count}}", "{{- name}}", "{{n, number}}"]),
            ("{{{count}} {{{x}}}", &["{{count}}", "{{x}}"]),
            ("$t(a.b) $t(x, {\"count\": {{n}} }) $t(", &["$t(a.b)", "$t(x, {\"count\": {{n}} })"]),
        ],
    );
    check(
        Syntax::GoTemplate,
        &[("{{.Name}} {{ .N }} {x} {{if .X}}a{{end}}", &["{{.Name}}", "{{ .N }}", "{{if .X}}", "{{end}}"])],
    );
    check(Syntax::Ruby, &[("%{name} %<n>.2f %%{x} 5%", &["%{name}", "%<n>.2f"])]);
    check(
        Syntax::Vue,
        &[
            ("{name} {0} {'@'} %{x}", &["{name}", "{0}", "{'@'}", "%{x}"]),
            ("@:a.b. @.lower:x, @:(y z) @:{'k'} a@b.c @: x", &["@:a.b", "@.lower:x", "@:(y z)", "@:{'k'}"]),
        ],
    );
    check(Syntax::DotNet, &[("{0} {1,-10:N2} {{x}} {name}", &["{0}", "{1,-10:N2}", "{{", "}}", "{name}"])]);
    check(
        Syntax::Laravel,
        &[
            (":name :COUNT a:b 10:30 http://x :: App::x :) 9:a", &[":name", ":COUNT"]),
            ("欢迎:name回来", &[":name"]),
            (":%link_start%here:%link_end%", &[":%link_start%", ":%link_end%"]),
            ("链接:https://example.com", &[]),
            ("Один:count|много:count", &[":count", "|", ":count"]),
        ],
    );
    check(
        Syntax::Fluent,
        &[(
            "{ $name } { -brand } {\"{\"} { NUMBER($n, x: \"}\") }",
            &["{ $name }", "{ -brand }", "{\"{\"}", "{ NUMBER($n, x: \"}\") }"],
        )],
    );
}

#[test]
fn finds_arguments_of_messages() {
    check(
        Syntax::Icu,
        &[
            ("It's {name}, {n, number, ::currency/EUR}", &["{name}", "{n, number, ::currency/EUR}"]),
            ("'{name}' ''{name}'' '{'{x}", &["{name}", "{x}"]),
            ("{d, date, yyyy '}' MM} {", &["{d, date, yyyy '}' MM}"]),
        ],
    );
    check(
        Syntax::MessageFormat,
        &[
            ("{0} isn''t {1,number,#.##} '{2}' {3}", &["{0}", "{1,number,#.##}", "{3}"]),
            ("{0,choice,0#none|1#one {1}}", &["{0,choice,0#none|1#one {1}}"]),
            ("It's {0}", &[]),
        ],
    );
}

#[test]
fn tags_are_pairs_or_fixed() {
    check(
        Syntax::Plain,
        &[
            ("<b>a</b> <i>b</i>", &["(1:<b>", "1):</b>", "(2:<i>", "2):</i>"]),
            ("<1>a <2/></1> <0>", &["(1:<1>", "<2/>", "1):</1>", "<0>"]),
            ("a<br>b<br />c <img src=x>", &["<br>", "<br />", "<img src=x>"]),
            ("<a href=\"x>y\" hidden>a</a>", &["(1:<a href=\"x>y\" hidden>", "1):</a>"]),
            ("a < b > c, <file>, x<y and z>0, List<T>", &[]),
            ("<b><file></b></i>", &["(1:<b>", "1):</b>", "</i>"]),
            ("<b><i></b></i>", &["(1:<b>", "1):</b>", "</i>"]),
            ("<!-- x --> <a b=c", &["<!-- x -->"]),
        ],
    );
    check(Syntax::Printf, &[("<a href=\"%s\">%s</a>", &["(1:<a href=\"%s\">", "%s", "1):</a>"])]);
}

#[test]
fn markup_of_the_file_takes_precedence() {
    let markup = ["<g id=\"1\">", "</g>", "<x id=\"2\"/>", "&lt;", "<xliff:g id=\"n\">%d</xliff:g>"];
    assert_eq!(
        token_texts(Syntax::Printf, "<g id=\"1\">a &lt; %s</g><x id=\"2\"/> <xliff:g id=\"n\">%d</xliff:g>", &markup),
        ["(1:<g id=\"1\">", "&lt;", "%s", "1):</g>", "<x id=\"2\"/>", "<xliff:g id=\"n\">%d</xliff:g>"]
    );
    let angular = ["<x id=\"START_LINK_1\" ctype='a'/>", "<x id=\"CLOSE_LINK\"/>", "<x id=\"ICU\"/>"];
    assert_eq!(
        token_texts(Syntax::Plain, &angular.concat(), &angular),
        ["(1:<x id=\"START_LINK_1\" ctype='a'/>", "1):<x id=\"CLOSE_LINK\"/>", "<x id=\"ICU\"/>"]
    );
    let code = [
        "<bpt id=\"1\">&lt;b></bpt>",
        "<ept id=\"1\">&lt;/b></ept>",
        "<sc id=\"s\"/>",
        "<ec startRef='s'/>",
        "<ph id=\"1\"/>",
    ];
    let shown = token_texts(Syntax::Plain, &code.concat(), &code);
    let starts: Vec<&str> = shown.iter().map(|token| &token[..5]).collect();
    assert_eq!(starts, ["(1:<b", "1):<e", "(2:<s", "2):<e", "<ph i"]);
    assert_eq!(
        token_texts(Syntax::Plain, "&lt;b&gt;x&lt;/b&gt;", &["&lt;b&gt;", "&lt;/b&gt;"]),
        ["(1:&lt;b&gt;", "1):&lt;/b&gt;"]
    );
    // A tag of the file, and one that is text there.
    let markup = ["<b>", "</b>", "&lt;", "&lt;b>", "&lt;/b>"];
    assert_eq!(
        token_texts(Syntax::Printf, "<b>a</b> &lt;b>x&lt;/b> &lt;5", &markup),
        ["(1:<b>", "1):</b>", "(2:&lt;b>", "2):&lt;/b>", "&lt;"]
    );
}

#[test]
fn placeholders_without_names_must_keep_their_order() {
    for (syntax, text, is_ordered) in [
        (Syntax::Printf, "%s of %s", true),
        (Syntax::Printf, "%s%%", false),
        (Syntax::Printf, "%1$s of %2$s", false),
        (Syntax::Printf, "%(a)s of %(b)s", false),
        (Syntax::Printf, "%#@a@ %#@b@ <b>%d</b>", false),
        (Syntax::Printf, "%1 %2", false),
        (Syntax::Qt, "%1s %2s", false),
        (Syntax::Braces, "{} {:>5}", true),
        (Syntax::Braces, "{0} {1}", false),
        (Syntax::Icu, "{a} {b}", false),
    ] {
        assert_eq!(syntax.is_ordered(text, &syntax.tokens(text, &[])), is_ordered, "{text}");
    }
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn hostile_texts_take_linear_time() {
    let pieces = [
        "{",
        "'{",
        "<a ",
        "<a x='",
        "<a x=\" <a x=' ",
        "<b>",
        "</b>",
        "<!--",
        "{{",
        "$t(",
        "%(",
        "@:(",
        "@.",
        "{\"",
        "%'",
    ];
    for piece in pieces {
        for syntax in Syntax::ALL {
            let what = format!("{piece} {syntax:?}");
            assert_linear(&what, 1000, |n| piece.repeat(n), |text| drop(syntax.tokens(text, &[])));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn tokens_are_in_order(pieces in prop::collection::vec(prop::sample::select(vec![
        "{", "}", "{{", "}}", "'", "\"", "%", "s", "1$", "d", "(a)", ")", "<b", "</b", ">", "/>", " ", "=", "@", ":", "é", "x", "$t(", "🍵", "0",
    ]), 0..24)) {
        let text = pieces.concat();
        for syntax in Syntax::ALL {
            let mut done = 0;
            for token in syntax.tokens(&text, &["<b>".to_owned(), "é".to_owned()]) {
                let range = token.byte_range();
                prop_assert!(done <= range.start && range.start < range.end);
                prop_assert!(text.get(range.clone()).is_some());
                done = range.end;
            }
        }
    }
}
