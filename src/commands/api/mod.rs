//! `tulk api METHOD PATH`: any request with the key, retries and exit codes of every command.
//!
//! What the answer means is not looked at, but for `--paginate`. Spec: command line, section 4.

mod answer;
mod body;
mod fields;
mod pages;

use std::path::PathBuf;

use clap::Args;

use self::fields::Field;
use crate::config::Format;
use crate::context::Context;
use crate::http::request::Method;

/// Send any request: paths that have no command yet
#[derive(Args, Debug)]
#[allow(clippy::struct_excessive_bools)] // flags of the command line
pub struct ApiArgs {
    /// GET, POST, PUT, PATCH, DELETE or HEAD
    #[arg(value_parser = method)]
    pub method: Method,
    /// Path such as /v2/usage, never a full address
    pub path: String,
    /// Typed field: number, true, false, null, @FILE, else text
    #[arg(short = 'F', long = "field", value_name = "NAME=VALUE")]
    pub fields: Vec<Field>,
    /// Field whose value is text, whatever it looks like
    #[arg(short = 'f', long = "raw-field", value_name = "NAME=VALUE")]
    pub raw_fields: Vec<Field>,
    /// Send this file as the body; fields go to the query
    #[arg(long, value_name = "FILE|-")]
    pub input: Option<PathBuf>,
    /// Send the fields as a form, with @FILE as uploads
    #[arg(long)]
    pub form: bool,
    /// Add a header
    #[arg(short = 'H', value_name = "NAME: VALUE")]
    pub headers: Vec<String>,
    /// Print the status and the headers before the body
    #[arg(short, long)]
    pub include: bool,
    /// Ask for all pages and print them as one answer
    #[arg(long, conflicts_with_all = ["include", "input"])]
    pub paginate: bool,
    /// Print no body
    #[arg(long)]
    pub silent: bool,
}

fn method(text: &str) -> Result<Method, String> {
    let known = [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::HEAD];
    let upper = text.to_ascii_uppercase();
    known.into_iter().find(|method| *method == *upper).ok_or_else(|| "it is none of the methods".to_owned())
}

/// Sends the request.
pub async fn run(ctx: &Context, args: ApiArgs) -> Result<(), anyhow::Error> {
    ctx.out.refuse_formats(&[Format::Table, Format::Tsv, Format::Text, Format::Srt, Format::Vtt])?;
    ctx.out.check_columns(Format::Json)?;
    let request = body::request(&args)?;
    let client = ctx.client().await?;
    if args.paginate {
        pages::run(ctx, client, request, args.silent).await?;
        return Ok(());
    }
    if client.is_dry_run() && request.method != Method::GET && request.method != Method::HEAD {
        client.plan(&request)?;
        return Ok(());
    }
    let receiver = answer::Receiver::new(&ctx.out, args.include, args.silent);
    let answer = client.download(&request, &receiver).await?;
    receiver.end(&answer)?;
    if (200..300).contains(&answer.status) { Ok(()) } else { Err(client.refused(&request, &answer).into()) }
}
