//! What a state is made of: its fields, and what is said of each.

use proc_macro2::{Ident, TokenStream};
use quote::format_ident;
use syn::{Attribute, Data, DeriveInput, ExprPath, Fields, Type, Visibility};

use crate::attr_messages as say;
use crate::diagnostics::Diagnostics;
use crate::keys::{self, Keys};
use crate::names::{self, unraw};

/// `FieldSet` has so many bits.
const MOST_FIELDS: usize = 256;
const FIELD_KEYS: &[&str] = &["append", "merge", "sum", "min", "max", "with", "conversation", "per_turn"];
const REDUCERS: &[&str] = &["append", "merge", "sum", "min", "max", "with", "conversation"];
const STATE_KEYS: &[&str] = &["crate", "version", "migrate"];

/// A struct that is a state.
pub(super) struct State<'a> {
    pub(super) krate: syn::Path,
    pub(super) vis: &'a Visibility,
    pub(super) name: &'a Ident,
    /// What the update is called.
    pub(super) update: Ident,
    /// What serde is told of all fields' names.
    pub(super) serde: Vec<TokenStream>,
    pub(super) fields: Vec<Field<'a>>,
}

/// One of its fields.
pub(super) struct Field<'a> {
    pub(super) index: usize,
    pub(super) name: &'a Ident,
    pub(super) ty: &'a Type,
    pub(super) docs: Vec<&'a Attribute>,
    pub(super) how: How,
    pub(super) per_turn: bool,
    /// Whether it has setters: not where their names are taken.
    pub(super) settable: bool,
    /// What serde is told of its name.
    pub(super) serde: Vec<TokenStream>,
}

/// How writes of a field are merged.
pub(super) enum How {
    Replace,
    Append,
    Merge,
    Sum,
    Min,
    Max,
    With(ExprPath),
    Conversation,
}

impl How {
    /// Whether a type may be merged so. Only what is known by its name is refused here, in words; rustc knows the rest.
    fn fits(&self, ty: &Type) -> bool {
        let Type::Path(path) = ty else { return true };
        let Some(last) = path.path.segments.last() else { return true };
        let name = last.ident.to_string();
        let number = matches!(
            name.as_str(),
            "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32" | "i64" | "i128" | "isize" | "f32" | "f64"
        );
        let map = matches!(name.as_str(), "BTreeMap" | "HashMap");
        let known =
            number || map || matches!(name.as_str(), "Vec" | "String" | "Option" | "bool" | "char" | "BTreeSet" | "HashSet" | "VecDeque");
        match self {
            Self::Append => !known || name == "Vec",
            Self::Merge => !known || map,
            Self::Sum => !known || number,
            Self::Min | Self::Max => !matches!(name.as_str(), "HashMap" | "HashSet"),
            Self::Conversation => !known,
            Self::Replace | Self::With(_) => true,
        }
    }

    /// What types may be merged so.
    fn wants(&self) -> &'static str {
        match self {
            Self::Append => "a `Vec`",
            Self::Merge => "a `BTreeMap` or a `HashMap`",
            Self::Sum => "a number",
            Self::Min | Self::Max => "what is ordered",
            Self::Conversation => "a `Conversation`",
            Self::Replace | Self::With(_) => "any type",
        }
    }

    /// The name of a method that a field has beside its setter.
    pub(super) fn second_setter(&self, field: &Ident) -> Option<Ident> {
        matches!(self, Self::Append | Self::Merge).then(|| format_ident!("set_{}", unraw(field)))
    }
}

impl<'a> State<'a> {
    /// Reads the struct. What is wrong with a field leaves the others as they are.
    pub(super) fn read(input: &'a DeriveInput, errors: &mut Diagnostics) -> Option<Self> {
        let data = match &input.data {
            Data::Struct(data) => data,
            Data::Enum(data) => {
                errors.error(data.enum_token.span, say::state_not_here("an enum"));
                return None;
            }
            Data::Union(data) => {
                errors.error(data.union_token.span, say::state_not_here("a union"));
                return None;
            }
        };
        let fields = match &data.fields {
            Fields::Named(fields) => &fields.named,
            Fields::Unnamed(fields) => {
                errors.error_spanned(fields, say::state_not_here("a tuple"));
                return None;
            }
            Fields::Unit => {
                errors.error(input.ident.span(), say::state_not_here("a struct without any"));
                return None;
            }
        };
        if !input.generics.params.is_empty() {
            errors.error_spanned(&input.generics.params, say::state_parameters());
            return None;
        }
        if fields.len() > MOST_FIELDS {
            errors.error(input.ident.span(), say::too_many_fields(fields.len()));
            return None;
        }
        let keys = Keys::parse(parts(&input.attrs, "state"), "state", STATE_KEYS, errors);
        for word in ["version", "migrate"] {
            if let Some(span) = keys.span(word) {
                errors.error(span, say::later(word));
            }
        }
        let krate = keys.krate(errors);
        let fields = fields
            .iter()
            .filter_map(|field| Some((field, field.ident.as_ref()?)))
            .enumerate()
            .map(|(index, (field, name))| Field::read(index, field, name, errors))
            .collect();
        let mut state = Self {
            krate,
            vis: &input.vis,
            name: &input.ident,
            update: format_ident!("{}Update", unraw(&input.ident)),
            serde: names_for_serde(&input.attrs, "rename_all", errors),
            fields,
        };
        state.check_names(errors);
        state.check_conversation(errors);
        Some(state)
    }

    /// The update's methods are named as the fields, so no two may meet.
    fn check_names(&mut self, errors: &mut Diagnostics) {
        let mut taken = vec![("apply_to".to_owned(), "it applies the update to a state".to_owned())];
        for field in &self.fields {
            if let Some(setter) = field.how.second_setter(field.name) {
                taken.push((setter.to_string(), format!("it replaces `{}`", unraw(field.name))));
            }
        }
        for field in &mut self.fields {
            let name = unraw(field.name);
            if let Some((_, by)) = taken.iter().find(|(method, _)| *method == name) {
                errors.error(field.name.span(), say::taken_name(&name, by));
                field.settable = false;
            }
        }
    }

    fn check_conversation(&self, errors: &mut Diagnostics) {
        let conversations = self.fields.iter().filter(|field| matches!(field.how, How::Conversation));
        for field in conversations.skip(1) {
            errors.error(field.name.span(), say::two_conversations());
        }
    }

    /// The field that is the conversation.
    pub(super) fn conversation(&self) -> Option<&Field<'a>> {
        self.fields.iter().find(|field| matches!(field.how, How::Conversation))
    }
}

impl<'a> Field<'a> {
    fn read(index: usize, field: &'a syn::Field, name: &'a Ident, errors: &mut Diagnostics) -> Self {
        let keys = Keys::parse(parts(&field.attrs, "state"), "state", FIELD_KEYS, errors);
        let mut said = REDUCERS.iter().filter_map(|word| Some((*word, keys.span(word)?)));
        let first = said.next();
        if let (Some((first, _)), Some((second, span))) = (first, said.next()) {
            errors.error(span, say::two_reducers(first, second));
        }
        let how = match first.map_or("", |(word, _)| word) {
            "with" => keys.path("with", errors).map_or(How::Replace, How::With),
            word => {
                keys.flag(word, errors);
                match word {
                    "append" => How::Append,
                    "merge" => How::Merge,
                    "sum" => How::Sum,
                    "min" => How::Min,
                    "max" => How::Max,
                    "conversation" => How::Conversation,
                    _ => How::Replace,
                }
            }
        };
        let how = if how.fits(&field.ty) {
            how
        } else {
            let (word, span) = first.map_or(("", name.span()), |(word, span)| (word, span));
            errors.error(span, say::does_not_merge(word, how.wants(), &names::text(&field.ty)));
            How::Replace
        };
        Self {
            index,
            name,
            ty: &field.ty,
            docs: field.attrs.iter().filter(|attr| attr.path().is_ident("doc")).collect(),
            how,
            settable: true,
            per_turn: keys.flag("per_turn", errors).is_some(),
            serde: names_for_serde(&field.attrs, "rename", errors),
        }
    }
}

fn parts(attrs: &[Attribute], name: &str) -> Vec<TokenStream> {
    let named = attrs.iter().filter(|attr| attr.path().is_ident(name));
    named.filter_map(|attr| attr.meta.require_list().ok()).map(|list| list.tokens.clone()).collect()
}

/// The stored update speaks of a field by the names that the stored state does: `rename` and `alias` hold for both.
fn names_for_serde(attrs: &[Attribute], rename: &str, errors: &mut Diagnostics) -> Vec<TokenStream> {
    let mut names = Vec::new();
    // What cannot be read, serde tells.
    let mut unread = Diagnostics::default();
    for key in parts(attrs, "serde").into_iter().flat_map(|part| keys::split(part, &mut unread)) {
        match key.name.to_string().as_str() {
            word if word == rename || word == "alias" => names.push(key.tokens),
            word @ ("skip" | "skip_serializing" | "skip_deserializing") => {
                errors.error(key.name.span(), say::serde_skip(word));
            }
            word @ ("with" | "serialize_with" | "deserialize_with" | "from" | "try_from" | "into") => {
                errors.error(key.name.span(), say::serde_with(word));
            }
            "flatten" => errors.error(key.name.span(), say::serde_flatten()),
            _ => {}
        }
    }
    names
}
