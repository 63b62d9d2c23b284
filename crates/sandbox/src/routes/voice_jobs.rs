//! `/v1/jobs/voice/translate`: jobs that translate an uploaded audio file to text, subtitles or speech, with one result per target.
//!
//! Files have addresses on the sandbox itself, which need a signature instead of a key. Results are written at the upload and
//! shown once the time of a document translation has passed. See docs/service.md, "Voice jobs".

pub(crate) mod audio_file;
mod job_body;
mod job_files;
mod job_results;
mod stored_job;

use axum::extract::Path;
use axum::http::Uri;
use axum::response::Response;
use axum::routing::{get, post, put};
use axum::{Extension, Router};
use serde_json::{Map, Value, json};

use super::file_addresses::VOICE_FILES;
use super::json_body::JsonBody;
use crate::addresses::PublicAddress;
use crate::app::App;
use crate::auth::Caller;
use crate::faults::DocumentFaults;
use crate::query::QueryParams;
use crate::reply::{self, Refusal};
use crate::sessions::Sessions;
use crate::{clock, ids};

use job_body::CreateJobBody;
use stored_job::{JobStatus, StoredJob};

pub(super) fn routes() -> Router<Sessions> {
    Router::new()
        .route("/v1/jobs/voice/translate", post(create))
        .route("/v1/jobs/voice/translate/{job_id}", get(status))
        .route("/v1/jobs/files/{job}/source", put(job_files::put_source))
        .route("/v1/jobs/files/{job}/results/{number}", get(job_files::get_result))
}

struct JobAddresses<'a> {
    address: &'a PublicAddress,
    job: String,
    /// Whether to add addresses that contain their signature.
    is_signed: bool,
}

impl<'a> JobAddresses<'a> {
    fn new(app: &App, address: &'a PublicAddress, id: &str, uri: &Uri) -> Result<Self, Refusal> {
        let mut is_signed = false;
        for (name, value) in QueryParams::parse(uri)?.iter().filter(|(name, _)| ["include", "include[]"].contains(name))
        {
            for part in value.split(',') {
                if part != "signed_url" {
                    return Err(Refusal::bad_request(format!(
                        "Value for '{}' not supported.",
                        name.trim_end_matches("[]")
                    )));
                }
                is_signed = true;
            }
        }
        Ok(Self { address, job: app.session.add_to_token(id.to_owned()), is_signed })
    }

    /// Adds the signature and the address of a file and, if requested, its signed address. `names` has the names of the two
    /// address fields.
    fn add_file(&self, fields: &mut Map<String, Value>, file: &str, signature: &str, names: (&str, &str)) {
        let address = self.address.http_url(&format!("{VOICE_FILES}{}/{file}", self.job));
        if self.is_signed {
            fields.insert(names.1.to_owned(), json!(format!("{address}?signature={signature}")));
        }
        fields.insert(names.0.to_owned(), json!(address));
        fields.insert("signature".to_owned(), json!(signature));
    }
}

async fn create(
    caller: Caller,
    app: App,
    address: PublicAddress,
    uri: Uri,
    faults: Option<Extension<DocumentFaults>>,
    JsonBody(body): JsonBody<CreateJobBody>,
) -> Result<Response, Refusal> {
    let id = ids::uuid();
    let addresses = JobAddresses::new(&app, &address, &id, &uri)?;
    let request = body.check()?;
    let fault = faults.and_then(|Extension(faults)| app.faults.document_error(&faults, &request.source_file.name));
    let job = StoredJob::new(request, caller, fault);
    job.store_new(&app, &id)?;
    let mut fields = Map::new();
    fields.insert("job_id".to_owned(), json!(id));
    addresses.add_file(&mut fields, "source", &job.signature, ("upload_url", "signed_upload_url"));
    Ok(reply::created(&fields))
}

async fn status(
    _: Caller,
    app: App,
    address: PublicAddress,
    uri: Uri,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let addresses = JobAddresses::new(&app, &address, &id.to_ascii_lowercase(), &uri)?;
    let (id, job) = StoredJob::find(&app, &id)?;
    let results = job.results.iter().enumerate().map(|(number, result)| {
        let status = job.status(&app, result);
        let mut fields = Map::new();
        fields.insert("status".to_owned(), json!(status));
        match status {
            JobStatus::Complete => {
                let file = format!("results/{number}");
                addresses.add_file(&mut fields, &file, &result.signature, ("download_url", "signed_download_url"));
            }
            JobStatus::Failed => drop(fields.insert("error".to_owned(), json!(result.error))),
            _ => {}
        }
        Value::Object(fields)
    });
    let results: Vec<Value> = results.collect();
    Ok(reply::ok(&json!({
        "job_id": id,
        "product": "voice",
        "operation": "translate",
        "created_at": clock::iso(job.created),
        "updated_at": clock::iso(job.last_change(&app)),
        "usage": { "storage_used": job.stored_bytes() },
        "source_file": job.request.source_file,
        "parameters": job.request.parameters,
        "targets": job.request.targets,
        "results": results,
    })))
}
