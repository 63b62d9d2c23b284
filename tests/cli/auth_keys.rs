//! Keys at the first login, misplaced keys, and keys that a server refuses.

use crate::common::Bench;

const SECRET: &str = "wrong-key-0123456789";

#[test]
fn reports_that_a_refused_key_was_not_stored() {
    let bench = Bench::bare();
    let server = bench.serve(&[]);
    let url = &server.url;
    bench
        .pipe(format!("{SECRET}\n"), ["auth", "login", "--server", url])
        .code(3)
        .says(&format!("error: {url} did not accept this key; nothing was stored"))
        .says("  hint: copy the whole key of this server; it was sent as `Service-Auth-Key`; for the public service, use --service deepl\n")
        .says_not(SECRET);
    assert!(!bench.path(".config/tulk/credentials.toml").exists());
    assert!(!bench.path(".config/tulk/config.toml").exists());
}

#[test]
fn a_refusal_names_where_the_key_came_from() {
    let bench = Bench::bare();
    let server = bench.serve(&[]);
    let bench = bench.env("TULK_SERVER", &server.url);
    bench.write("key.txt", format!("{SECRET}\n"));
    let url = &server.url;
    let hint = |source: &str| format!("  hint: {url} rejected the API key from {source}; `tulk ");
    bench.run(["usage", "--key-file", "key.txt"]).code(3).says(&hint("--key-file key.txt")).says_not(SECRET);
    bench.pipe(format!("{SECRET}\n"), ["auth", "login", "--no-verify", "--profile", "work"]).code(0);
    bench.run(["usage", "--profile", "work"]).code(3).says(&hint("profile work"));
    bench.run(["translate", "--profile", "work", "--to", "de", "x"]).code(3).says(&hint("profile work"));
    bench.write(
        ".config/tulk/config.toml",
        format!("[profiles.other]\nserver = \"{url}\"\nkey_command = \"echo {SECRET}\"\n"),
    );
    bench.run(["api", "/v2/usage", "--profile", "other"]).code(3).says(&hint("key_command of profile other"));
    let bench = bench.env("TULK_API_KEY", SECRET).env("TULK_ADMIN_KEY", SECRET);
    bench.run(["usage"]).code(3).says(&hint("TULK_API_KEY"));
    bench.run(["admin", "keys", "list"]).code(3).says(&format!(
        "  hint: {url} rejected the key from TULK_ADMIN_KEY; this requires an admin key: set TULK_ADMIN_KEY or run `tulk auth login \
         --admin`\n"
    ));
}

#[test]
fn a_misplaced_key_is_not_quoted_and_the_hint_says_where_it_goes() {
    let bench = Bench::bare();
    bench
        .run(["auth", "login", SECRET])
        .code(2)
        .says("error: the key cannot be an argument: other users and the shell's history would see it\n")
        .says("  hint: run `tulk auth login` and paste the key, or `tulk auth login < key.txt`\n")
        .says_not(SECRET);
    for command in [["auth", "login", "--key", SECRET], ["usage", "--key", SECRET, "--json"]] {
        bench.run(command).code(2).says("`tulk auth login`").says_not(SECRET);
    }
    bench
        .run(["config", "set", "profiles.work.key", SECRET])
        .code(2)
        .says("error: a key is not a setting\n")
        .says("  hint: `tulk auth login --profile work` asks for the key, checks it and stores it in a file that only you can read\n")
        .says_not(SECRET);
    bench
        .run(["config", "set", "profiles.work.admin_key", SECRET])
        .code(2)
        .says("`tulk auth login --admin --profile work`");
    bench.run(["config", "set", "api_key", SECRET]).code(2).says("`tulk auth login`").says_not(SECRET);
}

#[cfg(unix)]
mod on_a_terminal {
    use std::fs::File;
    use std::process::{Child, Stdio};

    use rustix::termios::{LocalModes, tcgetattr};

    use super::*;
    use crate::common::terminal::open;
    use crate::common::wait_until;

    struct Login {
        child: Child,
        master: File,
        terminal: File,
        seen: String,
    }

    impl Login {
        fn start(bench: &Bench, args: &[&str]) -> Self {
            let (master, terminal) = open(100, 24);
            rustix::fs::fcntl_setfl(&master, rustix::fs::OFlags::NONBLOCK).unwrap();
            let mut command = bench.command();
            command.args(["auth", "login"]).args(args).env("TERM", "xterm").stdin(terminal.try_clone().unwrap());
            let child = command.stdout(Stdio::null()).stderr(terminal.try_clone().unwrap()).spawn().unwrap();
            Self { child, master: master.into(), terminal, seen: String::new() }
        }

        fn read(&mut self) {
            let mut bytes = [0; 4096];
            while let Ok(read) = rustix::io::read(&self.master, &mut bytes) {
                if read == 0 {
                    return;
                }
                self.seen.push_str(&String::from_utf8_lossy(&bytes[..read]));
            }
        }

        fn answer(&mut self, question: &str, answer: &str) {
            wait_until(question, || {
                self.read();
                self.seen.contains(question)
            });
            if question.starts_with("Key") {
                let terminal = &self.terminal;
                wait_until("hidden input", || !tcgetattr(terminal).unwrap().local_modes.contains(LocalModes::ECHO));
            }
            rustix::io::write(&self.master, format!("{answer}\n").as_bytes()).unwrap();
        }

        fn ends(mut self, code: i32) -> String {
            wait_until("the end", || {
                self.read();
                self.child.try_wait().unwrap().is_some()
            });
            self.read();
            assert_eq!(self.child.wait().unwrap().code(), Some(code), "{}", self.seen);
            self.seen.replace('\r', "")
        }
    }

    #[test]
    fn a_first_login_asks_for_the_service_and_reports_its_settings() {
        let bench = Bench::bare();
        let server = bench.serve(&["--key", "first-key-0123456789"]);
        let url = &server.url;
        let mut login = Login::start(&bench, &[]);
        login.answer("[deepl]: ", "nonsense");
        let question = "deepl, or the address of another server such as https://translate.example [deepl]: ";
        login.answer(&format!("This is neither a service nor an address.\r\n{question}"), url);
        login.answer("Key (hidden): ", "first-key-0123456789");
        let seen = login.ends(0);
        let expected = format!(
            "Which service is the key for?\n{question}nonsense\nThis is neither a service nor an address.\n{question}{url}\n\
             The key is sent to {url} in a free request, and if it works, stored in ~/.config/tulk/credentials.toml for this server \
             only.\nKey (hidden): \nprofile default: stored the key for {url} (verified)\n"
        );
        assert_eq!(seen, expected);
        assert_eq!(bench.read(".config/tulk/config.toml"), format!("[profiles.default]\nserver = \"{url}\"\n"));
        bench.run(["usage"]).code(0);
    }

    #[test]
    fn a_wrong_key_changes_nothing() {
        let bench = Bench::bare();
        let server = bench.serve(&[]);
        let mut login = Login::start(&bench, &["--server", &server.url]);
        login.answer("Key (hidden): ", SECRET);
        let seen = login.ends(3);
        assert!(seen.contains(&format!("{} did not accept this key; nothing was stored", server.url)), "{seen}");
        assert!(!bench.path(".config/tulk/config.toml").exists());
    }

    #[test]
    fn a_preset_asks_for_its_endpoint() {
        let bench = Bench::bare();
        let mut login = Login::start(&bench, &["--no-verify"]);
        login.answer("[deepl]: ", "");
        login.answer("paid, free, us, jp [paid or free, depending on the key]: ", "eu");
        login.answer("There is no such endpoint.", "us");
        login.answer("Key (hidden): ", "first-key-0123456789");
        let seen = login.ends(0);
        assert!(
            seen.contains(
                "The key is stored in ~/.config/tulk/credentials.toml for this server only, without being checked."
            ),
            "{seen}"
        );
        assert_eq!(
            bench.read(".config/tulk/config.toml"),
            "[profiles.default]\nservice = \"deepl\"\nendpoint = \"us\"\n"
        );
    }

    #[test]
    fn the_address_of_a_known_endpoint_selects_its_service() {
        let bench = Bench::bare();
        let mut login = Login::start(&bench, &["--no-verify"]);
        login.answer("[deepl]: ", "https://api-free.deepl.com/v2");
        login.answer("Key (hidden): ", "first-key-0123456789:fx");
        login.ends(0);
        assert_eq!(
            bench.read(".config/tulk/config.toml"),
            "[profiles.default]\nservice = \"deepl\"\nendpoint = \"free\"\n"
        );
    }
}

#[test]
fn the_password_in_a_refused_server_address_is_never_shown() {
    let bench = Bench::bare();
    for address in [
        "http://user:SECRET-1@127.0.0.1:9",
        "HTTP://user:SECRET-1@127.0.0.1:9",
        "https://user:SECRET-1@api.example",
        "user:SECRET-1@127.0.0.1:9",
        "//user:SECRET-1@127.0.0.1:9",
        "http:/user:SECRET-1@127.0.0.1:9",
        "http:\\\\user:SECRET-1@127.0.0.1:9",
        "http://SECRET-1@127.0.0.1:9",
        "http://:SECRET-1@127.0.0.1:9",
        " http://user:SECRET-1@127.0.0.1:9 ",
        "http://user:SECRET-1@x@127.0.0.1:9",
        "http://user:SECRET-1@[::1]:9",
        "http://user:SECRET-1%40127.0.0.1:9",
        "http://user:SECRET-1\u{ff20}127.0.0.1:9",
        "ftp://user:SECRET-1@h",
        "http://127.0.0.1:9/?password=SECRET-1",
    ] {
        let commands: [&[&str]; 7] = [
            &["auth", "status"],
            &["auth", "status", "--json"],
            &["auth", "logout"],
            &["auth", "token"],
            &["doctor"],
            &["usage", "-vv"],
            &["config", "set", "server", address],
        ];
        for command in commands {
            let with_flag = bench.run([&["--server", address], command].concat());
            let with_variable = Bench::bare().env("TULK_SERVER", address).run(command);
            for run in [with_flag, with_variable] {
                assert!(
                    !run.stderr.contains("SECRET-1") && !run.out().contains("SECRET-1"),
                    "{address} {command:?}\n{run}"
                );
                assert_ne!(run.code, 0, "{address} {command:?}\n{run}");
            }
        }
    }
}
