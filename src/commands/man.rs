//! `tulk man [DIR]`: the manual, one page a command.

use std::path::{Path, PathBuf};

use clap::Args;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::commands::help::TOPICS;
use crate::context::Context;
use crate::error::Failure;

/// Print the manual, or write its pages to a directory
#[derive(Args, Debug)]
pub struct ManArgs {
    /// Directory to write all pages to; without it tulk.1 goes to stdout
    #[arg(value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

/// Prints the main page, or writes all pages.
pub fn run(ctx: &Context, args: &ManArgs, mut tree: clap::Command) -> Result<(), anyhow::Error> {
    tree.build();
    match &args.dir {
        None => ctx.out.stdout().write(&page(&tree, "tulk")?)?,
        Some(dir) => {
            std::fs::create_dir_all(dir).map_err(|e| Failure::file("make", dir, &e))?;
            write_pages(&tree, "tulk", dir)?;
        }
    }
    Ok(())
}

fn write_pages(command: &clap::Command, name: &str, dir: &Path) -> Result<(), Failure> {
    let path = dir.join(format!("{name}.1"));
    std::fs::write(&path, page(command, name)?).map_err(|e| Failure::file("write", &path, &e))?;
    for verb in command.get_subcommands().filter(|c| !c.is_hide_set()) {
        write_pages(verb, &format!("{name}-{}", verb.get_name()), dir)?;
    }
    Ok(())
}

/// One page. The main page holds the topics too, the exit codes among them; global options stand there alone.
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
    let mut more = Roff::new();
    if is_main {
        for topic in TOPICS {
            more.control("SH", [topic.title.to_uppercase().as_str()]);
            for block in topic.text.trim_end().split("\n\n") {
                more.control("PP", []);
                more.control("nf", []);
                for line in block.lines() {
                    more.text([roman(line)]);
                }
                more.control("fi", []);
            }
        }
    } else {
        more.control("SH", ["SEE ALSO"]);
        more.text([bold("tulk"), roman("(1), for global options, files and exit codes")]);
    }
    more.to_writer(&mut page).map_err(|e| Failure::internal(e.to_string()))?;
    Ok(page)
}
