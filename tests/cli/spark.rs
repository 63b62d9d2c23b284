//! The Apache Spark programs in docs/scale.md: results are aligned and complete, even if a partition fails and is repeated.
//!
//! Spark runs on this machine with four threads and starts one tulk per partition. A test takes about ten seconds, mostly inside
//! Spark, so the tests run one after the other.

#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use crate::common::tools::spark_programs;
use crate::common::{Bench, Run, Server, binary};

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

const LINES: usize = 40_000;

struct Cluster {
    bench: Bench,
    server: Server,
    programs: PathBuf,
}

impl Cluster {
    /// Returns `None` if Spark is missing; the test is then skipped.
    fn start(flags: &[&str]) -> Option<Self> {
        let programs = spark_programs()?;
        let bench = Bench::bare();
        let server = bench.serve(flags);
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/scale.md");
        let page = std::fs::read_to_string(page).unwrap();
        for block in page.split("```python\n# ").skip(1) {
            let (name, text) = block.split_once('\n').unwrap();
            bench.write(name, text.split("```").next().unwrap());
        }
        std::fs::create_dir(bench.path("bin")).unwrap();
        std::os::unix::fs::symlink(binary(), bench.path("bin/tulk")).unwrap();
        Some(Self { bench, server, programs })
    }

    /// Replaces tulk with a script in which `$TULK` is the program and `$DIR` the home directory.
    fn wrap(&self, script: &str) {
        let (tulk, dir) = (binary(), self.bench.dir());
        let head = format!("#!/bin/bash\nTULK={} DIR={}\n", tulk.display(), dir.display());
        std::fs::remove_file(self.bench.path("bin/tulk")).unwrap();
        let path = self.bench.write("bin/tulk", head + script);
        std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
    }

    /// Runs a program on four threads, with up to four attempts per task, in the locale `C`.
    fn submit(&self, program: &str, args: &[&str]) -> Run {
        let _one = ONE_AT_A_TIME.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut command = Command::new(self.programs.join("spark-submit"));
        command.env_clear().current_dir(self.bench.dir());
        command.envs(std::env::var_os("JAVA_HOME").map(|value| ("JAVA_HOME", value)));
        let mut path = vec![self.bench.path("bin"), self.programs.clone()];
        path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
        command.env("PATH", std::env::join_paths(path).unwrap()).env("HOME", self.bench.dir()).env("LC_ALL", "C");
        command.env("TULK_SERVER", &self.server.url).env("TULK_API_KEY", "sandbox").env("SPARK_LOCAL_IP", "127.0.0.1");
        command.env("PYSPARK_PYTHON", self.programs.join("python"));
        // Reduces compilation in a JVM that runs only for a few seconds.
        let java = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";
        command.args(["--master", "local[4,4]", "--conf", "spark.ui.enabled=false", "--driver-java-options", java]);
        command.arg(program).args(args);
        Run::unlisted(command.output().unwrap())
    }

    fn result(&self, name: &str, partitions: usize) -> String {
        let entries = std::fs::read_dir(self.bench.path(name)).unwrap().map(|entry| entry.unwrap().path());
        let is_part = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().starts_with("part-");
        let mut parts: Vec<PathBuf> = entries.filter(is_part).collect();
        parts.sort();
        assert_eq!(parts.len(), partitions, "{parts:?}");
        parts.iter().map(|part| std::fs::read_to_string(part).unwrap()).collect()
    }

    fn billed(&self) -> usize {
        let mut tulk = self.bench.command();
        tulk.env("TULK_SERVER", &self.server.url).env("TULK_API_KEY", "sandbox");
        let run = Run::unlisted(tulk.args(["usage", "--jq", ".character_count"]).output().unwrap());
        run.out().trim().parse().unwrap()
    }
}

/// Returns distinct lines, some of which are hard to count: blank, very long, or with characters that look like line endings.
fn lines() -> String {
    let line = |i: usize| match i % 20 {
        3 => "\n".to_owned(),
        5 => format!("{i}\tof a row\t\n"),
        7 => format!("é {i} of \u{2028} and \u{85} too\n"),
        _ if i == 24_000 => format!("{}{i}\n", "long ".repeat(20_000)),
        _ => format!("line {i}\n"),
    };
    (0..LINES).map(line).collect()
}

/// Counts the characters of all lines without surrounding whitespace, which is not sent.
fn characters(text: &str) -> usize {
    text.lines().map(|line| line.trim().chars().count()).sum()
}

/// Fails unless the texts are equal; names only the first differing line.
#[track_caller]
fn assert_same(result: &str, expected: &str) {
    let line = result.lines().zip(expected.lines()).position(|(a, b)| a != b);
    assert!(result == expected, "{} lines, expected {LINES}; line {line:?} differs", result.lines().count());
}

#[test]
#[ignore = "needs another program; .ci/run includes it"]
fn partitions_give_the_same_lines_as_one_run() {
    let Some(cluster) = Cluster::start(&[]) else { return };
    let source = lines();
    cluster.bench.write("in.txt", &source);
    cluster.submit("translate_lines.py", &["in.txt", "out"]).code(0);
    let billed = cluster.billed();
    let result = cluster.result("out", 4);
    let mut tulk = cluster.bench.command();
    tulk.env("TULK_SERVER", &cluster.server.url).env("TULK_API_KEY", "sandbox");
    let one = tulk.args(["translate", "--from", "en", "--to", "de", "--lines", "-i", "in.txt"]).output().unwrap();
    assert_same(&result, std::str::from_utf8(&one.stdout).unwrap());
    assert_eq!((result.lines().count(), billed), (LINES, characters(&source)));
}

/// The service refuses one request of one partition, so its task runs again.
#[test]
#[ignore = "needs another program; .ci/run includes it"]
fn the_engine_repeats_a_failed_partition() {
    let fault = "400;total=1;after=280;path=/v2/translate";
    let Some(cluster) = Cluster::start(&["--engine", "upper", "--fault", fault]) else { return };
    cluster.wrap("echo >> $DIR/starts; exec $TULK \"$@\"");
    cluster.bench.write("in.txt", lines());
    cluster.submit("translate_lines.py", &["in.txt", "out"]).code(0);
    assert_same(&cluster.result("out", 4), &lines().to_uppercase());
    assert_eq!(cluster.bench.read("starts").lines().count(), 5);
}

/// Creates records with texts of several lines or without text, runs the program of the page, and checks its result.
const RECORDS: &str = r#"
import runpy
import sys

from pyspark.sql import SparkSession

rows = [(i, f"line {i}\nend" if i % 5 else None, i * 0.1) for i in range(100)]
session = SparkSession.builder.getOrCreate()
session.createDataFrame(rows, "id long, text string, weight double").repartition(4).write.parquet("texts.parquet")
sys.argv[1:] = ["texts.parquet", "out.parquet"]
runpy.run_path("translate_records.py")
found = sorted(tuple(row) for row in SparkSession.builder.getOrCreate().read.parquet("out.parquet").collect())
assert found == [(*row, row[1] and row[1].upper()) for row in rows], found
"#;

#[test]
#[ignore = "needs another program; .ci/run includes it"]
fn records_keep_their_other_fields_and_are_billed_once() {
    let Some(cluster) = Cluster::start(&["--engine", "upper"]) else { return };
    cluster.bench.write("records.py", RECORDS);
    cluster.submit("records.py", &[]).code(0);
    let expected: usize = (0..100).filter(|i| i % 5 > 0).map(|i| format!("line {i}\nend").len()).sum();
    assert_eq!(cluster.billed(), expected);
}

/// Runs tulk with a cache. The first process is killed after printing 5,000 lines, while it waits to print more.
const KILLED_ONCE: &str = r#"
export TULK_CACHE_DIR=$DIR/cache
mkdir $DIR/killed 2>/dev/null || exec $TULK "$@" --cache
mkfifo $DIR/lines
exec 3<&0 4<>$DIR/lines
$TULK "$@" --cache <&3 >$DIR/lines 4>&- &
head -n 5000 <&4
kill -KILL $!
exit 137
"#;

#[test]
#[ignore = "needs another program; .ci/run includes it"]
fn with_a_cache_a_repeated_partition_is_billed_only_for_requests_in_flight() {
    let Some(cluster) = Cluster::start(&["--engine", "upper"]) else { return };
    cluster.wrap(KILLED_ONCE);
    let source: String = (0..LINES).map(|i| format!("line {i}\n")).collect();
    cluster.bench.write("in.txt", &source);
    cluster.submit("translate_lines.py", &["in.txt", "out"]).code(0);
    assert_same(&cluster.result("out", 4), &source.to_uppercase());
    assert!(cluster.bench.path("killed").exists());
    // Eight requests of 50 lines were in flight, and results that had just arrived were not stored yet; their number depends on the disk.
    // Without a cache, all 5,000 printed lines would be billed twice.
    let (billed, needed) = (cluster.billed(), characters(&source));
    let printed = characters(&source.split_inclusive('\n').take(5000).collect::<String>());
    assert!((needed..needed + printed / 2).contains(&billed), "{billed} characters were billed, {needed} are needed");
    // Running the same job again, for example after the engine lost the result, is free.
    cluster.submit("translate_lines.py", &["in.txt", "again"]).code(0);
    assert_same(&cluster.result("again", 4), &source.to_uppercase());
    assert_eq!(cluster.billed(), billed);
}
