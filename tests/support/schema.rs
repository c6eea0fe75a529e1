//! JSON Schema, as far as tests/schemas uses it. An unknown keyword is an error of the schema, not ignored.

use saphyr::{LoadableYamlNode, Yaml};
use serde_json::{Value, json};

/// The JSON of a witness's YAML.
pub fn witness(text: &str) -> Result<Value, String> {
    let documents = Yaml::load_from_str(text).map_err(|error| error.to_string())?;
    documents.first().map(json_of).ok_or_else(|| "it is empty".into())
}

/// What is wrong with a witness under the published format.
pub fn check_witness(witness: &Value) -> Result<(), String> {
    let schema: Value = serde_json::from_str(include_str!("../schemas/witness.json")).expect("the schema is JSON");
    check(&schema, witness)
}

fn json_of(yaml: &Yaml) -> Value {
    if let Some(items) = yaml.as_vec() {
        return items.iter().map(json_of).collect();
    }
    if let Some(members) = yaml.as_mapping() {
        let member = |(key, value): (&Yaml, &Yaml)| (key.as_str().unwrap_or_default().to_string(), json_of(value));
        return Value::Object(members.iter().map(member).collect());
    }
    yaml.as_integer().map_or_else(|| json!(yaml.as_str()), |number| json!(number))
}

/// What is wrong with a value under a schema, with the path to it.
pub fn check(schema: &Value, value: &Value) -> Result<(), String> {
    at(schema, schema, value, "")
}

fn at(root: &Value, schema: &Value, value: &Value, path: &str) -> Result<(), String> {
    let keywords = match schema {
        Value::Bool(true) => return Ok(()),
        Value::Object(keywords) => keywords,
        _ => return Err(format!("{path}: the schema is no schema")),
    };
    let wrong = |what: &str| Err(format!("{path}: {what}: {value}"));
    let length = |value: &Value| match value {
        Value::String(text) => text.chars().count() as u64,
        Value::Array(items) => items.len() as u64,
        Value::Object(members) => members.len() as u64,
        _ => 0,
    };
    for (keyword, rule) in keywords {
        match keyword.as_str() {
            "$schema" | "$comment" | "$defs" => {}
            "$ref" => {
                let pointer = rule.as_str().and_then(|text| text.strip_prefix('#')).ok_or("a strange $ref")?;
                at(root, root.pointer(pointer).ok_or("a $ref to nowhere")?, value, path)?;
            }
            "type" => {
                let fits = match rule.as_str().unwrap_or("") {
                    "array" => value.is_array(),
                    "object" => value.is_object(),
                    "string" => value.is_string(),
                    "integer" => value.is_i64() || value.is_u64(),
                    other => return Err(format!("unknown type {other}")),
                };
                if !fits {
                    return wrong(&format!("not of type {rule}"));
                }
            }
            "const" if rule != value => return wrong(&format!("not {rule}")),
            "enum" if !rule.as_array().is_some_and(|all| all.contains(value)) => {
                return wrong(&format!("none of {rule}"));
            }
            "const" | "enum" => {}
            "minItems" | "minLength" | "minProperties" if length(value) < rule.as_u64().unwrap_or(0) => {
                return wrong("too short");
            }
            "maxLength" if length(value) > rule.as_u64().unwrap_or(0) => return wrong("too long"),
            "minimum" if value.as_i64() < rule.as_i64() => return wrong("too small"),
            "minItems" | "minLength" | "minProperties" | "maxLength" | "minimum" => {}
            "format" => {
                let shape = match rule.as_str().unwrap_or("") {
                    "uuid" => "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh",
                    "date-time" => "dddd-dd-ddTdd:dd:ddZ",
                    other => return Err(format!("unknown format {other}")),
                };
                let text = value.as_str().unwrap_or("");
                let fits = |(c, like): (char, char)| match like {
                    'h' => c.is_ascii_hexdigit(),
                    'd' => c.is_ascii_digit(),
                    _ => c == like,
                };
                if text.len() != shape.len() || !text.chars().zip(shape.chars()).all(fits) {
                    return wrong(&format!("not of the format {rule}"));
                }
            }
            "required" => {
                for name in rule.as_array().into_iter().flatten().filter_map(Value::as_str) {
                    if value.get(name).is_none() {
                        return Err(format!("{path}: {name} is missing"));
                    }
                }
            }
            "properties" => {
                for (name, inner) in rule.as_object().into_iter().flatten() {
                    if let Some(member) = value.get(name) {
                        at(root, inner, member, &format!("{path}/{name}"))?;
                    }
                }
            }
            "additionalProperties" => {
                let known = keywords.get("properties").and_then(Value::as_object);
                for (name, member) in value.as_object().into_iter().flatten() {
                    if known.is_some_and(|known| known.contains_key(name)) {
                        continue;
                    }
                    if *rule == Value::Bool(false) {
                        return Err(format!("{path}: {name} is not known"));
                    }
                    at(root, rule, member, &format!("{path}/{name}"))?;
                }
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    at(root, rule, item, &format!("{path}/{index}"))?;
                }
            }
            "oneOf" => {
                let results: Vec<_> =
                    rule.as_array().into_iter().flatten().map(|inner| at(root, inner, value, path)).collect();
                if results.iter().filter(|result| result.is_ok()).count() != 1 {
                    let why: Vec<String> = results.into_iter().filter_map(Result::err).collect();
                    return Err(format!("{path}: not exactly one of the alternatives: {}", why.join("; ")));
                }
            }
            other => return Err(format!("unknown keyword {other}")),
        }
    }
    Ok(())
}
