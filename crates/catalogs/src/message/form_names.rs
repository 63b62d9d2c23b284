//! The names of plural forms and branches, as listings of results show them.
//!
//! Input: how the sentences of a unit become its text. Output: for each sentence the forms that it is for.

use super::branches::BranchTree;
use super::fold::{FoldPlan, LeafText};
use crate::plural::PluralForm;

impl FoldPlan {
    /// Returns for each of `sentences` its form: the category, the number after `=`, or the index of a PO file. A branch within others
    /// has all keys with dots between them. A sentence that is for several forms has all of them, with commas.
    ///
    /// `None` for a unit without forms.
    pub(super) fn form_names(&self, sentences: usize) -> Vec<Option<String>> {
        let mut names: Vec<Option<String>> = vec![None; sentences];
        let mut add = |leaf: &LeafText, name: &str| {
            let LeafText::Result(number) = leaf else { return };
            match names.get_mut(*number) {
                Some(Some(known)) => known.extend([",", name]),
                Some(place) => *place = Some(name.to_owned()),
                None => {}
            }
        };
        match self {
            Self::Text(_) => {}
            Self::Forms(_, forms) => forms.iter().for_each(|(form, leaf)| add(leaf, &form_name(*form))),
            Self::Tree { tree, leaves, .. } => {
                add_branches(tree, &mut Vec::new(), &mut |number, path| {
                    if let Some((leaf, _)) = leaves.get(number).filter(|_| !path.is_empty()) {
                        add(leaf, &path.join("."));
                    }
                });
            }
        }
        names
    }
}

fn form_name(form: PluralForm) -> String {
    match form {
        PluralForm::Exact(number) => format!("={number}"),
        PluralForm::Category(category) => category.name().to_owned(),
        PluralForm::Index(index) => index.to_string(),
    }
}

/// Calls `add` with each leaf of a tree and the keys of the branches around it.
fn add_branches<'a>(tree: &'a BranchTree, path: &mut Vec<&'a str>, add: &mut impl FnMut(usize, &[&str])) {
    match tree {
        BranchTree::Leaf(number) => add(*number, path),
        BranchTree::Choice { branches, .. } => {
            for (key, _, content) in branches {
                path.push(key);
                add_branches(content, path, add);
                path.pop();
            }
        }
    }
}
