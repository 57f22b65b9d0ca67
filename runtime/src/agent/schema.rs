//! JSON Schemas as models read them.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};

/// Models read one object better than references, and some providers take no others.
pub(super) fn schema_of<T: JsonSchema>() -> Schema {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.remove("title");
    schema
}
