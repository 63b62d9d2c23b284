//! `tulk doc download`: fetches one result that is ready. The service gives it once.

use std::path::Path;

use clap::Args;

use super::life::Shared;
use super::row::Translated;
use super::target::{self, Target};
use super::translate::finish;
use super::{DocumentId, Place, poll, program};
use crate::api::doc::{DocumentState, DownloadDocument};
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::http::endpoint::Endpoint as _;
use crate::json::Kept;
use crate::store::documents::{Documents, Handle, Record, Stage, now};

/// Fetch the result of a document, which the service gives once
#[derive(Args, Debug)]
pub struct DownloadArgs {
    /// The document.
    #[command(flatten)]
    pub document: DocumentId,
    /// Result file, - for stdout
    #[arg(short = 'o', long, value_name = "FILE")]
    pub output: Option<String>,
    /// Replace an existing file
    #[arg(long)]
    pub force: bool,
}

/// Runs the command.
pub async fn run(ctx: &Context, args: DownloadArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let place = Place::of(ctx).await?;
    let (record, id, key) = args.document.resolve(&place)?;
    let client = ctx.client().await?;
    let wanted = match args.output.as_deref() {
        Some("-") => Some(Target::Stdout),
        Some(file) if file.is_empty() || Path::new(file).is_dir() => {
            return Err(Failure::usage(format!("-o `{file}` is no file name"))
                .hint("name a file, or - for stdout")
                .into());
        }
        Some(file) => Some(Target::File(file.into())),
        None => None,
    };
    let target = match (wanted, &record) {
        (Some(target), _) => target,
        (None, Some(record)) => record.target.clone().map_or(Target::Stdout, Target::File),
        (None, None) => {
            return Err(Failure::usage(format!("document {id} was not uploaded here, so its result has no name"))
                .hint("name one with -o, or - for stdout")
                .into());
        }
    };
    if client.is_dry_run() {
        let request = DownloadDocument { document_id: id, document_key: key }.request(client.service())?;
        return Ok(client.plan(&request)?);
    }
    let force = args.force || record.as_ref().is_some_and(|record| record.force);
    if let Some(file) = target.file() {
        target::refuse_existing(file, force)?;
    }
    let began_before = record.as_ref().is_some_and(|record| record.stage == Stage::Downloading);
    let is_adopted = record.is_none();
    let mut handle = match record {
        Some(record) => place.store.open(&record.name)?,
        None => adopt(&place, &id, key.clone())?,
    };
    handle.record.force = force;
    handle.record.target =
        target.file().map(std::path::absolute).transpose().map_err(|e| Failure::internal(e.to_string()))?;
    handle.save()?;
    let shared = Shared::new(handle);
    let result = async {
        if !began_before {
            if let Some(file) = target.file() {
                target::prove_writable(&target::real(file))?;
            }
            ready(ctx, &id, &key).await?;
        }
        let program = program(ctx);
        let life = place.life(ctx, client, &program, target == Target::Stdout)?;
        let meter = ctx.out.progress(shared.record().shown(), None);
        finish(&life, &shared, &meter).await
    };
    let result: Result<_, Failure> = result.await;
    if is_adopted && result.is_err() && shared.record().stage == Stage::Uploaded {
        // Its key is in the user's file; a handle that never got anywhere is not worth keeping.
        shared.change(|handle| handle.forget())?;
    }
    let row = result?;
    let row = Translated { path: args.output.clone().or(row.path.clone()), ..row };
    if target != Target::Stdout {
        ctx.out.one(&Kept::made(row)?)?;
    }
    Ok(())
}

/// Refuses a document whose result is not there yet.
async fn ready(ctx: &Context, id: &str, key: &str) -> Result<(), Failure> {
    let status = poll::ask(ctx.client().await?, id, key).await?.0;
    match status.state() {
        DocumentState::Done => Ok(()),
        DocumentState::Error => Err(poll::gave_up(&status)),
        _ => Err(Failure::new(Kind::Unfinished, format!("document {id} is not done: {}", poll::note(&status)))
            .hint(format!("`{} doc wait {id}` waits for it", program(ctx)))),
    }
}

/// A handle for a document that was uploaded elsewhere, so that a kill cannot lose its result.
fn adopt(place: &Place, id: &str, key: String) -> Result<Handle, Failure> {
    place.store.add(Record {
        name: Documents::new_name(),
        stage: Stage::Uploaded,
        server: place.server.clone(),
        source: None,
        target_lang: String::new(),
        params: serde_json::Value::Null,
        target: None,
        force: false,
        document_id: Some(id.to_owned()),
        document_key: Some(key),
        result_bytes: None,
        billed_characters: None,
        reason: None,
        created: now(),
        updated: now(),
    })
}
