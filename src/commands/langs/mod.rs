//! `tulk langs`: shows the languages and features of the service, and detects the language of texts.
//!
//! Input: a resource, such as text translation, with languages or features to check; or texts. Output: languages,
//! resources, or whether a combination is supported. Replies about supported languages are cached for an hour.

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

    pub enum LangsCommand {
        List(list::LanguageListArgs),
        Resources(list::LanguageResourcesArgs),
        Check(check::LanguageCheckArgs),
        Detect(detect::LanguageDetectArgs),
        V2(list::LanguageListV2Args),
    }
}
