//! What witnesses say about themselves: when they were made, by whom, for what.

use std::time::{SystemTime, UNIX_EPOCH};

use frontend::hir::DataModel;
use frontend::{Loaded, PropertySource};
use program::Property;
use sha2::{Digest, Sha256};

use crate::origin;
use crate::witness::Metadata;

/// The metadata of a witness made now.
pub fn metadata(loaded: &Loaded, property: Option<&PropertySource>) -> Metadata {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    Metadata {
        creation_time: iso8601(now),
        version: env!("CARGO_PKG_VERSION").into(),
        file: loaded.input().display().to_string(),
        sha256: origin::sha256(loaded.input()).unwrap_or_default(),
        specification: specification(property, &loaded.properties),
        data_model: match loaded.data_model {
            DataModel::Ilp32 => "ILP32".into(),
            DataModel::Lp64 => "LP64".into(),
        },
    }
}

fn specification(property: Option<&PropertySource>, asked: &[Property]) -> String {
    let always = |what: &str| format!("CHECK( init(main()), LTL(G {what}) )");
    let check = |what: &str| always(&format!("! {what}"));
    match property {
        Some(PropertySource::File(path)) => {
            std::fs::read_to_string(path).map_or_else(|_| check("call(reach_error())"), |text| text.trim().to_string())
        }
        Some(PropertySource::Names(names)) => {
            let formula = |name: &String| match name.as_str() {
                "unreach-label" => check("label(ERROR)"),
                "unreach-call" => check("call(reach_error())"),
                other => other.strip_prefix("no-").map_or_else(|| always(other), check),
            };
            let labels = names.iter().filter(|name| *name == "unreach-label").map(formula);
            let calls = |property: &&Property| {
                **property != Property::UnreachCall || names.iter().any(|name| name == "unreach-call" || name == "all")
            };
            let others = asked.iter().filter(calls).map(|property| formula(&property.name().to_string()));
            labels.chain(others).collect::<Vec<_>>().join("\n")
        }
        _ => check("call(reach_error())"),
    }
}

/// Identifiers of the form of RFC 4122, version 4, from a hash of what they identify and the time.
pub fn uuids(metadata: &Metadata) -> impl FnMut() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    let seed = format!("{now} {} {} {}", std::process::id(), metadata.sha256, metadata.file);
    let mut count = 0_u32;
    move || {
        count += 1;
        let mut bytes: Vec<u8> = Sha256::digest(format!("{seed} {count}"))[..16].to_vec();
        bytes[6] = (bytes[6] & 0x0f) | 0x40;
        bytes[8] = (bytes[8] & 0x3f) | 0x80;
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
    }
}

/// Seconds since 1970 as a date and a time in UTC.
fn iso8601(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Days are counted in years that begin in March, so that the leap day is the last.
    let day = days + 719_468;
    let era = day / 146_097;
    let of_era = day % 146_097;
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let date = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{date:02}T{:02}:{:02}:{:02}Z", rest / 3_600, rest / 60 % 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_799, "2000-02-29T23:59:59Z"),
            (1_735_689_600, "2025-01-01T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(iso8601(seconds), text);
        }
    }
}
