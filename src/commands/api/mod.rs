//! `tulk api [METHOD] PATH`: sends an arbitrary request with the key, retries and proxy of all other commands.
//!
//! Input: method, path, fields and headers. Output: the response of one [`Request`], on stdout or in a file; with
//! `--paginate`, all pages of a list merged into one.

mod answer;
mod fields;
mod pages;
mod request;

use std::path::{Path as FilePath, PathBuf};

use bytes::Bytes;
use clap::Args;
use reqwest::header::CONTENT_TYPE;
use tulk_base::error::Failure;
use tulk_base::files::{check_stdout, link_target};
use tulk_base::limits::API_INPUT;
use tulk_base::numbers::counted;
use tulk_client::OptionalFlag as _;
use tulk_client::api::voice::RequestVoiceSession;
use tulk_client::api::{operations, translate};
use tulk_client::http::client::Client;
use tulk_client::http::encoding::decode_pairs;
use tulk_client::http::endpoint::Endpoint as _;
use tulk_client::http::failures;
use tulk_client::http::path::Path;
use tulk_client::http::request::{Method, Repeat, Request, RequestBody, TimeLimit};
use tulk_formats::input::whole::read_bytes;

use self::answer::AnswerOutput;
use self::fields::{FieldArg, FieldArgs};
use self::pages::{LastPage, NextPage, PageMerger};
use self::request::{ApiAddress, body_of_fields, file_upload, is_stdin, parse_headers, to_pairs};
use crate::command::{CommandSpec, Run, TEXT_OR_JSON};
use crate::completion::ValueKind;
use crate::config::OutputFormat;
use crate::context::Context;

const METHODS: [Method; 6] = [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::HEAD];

/// Send a request to any endpoint, with your key
///
/// NAME[]=VALUE adds to a list, NAME[PART]=VALUE to an object. Fields become a JSON body. With GET, HEAD, DELETE or --input, they
/// become the query. @PATH sends the text of a file; as -F file=@PATH, or with --form, it uploads the file as multipart.
#[allow(clippy::struct_excessive_bools)] // each is one flag
#[derive(Args, Debug)]
#[command(add = CommandSpec::prints_result_in(TEXT_OR_JSON)
    .with_common_options(&["field", "raw-field", "input", "headers", "include", "output"])
    .tagged())]
#[command(allow_missing_positional = true)]
#[command(after_help = "tulk api /v2/usage\n\
                        tulk api POST /v2/translate -F target_lang=de -F 'text[]=Hello'\n\
                        tulk api POST /v2/document --form -F target_lang=de -F file=@letter.txt")]
pub struct ApiArgs {
    /// HTTP method [default: GET, or POST with fields, --form or --input]
    #[arg(add = ValueKind::Words(&["GET", "POST", "PUT", "PATCH", "DELETE"]))]
    pub method: Option<String>,
    /// Path such as /v2/usage, with an optional query; or a URL with --no-auth
    #[arg(add = ValueKind::FreeText)]
    pub path: String,
    #[command(flatten)]
    pub fields: FieldArgs,
    /// Send a file as the body (- for stdin)
    #[arg(long, value_name = "FILE|-", conflicts_with = "form")]
    pub input: Option<PathBuf>,
    /// Send the fields as a form, and upload files in them
    #[arg(long)]
    pub form: bool,
    /// Add a header
    #[arg(short = 'H', value_name = "NAME:VALUE")]
    pub headers: Vec<String>,
    /// Send no key, and accept a URL of any server as the path
    #[arg(long)]
    pub no_auth: bool,
    /// Print status and headers before the body
    #[arg(short, long, conflicts_with = "paginate")]
    pub include: bool,
    /// Request all pages and print them as one list
    #[arg(long)]
    pub paginate: bool,
    /// Do not print the body
    #[arg(long)]
    pub silent: bool,
    /// Write the body to a file (- for stdout)
    #[arg(short, long, value_name = "FILE|-")]
    pub output: Option<PathBuf>,
}

impl Run for ApiArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        ctx.out.settings().check_columns(ctx.out.settings().format_or(OutputFormat::Text))?;
        check_filter(ctx, &self)?;
        check_stdin(ctx, &self)?;
        let file = self.output.clone().filter(|path| !is_stdin(path));
        file.as_deref().map(link_target).transpose()?;
        if file.is_none() && (self.include || !self.silent) {
            check_stdout()?;
        }
        let address = ApiAddress::parse(&self.path, self.no_auth)?;
        let mut request = request(&self, &address)?;
        if self.paginate && request.method != Method::GET {
            return Err(Failure::usage(format!("--paginate works with GET only, not {}", request.method)).into());
        }
        if self.paginate && address.is_url() {
            return Err(Failure::usage("--paginate works with a path only, not with a URL").into());
        }
        let elsewhere = address.service(ctx)?.map(|service| ctx.new_client(service)).transpose()?;
        let client = match &elsewhere {
            Some(client) => client,
            None => ctx.client().await?,
        };
        if !address.is_url() {
            add_reporting_tag(ctx, client, &mut request)?;
        }
        let pages =
            if self.paginate { Some(PageMerger::new(request.path.without_query(), &mut request.query)?) } else { None };
        if client.is_dry_run() {
            client.plan(&request)?;
            return Ok(());
        }
        let sink = AnswerOutput::new(&ctx.out, file, self.include, self.silent);
        match pages {
            Some(pages) => paginate(client, request, pages, &sink).await?,
            None => send(client, &request, &sink).await?,
        }
        Ok(())
    }
}

fn request(args: &ApiArgs, address: &ApiAddress) -> Result<Request, Failure> {
    let method = method(args)?;
    let mut request = Request::new(method, address.path.clone());
    (request.repeat, request.time_limit) = if address.is_url() {
        (Repeat::UntilArrived, TimeLimit::Idle)
    } else {
        let path = request.path.as_str();
        (operations::repeat(&request.method, path), operations::time_limit(&request.method, path))
    };
    if args.no_auth {
        request.key = None;
    }
    request.headers = parse_headers(&args.headers, args.no_auth)?;
    // `PageMerger` changes `page` and `page_size` in `request.query`, so move the query of the path there.
    if args.paginate
        && !address.is_url()
        && let Some((path, query)) = args.path.split_once('?')
    {
        request.path = Path::parse(path)?;
        request.query = decode_pairs(query);
    }
    let tree = fields::parse(&args.fields.0, args.form)?;
    let is_empty = args.fields.0.is_empty();
    let in_query = [Method::GET, Method::HEAD, Method::DELETE].contains(&request.method) || args.input.is_some();
    if in_query && args.form {
        return Err(Failure::usage(format!("--form needs a body, which {} requests do not have", request.method)));
    }
    if in_query {
        request.query.extend(to_pairs(&tree)?);
    } else if !is_empty || args.form {
        request.body = body_of_fields(&tree, args.form)?;
    }
    if request.headers.contains_key(CONTENT_TYPE) && !matches!(request.body, RequestBody::Empty) {
        return Err(Failure::usage("-H Content-Type works with --input only")
            .hint("fields are sent as JSON, or with --form as a form"));
    }
    if let Some(path) = &args.input {
        request.body = input(path, &request, address)?;
    }
    if matches!(&request.body, RequestBody::File(..) | RequestBody::Multipart { .. }) {
        request.time_limit = TimeLimit::Idle;
    }
    Ok(request)
}

/// Returns the given method, or else POST if the request has content, as `gh api` does.
fn method(args: &ApiArgs) -> Result<Method, Failure> {
    let sends = !args.fields.0.is_empty() || args.form || args.input.is_some();
    let named = |name: &str| METHODS.into_iter().find(|method| method.as_str().eq_ignore_ascii_case(name));
    match &args.method {
        None if named(&args.path).is_some() => Err(Failure::usage(format!("{} needs a path", args.path))
            .hint("write it after the method: tulk api GET /v2/usage")),
        None => Ok(if sends { Method::POST } else { Method::GET }),
        Some(name) => named(name).ok_or_else(|| {
            let methods = METHODS.map(|method| method.to_string()).join(", ");
            Failure::usage(format!("invalid method `{name}`; supported: {methods}"))
                .hint("the method comes first: tulk api GET /v2/usage")
        }),
    }
}

/// Returns the body of `--input`. It must be JSON unless a header names its type or the target is a URL.
///
/// Such JSON is read into memory to be checked. Stdin, pipes and devices are read into memory too, because their size is unknown.
/// Other files are streamed.
fn input(path: &FilePath, request: &Request, address: &ApiAddress) -> Result<RequestBody, Failure> {
    let given = request.headers.get(CONTENT_TYPE).map(|value| value.to_str().unwrap_or_default());
    let media_type = given.or(address.is_url().then_some("application/octet-stream"));
    if let Some(media_type) = media_type
        && !is_stdin(path)
        && std::fs::metadata(path).is_ok_and(|data| data.is_file())
    {
        return Ok(RequestBody::File(media_type.to_owned(), file_upload("", path)?));
    }
    let bytes = Bytes::from(read_bytes(path, API_INPUT)?);
    let Some(media_type) = media_type else {
        serde_json::from_slice::<serde::de::IgnoredAny>(&bytes).map_err(|e| {
            Failure::usage(format!("{}: invalid JSON: {e}", path.display()))
                .hint("for other data, add -H 'Content-Type: ...'")
        })?;
        return Ok(RequestBody::Json(bytes));
    };
    Ok(RequestBody::Bytes(media_type.to_owned(), bytes))
}

fn check_filter(ctx: &Context, args: &ApiArgs) -> Result<(), Failure> {
    let to_file = args.output.as_deref().is_some_and(|path| !is_stdin(path));
    let given = [(to_file, "-o"), (args.include, "--include"), (args.silent, "--silent")];
    let conflict = given.into_iter().find(|(is_given, _)| *is_given);
    conflict.map_or(Ok(()), |(_, flag)| ctx.out.settings().filter_conflicts_with(flag))
}

fn check_stdin(ctx: &Context, args: &ApiArgs) -> Result<(), Failure> {
    let mut readers = Vec::new();
    if ctx.args.key_file.as_deref().is_some_and(is_stdin) {
        readers.push("--key-file".to_owned());
    }
    if args.input.as_deref().is_some_and(is_stdin) {
        readers.push("--input".to_owned());
    }
    let reads = |given: &&FieldArg| given.typed && given.text.ends_with("=@-");
    readers.extend(args.fields.0.iter().filter(reads).map(|given| format!("-F {}", given.text)));
    match readers.as_slice() {
        [first, second, ..] => Err(Failure::usage(format!("{first} and {second} both read stdin"))),
        _ => Ok(()),
    }
}

/// Adds the reporting tag to text translations and, on the public service, to voice session requests.
fn add_reporting_tag(ctx: &Context, client: &Client, request: &mut Request) -> Result<(), Failure> {
    let Some(tag) = ctx.args.reporting_tag.given() else { return Ok(()) };
    let is_tagged = match request.path.without_query() {
        translate::PATH => true,
        RequestVoiceSession::PATH => client.service().is_public,
        _ => false,
    };
    if request.method == Method::POST && is_tagged {
        translate::check_reporting_tag(tag)?;
        translate::put_reporting_tag(tag, client.service(), &mut request.headers)?;
    }
    Ok(())
}

async fn send(client: &Client, request: &Request, sink: &AnswerOutput<'_>) -> Result<(), Failure> {
    let answer = client.download(request, sink).await?;
    if answer.is_success() {
        return sink.finish();
    }
    sink.print_complete(Some((answer.status, &answer.headers)), &answer.body)?;
    Err(client.refused(request, &answer))
}

async fn paginate(
    client: &Client,
    mut request: Request,
    mut pages: PageMerger,
    sink: &AnswerOutput<'_>,
) -> Result<(), Failure> {
    sink.start_pages()?;
    let end = loop {
        let answer = client.exchange(&request).await?;
        if !answer.is_success() {
            sink.print_complete(None, &answer.body)?;
            return Err(client.refused(&request, &answer));
        }
        let Ok(text) = std::str::from_utf8(&answer.body) else {
            return Err(failures::unusable(&answer, "expected UTF-8"));
        };
        match pages.add(text, &mut |chunk| sink.add_page_text(chunk))? {
            NextPage::Select(parameter, value) => {
                request.query.retain(|(key, _)| key != parameter);
                request.query.push((parameter.to_owned(), value));
            }
            NextPage::None(why) => break why,
        }
    };
    let path = request.path.without_query();
    match pages.count() {
        1 if end == LastPage::NotPaged && operations::paging(path).is_none() => {
            sink.out.warn(&format!("{path} may have no pages: only one was received"));
        }
        count => sink.out.status(&format!("{path}: {}: {end}", counted(count, "page"))),
    }
    sink.finish()
}
