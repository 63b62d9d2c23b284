//! `tulk langs`: the languages of the service, the features of each, and the languages of texts.
//!
//! It takes a resource, such as text translation, and languages or features to check, or texts. It prints languages, resources, or
//! whether something is supported. Replies about what the service supports are cached for an hour.

mod check;
mod detect;
mod list;
pub(super) mod query;

use crate::command::command_group;

command_group! {
    /// Show supported languages and features
    #[command(after_help = "tulk langs list --target\n\
                            tulk langs check --from en --to de --feature glossary")]
    pub struct LangsArgs;

    /// What to do.
    pub enum LangsCommand {
        List(list::LanguageListArgs),
        Resources(list::LanguageResourcesArgs),
        Check(check::LanguageCheckArgs),
        Detect(detect::LanguageDetectArgs),
        V2(list::LanguageListV2Args),
    }
}
