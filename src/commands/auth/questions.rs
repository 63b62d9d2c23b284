//! The questions of `tulk auth login` on a terminal when no service is set.

use tulk_base::error::Failure;

use crate::config::{Config, ServiceDefinition, is_same, normalized, with_endpoints};
use crate::context::Context;

/// The service that a key is for.
#[derive(Clone, Debug, Default)]
pub struct ServiceChoice {
    /// The address of a server, instead of a service.
    pub server: Option<String>,
    /// The name of a preset, or of a service under `[services]`.
    pub service: Option<String>,
    /// The endpoint of the service; by default the one that the key is for.
    pub endpoint: Option<String>,
}

impl ServiceChoice {
    /// Asks for service and endpoint. `endpoint` is the one of `--endpoint`.
    pub fn ask(ctx: &Context, config: &Config, endpoint: Option<String>) -> Result<Self, Failure> {
        let services = with_endpoints(&config.file)?;
        let names: Vec<&str> = services.iter().map(|service| service.name.as_str()).collect();
        let default = names.first().copied().unwrap_or_default();
        let known = format!("{}, or the address of another server such as https://translate.example", names.join(", "));
        ctx.out.status("Which service is the key for?");
        let mut choice = Self::default();
        let definition = loop {
            let answer = answer(ctx, &format!("{known} [{default}]: "))?;
            let text = if answer.is_empty() { default } else { answer.as_str() };
            if let Some(service) = services.iter().find(|service| service.name == text) {
                break service;
            }
            let Ok((address, _)) = normalized(text) else {
                // It may be the key itself.
                ctx.out.status("This is neither a service nor an address.");
                continue;
            };
            let of_service =
                |service: &&ServiceDefinition| service.endpoints.iter().any(|(_, url)| is_same(url, &address));
            if let Some(service) = services.iter().find(of_service) {
                choice.endpoint =
                    service.endpoints.iter().find(|(_, url)| is_same(url, &address)).map(|(name, _)| name.clone());
                break service;
            }
            return Ok(Self { server: Some(address), ..choice });
        };
        choice.service = Some(definition.name.clone());
        choice.endpoint = endpoint.or(choice.endpoint);
        if choice.endpoint.is_none() && definition.endpoints.len() > 1 {
            choice.endpoint = ask_endpoint(ctx, definition)?;
        }
        Ok(choice)
    }
}

/// Asks for an endpoint. `None` stands for the one that the key is for.
fn ask_endpoint(ctx: &Context, definition: &ServiceDefinition) -> Result<Option<String>, Failure> {
    let names: Vec<&str> = definition.endpoints.iter().map(|(name, _)| name.as_str()).collect();
    let default = if definition.free_key_suffix.is_some() { "paid or free, as the key says" } else { "paid" };
    ctx.out.status("Which endpoint?");
    loop {
        let answer = answer(ctx, &format!("{} [{default}]: ", names.join(", ")))?;
        match answer.as_str() {
            "" => return Ok(None),
            name if names.contains(&name) => return Ok(Some(answer)),
            _ => ctx.out.status("There is no such endpoint."),
        }
    }
}

fn answer(ctx: &Context, question: &str) -> Result<String, Failure> {
    ctx.out.ask(question)?.ok_or_else(|| Failure::usage("no answer; nothing was stored"))
}
