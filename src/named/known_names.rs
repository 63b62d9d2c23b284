//! Stores the names that the service lists, for shell completion, which never sends requests.
//!
//! A failure to write them is reported only with `-v`, since no result is affected.

use tulk_base::error::Failure;
use tulk_store::names::{KnownName, NameCache};

use super::Named;
use crate::context::Context;

pub async fn keep_all<T: Named>(ctx: &Context, all: &[T]) {
    let names = all.iter().map(known_name).collect();
    edit_known_names::<T>(ctx, |list| *list = names).await;
}

/// Stores the name of a resource that was created or renamed.
pub async fn keep<T: Named>(ctx: &Context, resource: &T) {
    edit_known_names::<T>(ctx, |list| {
        list.retain(|known| known.id != resource.id());
        list.push(known_name(resource));
    })
    .await;
}

pub async fn forget<T: Named>(ctx: &Context, id: &str) {
    edit_known_names::<T>(ctx, |list| list.retain(|known| !known.id.eq_ignore_ascii_case(id))).await;
}

async fn edit_known_names<T: Named>(ctx: &Context, edit: impl FnOnce(&mut Vec<KnownName>)) {
    let written: Result<(), Failure> = async {
        let server = ctx.server_identity().await?;
        NameCache::open()?.change(&server, T::NOUN, edit)
    }
    .await;
    if let Err(failure) = written
        && ctx.out.settings().verbosity > 0
    {
        ctx.out.log(&format!("cannot keep names for completion: {failure}"));
    }
}

fn known_name<T: Named>(resource: &T) -> KnownName {
    KnownName { id: resource.id().to_owned(), name: resource.name().to_owned() }
}
