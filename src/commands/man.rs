//! `tulk man [DIR]`: the manual, one page per command.

use std::path::{Path, PathBuf};

use clap::Args;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::commands::help::TOPICS;
use crate::context::Context;
use crate::error::Failure;
use crate::output::CommandFormats;

/// Print the manual page, or write all pages to a directory
#[derive(Args, Debug)]
pub struct ManArgs {
    /// Directory to write all pages to; without it, print tulk.1
    #[arg(value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

/// Output formats of this command.
pub const FORMATS: &[CommandFormats] = &[CommandFormats::without_result("man")];

/// Prints the main page, or writes all pages.
pub fn run(ctx: &Context, args: &ManArgs, mut tree: clap::Command) -> Result<(), anyhow::Error> {
    tree.build();
    match &args.dir {
        None => ctx.out.stdout().write(&page(&tree, "tulk")?)?,
        Some(dir) => {
            std::fs::create_dir_all(dir).map_err(|e| Failure::file("create", dir, &e))?;
            write_pages(&tree, "tulk", dir)?;
        }
    }
    Ok(())
}

fn write_pages(command: &clap::Command, name: &str, dir: &Path) -> Result<(), Failure> {
    let path = dir.join(format!("{name}.1"));
    std::fs::write(&path, page(command, name)?).map_err(|e| Failure::file("write", &path, &e))?;
    for subcommand in command.get_subcommands().filter(|c| !c.is_hide_set()) {
        write_pages(subcommand, &format!("{name}-{}", subcommand.get_name()), dir)?;
    }
    Ok(())
}

/// Returns one page. Only the main page contains the global options and the help topics.
fn page(command: &clap::Command, name: &str) -> Result<Vec<u8>, Failure> {
    let is_main = name == "tulk";
    let mut command = command.clone().bin_name(name.replace('-', " "));
    if !is_main {
        command = command.mut_args(|arg| if arg.is_global_set() { arg.hide(true) } else { arg });
    }
    let version = env!("CARGO_PKG_VERSION");
    let man = Man::new(command).title(name.to_uppercase()).section("1").source(format!("tulk {version}")).date("");
    let mut page = Vec::new();
    man.render(&mut page).map_err(|e| Failure::internal(e.to_string()))?;
    let mut end = Roff::new();
    if is_main {
        for topic in TOPICS {
            end.control("SH", [topic.title.to_uppercase().as_str()]);
            for block in (topic.text)().trim_end().split("\n\n") {
                end.control("PP", []);
                end.control("nf", []);
                for line in block.lines() {
                    end.text([roman(line)]);
                }
                end.control("fi", []);
            }
        }
    } else {
        end.control("SH", ["SEE ALSO"]);
        end.text([bold("tulk"), roman("(1), for global options, files and exit codes")]);
    }
    end.to_writer(&mut page).map_err(|e| Failure::internal(e.to_string()))?;
    Ok(page)
}
