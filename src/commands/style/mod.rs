//! `tulk style`: manages style rule lists, with their predefined rules and custom instructions, and style profiles.
//!
//! Input: arguments and TOML or JSON files. Output: requests to the service, and lists, rules, instructions and plans
//! as rows. `file` reads and writes a list as TOML; `plan` compares such a file with the service. See docs/service.md,
//! "Style rules".

mod apply;
mod file;
mod instruction;
mod lists;
mod plan;
mod profile;
mod rules;

use crate::command::command_group;

command_group! {
    /// Manage lists of style rules and custom instructions
    ///
    /// A style rule list has a language, predefined rules and free-text instructions. `tulk translate --style` applies
    /// it.
    #[command(after_help = "tulk style create \"Shop texts\" --language en\n\
                            tulk style rules set \"Shop texts\" punctuation.serial_comma=use\n\
                            tulk translate --to en --style \"Shop texts\" \"Brot, Butter und Salz\"")]
    pub struct StyleArgs;

    pub enum StyleCommand {
        List(lists::StyleListArgs),
        Show(lists::StyleShowArgs),
        Create(lists::StyleCreateArgs),
        Rename(lists::StyleRenameArgs),
        Delete(lists::StyleDeleteArgs),
        Rules(rules::StyleRulesArgs),
        Instruction(instruction::StyleInstructionArgs),
        Profile(profile::StyleProfileArgs),
        Export(apply::StyleExportArgs),
        Apply(apply::StyleApplyArgs),
    }
}
