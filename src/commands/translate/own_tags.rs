//! The markup options of a request whose texts are sent with tags of our own.
//!
//! Other markup options would change what these tags mean, so they are refused, as flags, as defaults and with `--param`.

use tulk_base::error::Failure;
use tulk_catalogs::inline::{FIXED_ELEMENT, PAIR_ELEMENT};
use tulk_client::Defaulted;
use tulk_client::api::assets::BrokenRule;
use tulk_client::api::translate::{TagHandling, TranslateOptions};

use super::args::TranslateArgs;
use crate::context::defaults::{self, ProfileDefaults};

/// The options that exclude our own tags: their fields and their flags.
const EXCLUDED: &[(&str, &str)] = &[
    ("tag_handling", "--tag-handling"),
    ("ignore_tags", "--ignore-tags"),
    ("splitting_tags", "--splitting-tags"),
    ("non_splitting_tags", "--non-splitting-tags"),
    ("outline_detection", "--no-outline-detection"),
];

/// Sets the options for texts with our own tags. Fails if the user has set one of them.
///
/// `is_flag` tells whether an option was given as a flag.
pub fn set(
    args: &TranslateArgs,
    defaults: &ProfileDefaults,
    options: &mut TranslateOptions,
    is_flag: impl Fn(&str) -> bool,
) -> Result<(), Failure> {
    let given = defaults::object(&options)?;
    let reason = if args.protect.is_given() { "--protect" } else { "--as" };
    if let Some((field, flag)) = EXCLUDED.iter().find(|(field, _)| given.contains_key(*field)) {
        let what = format!("{reason} sends texts as XML with tags of its own and cannot be used with {flag}");
        let hint = "remove one of the two; the value `none` drops the default of a profile";
        return Err(defaults.refusal(BrokenRule::new(what, hint, &[field]), is_flag));
    }
    for param in &args.param {
        let key = param.split('=').next().unwrap_or_default();
        if EXCLUDED.iter().any(|(field, _)| *field == key) {
            let what =
                format!("{reason} sends texts as XML with tags of its own and cannot be used with --param {key}");
            return Err(Failure::usage(what).hint("remove one of the two"));
        }
    }
    add(options);
    Ok(())
}

/// Adds the options for texts with our own tags.
pub fn add(options: &mut TranslateOptions) {
    options.tag_handling = Some(Defaulted::Set(TagHandling::Xml));
    options.ignore_tags = Some(vec![FIXED_ELEMENT.to_owned()]);
    // Both are within sentences.
    options.non_splitting_tags = Some(vec![PAIR_ELEMENT.to_owned(), FIXED_ELEMENT.to_owned()]);
}
