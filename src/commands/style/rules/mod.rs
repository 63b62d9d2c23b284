//! `tulk style rules`: the predefined rules of a style rule list, and the catalogue of known rules.
//!
//! Input: a list and rules, as arguments or as a file. Output: requests to the service, and rules as rows. The
//! catalogue itself is in `api::style::catalogue`.

mod catalogue;
mod set;
mod show;

use crate::command::command_group;

command_group! {
    /// Show and set predefined rules
    #[command(after_help = "tulk style rules catalogue\n\
                            tulk style rules set Shop punctuation.serial_comma=use")]
    pub struct StyleRulesArgs;

    /// The subcommands of `tulk style rules`.
    pub enum StyleRulesCommand {
        Show(show::StyleRulesShowArgs),
        Set(set::StyleRulesSetArgs),
        Catalogue(catalogue::RuleCatalogueArgs),
    }
}
