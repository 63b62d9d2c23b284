//! Outputs of expressions, and messages about wrong ones.

use super::*;

fn jq(code: &str, json: &str) -> String {
    let program = match JqProgram::compile(code) {
        Ok(program) => program,
        Err(failure) => return failure.to_string(),
    };
    let mut lines = Vec::new();
    let done = program.run(json, |value| {
        lines.push(to_json(value));
        if lines.len() == 20 { Err(Failure::pipe_closed()) } else { Ok(()) }
    });
    if let Err(JqRunError::Program(message)) = done {
        lines.push(format!("error: {message}"));
    }
    lines.join("\n")
}

#[test]
fn keeps_numbers_and_the_order_of_fields() {
    let json = r#"{"b":12345678901234567890,"a":[1.10,-0.5,1e3],"c":{"z":null,"y":true}}"#;
    assert_eq!(jq(".", json), json);
    assert_eq!(jq("keys", json), r#"["a","b","c"]"#);
    assert_eq!(jq(".b, .a[0]", json), "12345678901234567890\n1.10");
}

#[test]
fn common_expressions_work() {
    let json = r#"[{"name":"a b","n":2,"at":"2026-11-21T19:54:07Z"},{"name":"c","n":3,"x":"it's \"1\",\t2"}]"#;
    for (code, wanted) in [
        (".[].name", "\"a b\"\n\"c\""),
        ("map(.n) | add", "5"),
        (".[] | select(.n > 2) | .name", "\"c\""),
        ("limit(2; repeat(1))", "1\n1"),
        (".[0] | to_entries | map(.key) | join(\"-\")", r#""name-n-at""#),
        ("group_by(.n) | length", "2"),
        ("sort_by(-.n) | .[0].n", "3"),
        ("[.[] | .x // \"none\"]", r#"["none","it's \"1\",\t2"]"#),
        (".[0].at | fromdate", "1795290847"),
        ("1795290847 | todate", r#""2026-11-21T19:54:07Z""#),
        ("now > 1700000000", "true"),
        ("INDEX(.name) | keys", r#"["a b","c"]"#),
        (".[0].n | IN(1, 2)", "true"),
        ("9 | sqrt", "3"),
        ("pow(2; 10), 5 / 2", "1024\n2.5"),
        (".[0] | with_entries(.value |= tostring) | .n", r#""2""#),
        ("[.. | numbers]", "[2,3]"),
        ("\"n: \\(.[0].n)\"", r#""n: 2""#),
        ("reduce .[].n as $n (0; . + $n)", "5"),
        ("def f: .n; map(f)", "[2,3]"),
        ("try error(\"x\") catch .", r#""x""#),
        ("[nan, infinite]", "[null,1.7976931348623157e308]"),
        ("{(1 | tostring): 2}", r#"{"1":2}"#),
        ("[.[] | has(\"x\")]", "[false,true]"),
    ] {
        assert_eq!(jq(code, json), wanted, "{code}");
    }
}

#[test]
fn numbers_in_strings_are_written_as_in_json() {
    for (code, wanted) in [
        (r#""\(6 / 2), \([1, 6 / 2]), \("\(4 / 2)"), \(5 / 2), \(1.10), \(nan)""#, r#""3, [1,3], 2, 2.5, 1.10, null""#),
        ("[05e2, 00.50, 0.0, 0e0, 0, 007, -00.1, (00.5 | tojson)]", r#"[5e2,0.50,0.0,0e0,0,7,-0.1,"0.5"]"#),
        ("6 / 2 | tostring, tojson, @text, @json, @sh, @csv \"\\([.])\"", "\"3\"\n\"3\"\n\"3\"\n\"3\"\n\"3\"\n\"3\""),
        ("@sh \"\\(6 / 2)\", @base64 \"\\(6 / 2)\"", "\"3\"\n\"Mw==\""),
        ("[6 / 2, null, true, \"x\"] | join(\"-\")", "\"3--true-x\""),
        ("[] | join(\"-\")", "\"\""),
        (r#"{"n\(6 / 2)": 1} | ."n\(3)""#, "1"),
        (r#"{n3: 1} as {"n\(6 / 2)": $n} | $n"#, "1"),
        ("def half: \"\\(. / 2)\"; 4 | half", "\"2\""),
        ("[[1]] | join(\",\")", "error: array cannot be joined"),
        ("{} | @sh", "error: object cannot be quoted for a shell"),
        ("\"1.50\", \" 2 \" | tonumber", "1.50\n2"),
        ("\"1 2\", \"null\" | try tonumber catch \"no\"", "\"no\"\n\"no\""),
        ("\"1 2\" | fromjson", "error: \"1 2\" is not JSON"),
        ("100 | log10, (8 | log2), (2.7 | trunc), (3 | exp2), (0 | sin), (9 | significand)", "2\n3\n2\n8\n0\n1.125"),
    ] {
        assert_eq!(jq(code, "{}"), wanted, "{code}");
    }
}

#[test]
fn dates_are_read_and_written() {
    for (code, wanted) in [
        ("1795290847 | strftime(\"%A, %d.%m.%Y %H:%M\")", r#""Saturday, 21.11.2026 19:54""#),
        ("1795290847 | gmtime", "[2026,10,21,19,54,7,6,324]"),
        (
            "1795290847 | gmtime | mktime, todate, strftime(\"%F\")",
            "1795290847\n\"2026-11-21T19:54:07Z\"\n\"2026-11-21\"",
        ),
        ("\"21.11.2026\" | strptime(\"%d.%m.%Y\") | todate", r#""2026-11-21T00:00:00Z""#),
        ("\"2026-11-21T20:54:07+0100\" | strptime(\"%Y-%m-%dT%H:%M:%S%z\") | .[:6]", "[2026,10,21,20,54,7]"),
        ("0 | localtime, (localtime | mktime | gmtime) | length", "8\n8"),
        ("0 | strflocaltime(\"%Y\") | length", "4"),
        ("1.9, -0.5 | todate", "\"1970-01-01T00:00:01Z\"\n\"1969-12-31T23:59:59Z\""),
        ("[2026] | mktime", "error: cannot convert [2026] to time"),
        ("[2026, 10, 21, 19, 54, 7.5] | todate", r#""2026-11-21T19:54:07Z""#),
    ] {
        assert_eq!(jq(code, "{}"), wanted, "{code}");
    }
    for code in ["1e300 | todate", "[2026, 1, 31, 0, 0, 0] | mktime"] {
        assert!(jq(code, "{}").starts_with("error: "), "{code}");
    }
}

#[test]
fn fields_are_deleted_and_made_as_in_jq() {
    let json = r#"{"a":1,"b":[0,1,2,3],"c":{"x":1,"y":2,"z":3},"d":null}"#;
    for (code, wanted) in [
        ("del(.b[0], .b[1]) | .b", "[2,3]"),
        ("del(.b[1:3], .a) | .b", "[0,3]"),
        ("del(.b[] | select(. > 1)) | .b", "[0,1]"),
        ("del(.a)", r#"{"b":[0,1,2,3],"c":{"x":1,"y":2,"z":3},"d":null}"#),
        ("del(.c.x, .d, .e.f) | tojson", r#""{\"a\":1,\"b\":[0,1,2,3],\"c\":{\"y\":2,\"z\":3}}""#),
        ("delpaths([[\"b\"], [\"b\", 0]]) | keys", r#"["a","c","d"]"#),
        (r#"[{"name":"a","value":1},{"k":"b","v":false},{"key":3}] | from_entries"#, r#"{"a":1,"b":false,"3":null}"#),
        (".c | with_entries(select(.value > 1))", r#"{"y":2,"z":3}"#),
        ("\"xax\" | trimstr(\"x\")", r#""a""#),
        (".a, .b[:1] | toarray", "[1]\n[0]"),
    ] {
        assert_eq!(jq(code, json), wanted, "{code}");
    }
}

#[test]
fn text_can_be_encoded() {
    let json = r#"["it's <\"1\">", "a\tb\\c\nd", "ü/?", null, true, 1.50]"#;
    for (code, wanted) in [
        ("@csv", r#""\"it's <\"\"1\"\">\",\"a\tb\\c\nd\",\"ü/?\",,true,1.50""#),
        ("@tsv", r#""it's <\"1\">\ta\\tb\\\\c\\nd\tü/?\t\ttrue\t1.50""#),
        (".[:1] | @sh", r#""'it'\\''s <\"1\">'""#),
        (".[0] | @html", r#""it&#39;s &lt;&quot;1&quot;&gt;""#),
        (".[2] | @uri", r#""%C3%BC%2F%3F""#),
        (".[2] | @uri | @urid", r#""ü/?""#),
        (".[2] | @base64", r#""w7wvPw==""#),
        (".[2] | @base64 | @base64d", r#""ü/?""#),
        ("\"w7wvPw\" | @base64d", r#""ü/?""#),
        ("@json", r#""[\"it's <\\\"1\\\">\",\"a\\tb\\\\c\\nd\",\"ü/?\",null,true,1.50]""#),
        ("@base64 \"x\\(.[2])\"", r#""xw7wvPw==""#),
        ("[[1]] | @csv", "error: array cannot be a CSV field"),
        ("1 | @tsv", "error: number cannot be a TSV row"),
    ] {
        assert_eq!(jq(code, json), wanted, "{code}");
    }
}

#[test]
fn regular_expressions_work() {
    let json = r#""Straße 12, 7 Höfe""#;
    for (code, wanted) in [
        ("test(\"[0-9]+\")", "true"),
        ("test(\"STR\"; \"i\")", "true"),
        ("test(\"Str\"; null)", "true"),
        ("test(\"STR\")", "false"),
        ("test(\"HÖFE\"; \"i\"), test(\"\\\\bhöfe\\\\b\"; \"ix\"), test(\"^\\\\p{L}{6}\")", "true\ntrue\ntrue"),
        ("test(\"s\"; \"q\")", "error: invalid flag `q` of a regular expression"),
        ("[scan(\"[0-9]+\")]", r#"["12","7"]"#),
        ("[match(\"[0-9]+\"; \"g\") | [.offset, .length, .string]]", r#"[[7,2,"12"],[11,1,"7"]]"#),
        ("capture(\"(?<street>[^ ]+) (?<number>[0-9]+)\")", r#"{"street":"Straße","number":"12"}"#),
        ("sub(\"[0-9]+\"; \"N\")", r#""Straße N, 7 Höfe""#),
        ("gsub(\"(?<n>[0-9]+)\"; \"<\\(.n)>\")", r#""Straße <12>, <7> Höfe""#),
        ("capture(\"(?<a>x)?(?<b>[0-9]+)\")", r#"{"a":null,"b":"12"}"#),
        ("[match(\"(x)?1\").captures[] | [.offset, .string]]", "[[-1,null]]"),
        ("[splits(\", *\")]", r#"["Straße 12","7 Höfe"]"#),
        ("split(\", \")", r#"["Straße 12","7 Höfe"]"#),
        ("split(\", *\"; null)", r#"["Straße 12","7 Höfe"]"#),
        ("ascii_downcase", r#""straße 12, 7 höfe""#),
    ] {
        assert_eq!(jq(code, json), wanted, "{code}");
    }
    assert_eq!(jq("test(\"(\")", json), "error: invalid regular expression: unclosed group");
}

#[test]
fn a_wrong_expression_is_reported_with_its_position() {
    for (code, wanted) in [
        (".a |", "--jq:1:5: expected a filter, found the end"),
        (".[", "--jq:1:2: `[` without `]`"),
        ("\"abc", "--jq:1:1: `\"` without `\"`"),
        ("{a:1", "--jq:1:1: `{` without `}`"),
        ("map(.x) | .[] |\n  upper", "--jq:2:3: unknown function `upper`"),
        ("foo(1; 2)", "--jq:1:1: unknown function `foo` with 2 arguments"),
        (".a as $x | $y", "--jq:1:12: unknown variable `$y`"),
        ("if . then 1", "--jq:1:12: expected else or end, found the end"),
        (".a )", "--jq:1:4: unexpected character"),
        (". §", "--jq:1:3: unexpected character"),
        ("", "--jq:1:1: expected a filter, found the end"),
        ("import \"a\" as $d; $d", "--jq:1:1: modules are not supported"),
        ("include \"a\"; 1", "--jq:1:1: modules are not supported"),
    ] {
        assert_eq!(jq(code, "{}"), wanted, "{code}");
    }
}

#[test]
fn a_filter_cannot_read_anything_but_the_result() {
    for name in
        ["env", "$ENV", "input", "inputs", "debug", "stderr", "halt", "halt_error", "input_filename", "$__prog_args"]
    {
        let message = jq(name, "{}");
        assert!(message.starts_with("--jq:1:1: unknown "), "{name}: {message}");
    }
}

#[test]
fn an_error_is_reported_after_the_outputs_before_it() {
    assert_eq!(jq("1, keys", "null"), "1\nerror: cannot use null as iterable (array or object)");
    assert_eq!(jq("1, error(\"no\")", "null"), "1\nerror: no");
    let long = format!("\"{}\"", "x".repeat(1000));
    assert_eq!(jq("keys", &long).chars().count(), "error: ".len() + 201);
    assert_eq!(jq(".", "{ nope"), "error: the result is not JSON");
    assert_eq!(jq("1", &"[".repeat(600)), "error: the result has more than 512 levels");
    assert_eq!(jq("[.]", "[1] # no comment"), "error: the result is not JSON");
}
