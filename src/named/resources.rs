//! What each resource of the service is called: its noun, the command that lists it, and the fields of name and ID.

use std::borrow::Cow;

use tulk_base::json::Kept;
use tulk_client::api::glossary::Glossary;
use tulk_client::api::glossary::v2::GlossaryV2;
use tulk_client::api::style::{CustomInstruction, StyleRule};
use tulk_client::api::tm::TranslationMemory;
use tulk_client::api::voice::terms::SpokenTerms;

use super::Named;

impl<T: Named> Named for Kept<T> {
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

impl Named for Glossary {
    const NOUN: &'static str = "glossary";
    const LIST: &'static str = "tulk glossary list";

    fn id(&self) -> &str {
        &self.glossary_id
    }

    fn name(&self) -> &str {
        &self.name
    }
}

impl Named for GlossaryV2 {
    const NOUN: &'static str = "v2 glossary";
    const LIST: &'static str = "tulk glossary v2 list";

    fn id(&self) -> &str {
        &self.glossary_id
    }

    fn name(&self) -> &str {
        &self.name
    }
}

impl Named for StyleRule {
    const NOUN: &'static str = "style rule list";
    const LIST: &'static str = "tulk style list";

    fn id(&self) -> &str {
        &self.style_id
    }

    fn name(&self) -> &str {
        &self.name
    }
}

impl Named for CustomInstruction {
    const NOUN: &'static str = "custom instruction";
    const LIST: &'static str = "tulk style instruction list";

    fn id(&self) -> &str {
        &self.id
    }

    fn name(&self) -> &str {
        &self.label
    }
}

impl Named for TranslationMemory {
    const NOUN: &'static str = "translation memory";
    const LIST: &'static str = "tulk tm list";

    fn id(&self) -> &str {
        &self.translation_memory_id
    }

    fn name(&self) -> &str {
        &self.name
    }
}

impl Named for SpokenTerms {
    const NOUN: &'static str = "spoken terms collection";
    const LIST: &'static str = "tulk voice terms list";

    fn id(&self) -> &str {
        &self.spoken_terms_id
    }

    fn name(&self) -> &str {
        &self.name
    }
}
