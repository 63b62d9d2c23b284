//! Tests of complete runs, with a project in a temporary directory and a function as the service.

mod edits;
mod failures;
mod formats;
mod journals;
mod moves;
mod order;

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use tempfile::TempDir;
use tulk_base::error::{Failure, Kind};
use tulk_base::stop::Stop;
use tulk_catalogs::{CATALOG_FORMATS, UnitKey};
use tulk_client::http::answer::Answer;
use tulk_client::http::path::Path as UrlPath;
use tulk_client::http::request::{Method, Request, RequestBody};
use tulk_pipeline::{BatchLimit, Call, Job, Protector, RunOptions, SentForm};

use super::{GroupJob, Retranslate, SyncOutcome, SyncProgress, SyncRun, groups, run};
use crate::compare::ComparedUnit;
use crate::journal::Journal;
use crate::lock::{Lock, TargetAuthor};
use crate::plan::{PlanRequest, Selection, SyncPlan};
use crate::project::{Project, ProjectRoot};
use crate::state::UnitState;

pub struct Tree {
    dir: TempDir,
    state: TempDir,
}

#[derive(Default)]
pub struct Choices {
    pub to: Vec<&'static str>,
    pub retranslate: Vec<Retranslate>,
    pub prune: bool,
    pub key: Option<&'static str>,
}

pub struct Synced {
    pub outcome: SyncOutcome,
    pub requests: Vec<Value>,
}

impl Synced {
    /// As `lang: text`, sorted.
    pub fn sent(&self) -> Vec<String> {
        let texts = self.requests.iter().flat_map(|body| {
            let lang = body["target_lang"].as_str().unwrap();
            body["text"].as_array().unwrap().iter().map(move |text| format!("{lang}: {}", text.as_str().unwrap()))
        });
        let mut texts: Vec<String> = texts.collect();
        texts.sort();
        texts
    }

    #[track_caller]
    pub fn is_clean(&self) -> &Self {
        let SyncOutcome { failed, failures, kept, ended_by, .. } = &self.outcome;
        assert!(
            failed.is_empty() && failures.is_empty() && kept.is_empty() && ended_by.is_none(),
            "{:?}",
            self.outcome
        );
        self
    }
}

/// Calls a function with target language and text.
struct TestService<F> {
    answer: F,
    requests: RefCell<Vec<Value>>,
}

impl<F: Fn(&str, &str) -> Result<String, Failure>> Call for TestService<F> {
    async fn call(&self, request: Request) -> Result<Answer, Failure> {
        let RequestBody::Json(body) = request.body else { panic!("no JSON body") };
        let body: Value = serde_json::from_slice(&body).unwrap();
        self.requests.borrow_mut().push(body.clone());
        tokio::task::yield_now().await;
        let lang = body["target_lang"].as_str().unwrap();
        let results: Result<Vec<Value>, Failure> = body["text"]
            .as_array()
            .unwrap()
            .iter()
            .map(|text| {
                Ok(json!({ "detected_source_language": "EN", "text": (self.answer)(lang, text.as_str().unwrap())? }))
            })
            .collect();
        let body = json!({ "translations": results? }).to_string().into();
        Ok(Answer::new(200, HeaderMap::new(), body))
    }

    fn concurrency(&self) -> usize {
        2
    }
}

#[allow(clippy::unnecessary_wraps)] // the type of a service
pub fn echo(_: &str, text: &str) -> Result<String, Failure> {
    Ok(text.to_owned())
}

/// Capital letters, with the language as a prefix.
#[allow(clippy::unnecessary_wraps)] // the type of a service
pub fn upper(lang: &str, text: &str) -> Result<String, Failure> {
    Ok(format!("{lang} {}", text.to_uppercase()))
}

pub fn no_requests(lang: &str, text: &str) -> Result<String, Failure> {
    panic!("sent to {lang}: {text}")
}

impl Tree {
    pub fn new(langs: &str, rules: &str, files: &[(&str, &str)]) -> Self {
        let tree = Self {
            dir: tulk_base::files::temporary_dir(".tmp").unwrap(),
            state: tulk_base::files::temporary_dir(".tmp").unwrap(),
        };
        let langs: Vec<String> = langs.split_whitespace().map(|lang| format!("{lang:?}")).collect();
        let langs = langs.join(", ");
        tree.write("tulk.toml", &format!("[sync]\nsource_lang = \"en\"\ntarget_langs = [{langs}]\n{rules}"));
        for (path, text) in files {
            tree.write(path, text);
        }
        tree
    }

    /// Creates a project of JSON files with one folder per language.
    pub fn json(langs: &str, files: &[(&str, &str)]) -> Self {
        Self::new(langs, "[[sync.files]]\nsource = \"en/*.json\"\ntarget = \"{lang}/*.json\"\n", files)
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.dir.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub fn remove(&self, path: &str) {
        std::fs::remove_file(self.dir.path().join(path)).unwrap();
    }

    #[track_caller]
    pub fn read(&self, path: &str) -> String {
        self.find(path).unwrap_or_else(|| panic!("{path} does not exist"))
    }

    pub fn find(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.dir.path().join(path)).ok()
    }

    #[track_caller]
    pub fn edit(&self, path: &str, from: &str, to: &str) {
        let text = self.read(path);
        assert!(text.contains(from), "{path} lacks {from:?}: {text}");
        self.write(path, &text.replace(from, to));
    }

    pub fn lock(&self) -> Lock {
        self.find("tulk.lock").map(|text| Lock::parse(&text)).unwrap_or_default()
    }

    /// Lock entries as `file key lang author`.
    pub fn authors(&self) -> Vec<String> {
        let lock = self.lock();
        let mut all: Vec<String> = Vec::new();
        for file in lock.files() {
            for key in lock.keys(file) {
                for (lang, entry) in lock.entries(file, key) {
                    let author = match entry.author {
                        TargetAuthor::Tulk => "t",
                        TargetAuthor::Person => "p",
                        TargetAuthor::Failed => "x",
                    };
                    all.push(format!("{file} {key} {lang} {author}"));
                }
            }
        }
        all.sort();
        all
    }

    pub fn journal(&self) -> Journal {
        Journal::open_in(self.state.path(), &self.dir.path().canonicalize().unwrap()).unwrap()
    }

    fn project(&self) -> Project {
        let path = self.dir.path().join("tulk.toml");
        let text = std::fs::read_to_string(&path).unwrap();
        let root = ProjectRoot::new(self.dir.path()).unwrap();
        Project::parse(&path, &text, root, CATALOG_FORMATS).unwrap()
    }

    fn selection(project: &Project, choices: &Choices) -> Selection {
        let langs = project.settings.langs.iter().enumerate();
        let langs = langs.filter(|(_, lang)| choices.to.is_empty() || choices.to.contains(&lang.tag.as_str()));
        let (key, retranslate) = (choices.key, choices.retranslate.clone());
        Selection {
            langs: langs.map(|(at, _)| at).collect(),
            has_file: Box::new(|_| true),
            has_key: Box::new(move |unit: &UnitKey| key.is_none_or(|key| unit.to_string() == key)),
            is_listed: Box::new(move |_: &ComparedUnit| !retranslate.is_empty()),
            reports_all_states: true,
        }
    }

    /// Units that are not up to date, as `lang key state`.
    pub fn findings(&self) -> Vec<String> {
        let project = self.project();
        let files = project.files().unwrap().files;
        let selection = Self::selection(&project, &Choices::default());
        let lock = self.lock();
        let (project, selection) = (&project, &selection);
        let plan = SyncPlan::new(PlanRequest { project, files: &files, lock: &lock, journal: None, selection });
        assert!(plan.unreadable.is_empty(), "{:?}", plan.unreadable);
        let findings = plan.targets.iter().flat_map(|target| {
            let lang = &project.settings.langs[target.lang].tag;
            let state = |state: UnitState| state.name();
            target.findings.iter().map(move |finding| format!("{lang} {} {}", finding.key, state(finding.state)))
        });
        findings.collect()
    }

    pub fn sync(&self, answer: impl Fn(&str, &str) -> Result<String, Failure>) -> Synced {
        self.sync_with(Choices::default(), answer)
    }

    pub fn sync_with(&self, choices: Choices, answer: impl Fn(&str, &str) -> Result<String, Failure>) -> Synced {
        let project = self.project();
        let files = project.files().unwrap().files;
        let (lock, journal) = (self.lock(), self.journal());
        let selection = Self::selection(&project, &choices);
        let request = PlanRequest {
            project: &project,
            files: &files,
            lock: &lock,
            journal: Some(&journal),
            selection: &selection,
        };
        let plan = SyncPlan::new(request);
        let (groups, _) = groups(&project, &files, &plan, &choices.retranslate);
        let jobs: Vec<GroupJob> = groups.iter().map(|group| job(&project.settings.langs[group.lang].tag)).collect();
        let sync = Arc::new(SyncRun {
            project,
            files,
            plan,
            identity: "test".to_owned(),
            prune: choices.prune,
            is_whole: choices.to.is_empty() && choices.key.is_none(),
            is_pseudo: false,
        });
        let service = TestService { answer, requests: RefCell::default() };
        let (progress, options, stop) = (SyncProgress::new(groups.len()), RunOptions::default(), Stop::default());
        let work = run(&sync, groups, &jobs, lock.clone(), Some(journal), &options, &progress, &service, &stop);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let mut outcome = runtime.block_on(work);
        outcome.failures.splice(0..0, sync.plan.unreadable.iter().cloned());
        Synced { outcome, requests: service.requests.into_inner() }
    }
}

fn job(lang: &str) -> GroupJob {
    let job = Job {
        target: lang.to_owned(),
        request: Request::new(Method::POST, UrlPath::fill("/v2/translate", &[]).unwrap()),
        options: json!({ "target_lang": lang }).to_string(),
        context: None,
        limit: BatchLimit { entries: 3, bytes: 131_072 },
        keeps_objects: false,
        shows_billed: false,
        key_scope: None,
    };
    GroupJob { job, protector: Arc::new(Protector::new(&[], SentForm::Tagged).unwrap()) }
}

pub fn counts(synced: &Synced) -> HashMap<&'static str, u64> {
    let mut counts = HashMap::new();
    for ((_, _, state), row) in &synced.outcome.rows.0 {
        *counts.entry(state.name()).or_default() += row.units;
    }
    counts
}

pub fn failure(kind: Kind) -> Failure {
    Failure::new(kind, "the request failed")
}
