//! Prompts of `tulk auth login` on a terminal if neither a flag nor the profile names a service.

use tulk_base::error::Failure;

use crate::config::{Config, ServiceDefinition, is_same, normalized_address, with_endpoints};
use crate::context::Context;

#[derive(Clone, Debug, Default)]
pub struct ServiceChoice {
    /// Server URL, instead of a service.
    pub server: Option<String>,
    /// Preset, or a name under `[services]`.
    pub service: Option<String>,
    /// Endpoint of the service; by default, the key determines it.
    pub endpoint: Option<String>,
}

impl ServiceChoice {
    /// Asks for the service and, unless `endpoint` (from `--endpoint`) is given, for its endpoint.
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
            let Ok((address, _)) = normalized_address(text) else {
                // Do not repeat the answer: it may be the key.
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

/// `None` means that the key determines the endpoint.
fn ask_endpoint(ctx: &Context, definition: &ServiceDefinition) -> Result<Option<String>, Failure> {
    let names: Vec<&str> = definition.endpoints.iter().map(|(name, _)| name.as_str()).collect();
    let default = if definition.free_key_suffix.is_some() { "paid or free, depending on the key" } else { "paid" };
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
