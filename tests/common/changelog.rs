//! Checks that CHANGELOG.md follows Keep a Changelog, newest version first.

/// The groups of Keep a Changelog in the required order, after what breaks.
const GROUPS: [&str; 7] = ["Breaking changes", "Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];

#[derive(Default)]
struct Progress {
    /// The previous version and its date.
    earlier: Option<(Version, String)>,
    newest: Option<String>,
    groups: Vec<usize>,
    entries: usize,
    in_unreleased: bool,
    has_unreleased: bool,
}

impl Progress {
    /// Returns the problem with the heading of a version, if any.
    fn version(&mut self, heading: &str) -> Option<&'static str> {
        let is_first = self.newest.is_none() && !self.in_unreleased;
        if let Some(what) = self.end() {
            return Some(what);
        }
        self.groups.clear();
        self.entries = 0;
        self.in_unreleased = heading == "[Unreleased]" && is_first;
        if self.in_unreleased {
            return None;
        }
        let parts = heading.strip_prefix('[').and_then(|rest| rest.split_once("] - "));
        let Some((number, date)) = parts else { return Some("not `[VERSION] - DATE`") };
        let Some(parsed) = parse(number) else { return Some("not a version") };
        if !is_date(date) {
            return Some("not a date such as 2026-11-23");
        }
        if self.earlier.as_ref().is_some_and(|(version, day)| *version <= parsed || day.as_str() < date) {
            return Some("not older than the version above it");
        }
        self.newest.get_or_insert_with(|| number.to_owned());
        self.earlier = Some((parsed, date.to_owned()));
        None
    }

    fn group(&mut self, name: &str) -> Option<&'static str> {
        let Some(place) = GROUPS.iter().position(|known| *known == name) else { return Some("unknown group") };
        if self.groups.last().is_some_and(|last| *last >= place) {
            return Some("the groups have another order");
        }
        if !self.groups.is_empty() && self.entries == 0 {
            return Some("the group above is empty");
        }
        self.groups.push(place);
        self.entries = 0;
        None
    }

    fn entry(&mut self) -> Option<&'static str> {
        self.entries += 1;
        self.has_unreleased |= self.in_unreleased;
        self.groups.is_empty().then_some("an entry without a group")
    }

    /// Ends the current version. Returns a problem if it or its last group is empty.
    fn end(&self) -> Option<&'static str> {
        let is_started = self.newest.is_some() || self.in_unreleased;
        let may_be_empty = self.in_unreleased && self.groups.is_empty();
        (is_started && self.entries == 0 && !may_be_empty).then_some("the version or the group above is empty")
    }
}

/// Returns the first problem of a changelog. `version` is the version of the program.
pub fn problem(changelog: &str, version: &str) -> Option<String> {
    if !changelog.starts_with("# Changelog\n") {
        return Some("the first line is not `# Changelog`".to_owned());
    }
    let mut progress = Progress::default();
    for (i, line) in changelog.lines().enumerate() {
        let wrong = if let Some(heading) = line.strip_prefix("## ") {
            progress.version(heading)
        } else if let Some(group) = line.strip_prefix("### ") {
            progress.group(group)
        } else if line.starts_with("- ") {
            progress.entry()
        } else {
            None
        };
        if let Some(what) = wrong {
            return Some(format!("line {}: {what}: {line}", i + 1));
        }
    }
    if let Some(what) = progress.end() {
        return Some(format!("at the end: {what}"));
    }
    let Some(newest) = progress.newest else { return Some("there is no version".to_owned()) };
    let is_known = newest == version || progress.has_unreleased;
    (!is_known).then(|| format!("the newest version is {newest}, and the program is {version}"))
}

/// Three numbers, whether it is not a pre-release, and the pre-release, such as `rc.1`.
type Version = ([u32; 3], bool, String);

fn parse(version: &str) -> Option<Version> {
    let (numbers, pre_release) = version.split_once('-').unwrap_or((version, ""));
    let numbers: Vec<u32> = numbers.split('.').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    Some((numbers.try_into().ok()?, !version.contains('-'), pre_release.to_owned()))
}

fn is_date(date: &str) -> bool {
    let form: String = date.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    form == "0000-00-00" && date.parse::<jiff::civil::Date>().is_ok()
}

#[test]
fn refuses_a_malformed_changelog() {
    let good = "# Changelog\n\n## [0.2.0] - 2026-02-28\n\n### Added\n\n- A.\n\n### Fixed\n\n- B.\n\n\
                ## [0.1.9] - 2026-02-28\n\n### Added\n\n- C.\n";
    assert_eq!(problem(good, "0.2.0"), None);
    assert!(problem(good, "0.3.0").is_some());
    let unreleased = |text: &str| good.replacen("\n\n", &format!("\n\n## [Unreleased]\n\n{text}"), 1);
    assert_eq!(problem(&unreleased("### Fixed\n\n- D.\n\n"), "0.3.0"), None);
    assert_eq!(problem(&unreleased(""), "0.2.0"), None);
    assert!(problem(&unreleased(""), "0.3.0").is_some(), "a new version without a change");
    assert_eq!(problem(&good.replace("0.1.9", "0.2.0-rc.1"), "0.2.0"), None);
    assert_eq!(problem(&good.replace("0.2.0", "0.2.0-rc.1"), "0.2.0-rc.1"), None);
    for (old, new) in [
        ("0.1.9", "0.2.0"),
        ("0.1.9", "0.2.1-rc.1"),
        ("- 2026-02-28\n\n### Added\n\n- A", "- 2026-02-27\n\n### Added\n\n- A"),
        ("2026-02-28", "28.2.2026"),
        ("2026-02-28", "2026-02-30"),
        ("2026-02-28", "2026-13-01"),
        ("## [0.2.0]", "## 0.2.0"),
        ("### Added\n\n", ""),
        ("- A.\n\n", ""),
        ("- B.\n\n", ""),
        ("- C.\n", ""),
        ("### Added\n\n- C.\n", ""),
        ("# Changelog\n\n", ""),
        ("Fixed", "Bugs"),
        ("Added", "Security"),
        ("[0.2.0]", "[0.2]"),
    ] {
        assert!(problem(&good.replacen(old, new, 1), "0.2.0").is_some(), "{old:?} as {new:?}");
    }
}
