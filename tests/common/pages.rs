//! Runs the code blocks of a Markdown page in order, in one shell session that starts in an empty home directory and has only tulk and
//! the tools of a minimal system.

#![allow(clippy::panic)] // tests

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::common::{Bench, Run, binary, messages};

/// Programs of a minimal system. A page that needs another program shows it in a `console` block.
const TOOLS: &[&str] = &[
    "bash", "cat", "chmod", "cmp", "cp", "cut", "date", "diff", "env", "find", "git", "grep", "head", "ls", "mkdir",
    "mktemp", "mv", "od", "rm", "sed", "seq", "sh", "sleep", "sort", "tail", "tee", "touch", "tr", "wc", "xargs",
];

pub struct Block {
    /// Line of the opening fence.
    pub line: usize,
    pub language: String,
    pub text: String,
}

pub struct Page {
    /// Path in the repository, such as `docs/translate.md`.
    pub name: String,
    pub blocks: Vec<Block>,
}

impl Page {
    pub fn new(name: &str, markdown: &str) -> Self {
        Self { blocks: blocks(name, markdown), name: name.to_owned() }
    }

    /// Returns the blocks that run, with the output that the page shows.
    pub fn steps(&self) -> Vec<Step<'_>> {
        let mut steps = Vec::new();
        for (i, block) in self.blocks.iter().enumerate() {
            let shown = self.blocks.get(i + 1).filter(|next| next.language == "text").map(|next| next.text.as_str());
            match block.language.as_str() {
                "sh" => steps.push(Step { line: block.line, script: block.text.clone(), shown }),
                "yaml" => steps.push(Step { line: block.line, script: workflow_script(&block.text), shown }),
                _ => {}
            }
        }
        steps
    }

    /// Runs all steps and returns their number.
    pub fn run(&self) -> Result<usize, String> {
        let steps = self.steps();
        let (bench, session) = (Bench::bare(), tempfile::tempdir().unwrap());
        let path = |name: String| session.path().join(name);
        let mut driver = format!("export PATH='{}'\n", link_tools(session.path()).display());
        driver.push_str("trap 'kill $(jobs -p) 2> /dev/null || :' EXIT\n");
        for (i, step) in steps.iter().enumerate() {
            std::fs::write(path(format!("{i}.sh")), &step.script).unwrap();
            let file = path(i.to_string()).display().to_string();
            writeln!(driver, ". '{file}.sh' > '{file}.out' 2> '{file}.err'\n: > '{file}.done'").unwrap();
        }
        let run = Run::unlisted(bench.shell(&driver).output().unwrap());
        for (i, step) in steps.iter().enumerate() {
            let read = |end: &str| std::fs::read(path(format!("{i}.{end}"))).unwrap_or_default();
            let stderr = String::from_utf8_lossy(&read("err")).into_owned();
            let code = if path(format!("{i}.done")).exists() { 0 } else { run.code };
            let run = Run { stdout: read("out"), stderr, code };
            let at = format!("{}:{}", self.name, step.line);
            if !path(format!("{i}.done")).exists() {
                return Err(format!("{at}: this block failed\n{}{run}", step.script));
            }
            if let Some(shown) = step.shown.filter(|shown| shown.as_bytes() != run.stdout) {
                return Err(format!("{at}: the page shows another output\n--- page\n{shown}{run}"));
            }
            messages::check(&run.stderr);
        }
        Ok(steps.len())
    }
}

pub struct Step<'a> {
    pub line: usize,
    pub script: String,
    pub shown: Option<&'a str>,
}

pub fn pages() -> Vec<Page> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let entries = std::fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|e| e == "md")).collect();
    paths.push(root.join("README.md"));
    paths.sort();
    let name = |path: &Path| path.strip_prefix(root).unwrap_or(path).display().to_string();
    paths.iter().map(|path| Page::new(&name(path), &std::fs::read_to_string(path).unwrap())).collect()
}

fn blocks(name: &str, markdown: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for (i, line) in markdown.lines().enumerate() {
        if let Some(language) = line.strip_prefix("```") {
            open = !open;
            if open {
                blocks.push(Block { line: i + 1, language: language.trim().to_owned(), text: String::new() });
            }
        } else if open {
            let block = blocks.last_mut().unwrap();
            block.text.push_str(line);
            block.text.push('\n');
        }
    }
    assert!(!open, "{name}: a block is not closed");
    blocks
}

/// Joins the `run:` steps of a workflow. As on GitHub, each runs in a separate shell that stops at the first failure.
fn workflow_script(yaml: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut lines = yaml.lines().peekable();
    let mut script = String::new();
    while let Some(line) = lines.next() {
        let Some(command) = line.trim_start().trim_start_matches("- ").strip_prefix("run: ") else { continue };
        let mut step = String::new();
        if command == "|" {
            let key = line.find("run: ").unwrap();
            while let Some(line) = lines.next_if(|line| line.is_empty() || indent(line) > key) {
                writeln!(step, "{line}").unwrap();
            }
        } else {
            writeln!(step, "{command}").unwrap();
        }
        writeln!(script, "bash -e -c \"$(cat <<'END_OF_STEP'\n{step}END_OF_STEP\n)\"").unwrap();
    }
    script
}

fn link_tools(dir: &Path) -> PathBuf {
    let bin = dir.join("bin");
    std::fs::create_dir(&bin).unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    for tool in TOOLS {
        let found = std::env::split_paths(&path).map(|dir| dir.join(tool)).find(|file| file.is_file());
        let found = found.unwrap_or_else(|| panic!("this machine has no `{tool}`"));
        std::os::unix::fs::symlink(found, bin.join(tool)).unwrap();
    }
    std::os::unix::fs::symlink(binary(), bin.join("tulk")).unwrap();
    bin
}
