//! The form of CHANGELOG.md: Keep a Changelog, newest version first.

/// The groups that Keep a Changelog has, in their order.
const GROUPS: [&str; 6] = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];

/// Returns what is wrong with the form of a changelog whose program has this version, or nothing.
pub fn problem(changelog: &str, version: &str) -> Option<String> {
    let mut earlier: Option<(Version, String)> = None;
    let (mut newest, mut unreleased, mut groups) = (None, false, Vec::new());
    for (i, line) in changelog.lines().enumerate() {
        let wrong = |what: &str| Some(format!("line {}: {what}: {line}", i + 1));
        if let Some(heading) = line.strip_prefix("## ") {
            groups.clear();
            if heading == "[Unreleased]" && newest.is_none() && !unreleased {
                unreleased = true;
                continue;
            }
            let parts = heading.strip_prefix('[').and_then(|rest| rest.split_once("] - "));
            let Some((number, date)) = parts else { return wrong("not `[VERSION] - DATE`") };
            let Some(parsed) = parse(number) else { return wrong("not a version") };
            if !is_date(date) {
                return wrong("not a date such as 2026-11-23");
            }
            if earlier.is_some_and(|(version, day)| version <= parsed || day.as_str() < date) {
                return wrong("not older than the version above it");
            }
            newest = newest.or_else(|| Some(number.to_owned()));
            earlier = Some((parsed, date.to_owned()));
        } else if let Some(group) = line.strip_prefix("### ") {
            let Some(place) = GROUPS.iter().position(|known| *known == group) else { return wrong("unknown group") };
            if groups.last().is_some_and(|last| *last >= place) {
                return wrong("the groups have another order");
            }
            groups.push(place);
        } else if line.starts_with("- ") && groups.is_empty() {
            return wrong("an entry without a group");
        }
    }
    let Some(newest) = newest else { return Some("there is no version".to_owned()) };
    (newest != version && !unreleased).then(|| format!("the newest version is {newest}, and the program is {version}"))
}

type Version = (u32, u32, u32);

fn parse(version: &str) -> Option<Version> {
    let mut parts = version.split('.').map(|part| part.parse().ok());
    let parsed = (parts.next()??, parts.next()??, parts.next()??);
    parts.next().is_none().then_some(parsed)
}

fn is_date(date: &str) -> bool {
    let mut parts = date.split('-');
    let mut part = |length: usize, least: u32, most: u32| {
        let text = parts.next().filter(|text| text.len() == length);
        text.and_then(|text| text.parse().ok()).is_some_and(|number| (least..=most).contains(&number))
    };
    part(4, 2000, 2999) && part(2, 1, 12) && part(2, 1, 31) && parts.next().is_none()
}
