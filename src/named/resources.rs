//! For each resource of the service: its noun, its list command, its ID and its name.

use std::borrow::Cow;

use tulk_base::json::WithRaw;
use tulk_client::api::glossary::Glossary;
use tulk_client::api::glossary::v2::GlossaryV2;
use tulk_client::api::style::profiles::StyleProfile;
use tulk_client::api::style::{CustomInstruction, StyleRule};
use tulk_client::api::tm::TranslationMemory;
use tulk_client::api::voice::terms::SpokenTerms;

use super::Named;

impl<T: Named> Named for WithRaw<T> {
    const NOUN: &'static str = T::NOUN;
    const LIST: &'static str = T::LIST;
    const SECRET_ID: bool = T::SECRET_ID;

    fn id(&self) -> &str {
        T::id(self)
    }

    fn name(&self) -> &str {
        T::name(self)
    }

    fn candidate(&self) -> Cow<'_, str> {
        T::candidate(self)
    }

    fn is_id(text: &str) -> bool {
        T::is_id(text)
    }
}

macro_rules! named {
    ($($resource:ty: $noun:literal, $list:literal, $id:ident, $name:ident;)+) => {
        $(impl Named for $resource {
            const NOUN: &'static str = $noun;
            const LIST: &'static str = $list;

            fn id(&self) -> &str {
                &self.$id
            }

            fn name(&self) -> &str {
                &self.$name
            }
        })+
    };
}
named! {
    Glossary: "glossary", "tulk glossary list", glossary_id, name;
    GlossaryV2: "v2 glossary", "tulk glossary v2 list", glossary_id, name;
    StyleRule: "style rule list", "tulk style list", style_id, name;
    StyleProfile: "style profile", "tulk style profile list", style_profile_id, name;
    CustomInstruction: "custom instruction", "tulk style instruction list", id, label;
    TranslationMemory: "translation memory", "tulk tm list", translation_memory_id, name;
    SpokenTerms: "spoken terms collection", "tulk voice terms list", spoken_terms_id, name;
}
