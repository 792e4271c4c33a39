//! The names that docket numbers consist of: agencies, departments, offices.
//!
//! The codes are those of the federal rulemaking portal. A name that is not listed is still found in a strict spelling,
//! or can be made known by an alias.

/// Agencies that keep dockets, sorted.
const AGENCIES: &[&str] = &[
    "ACF", "AHRQ", "AID", "AMS", "AOA", "APHIS", "ARS", "ASC", "ATBCB", "ATF", "ATR", "ATSDR", "BIA", "BIS", "BLM",
    "BLS", "BOEM", "BOP", "BPD", "BSEE", "CCC", "CDC", "CDFI", "CEQ", "CFPB", "CFTC", "CIS", "CISA", "CMS", "CNCS",
    "COE", "CPSC", "CSREES", "DARS", "DEA", "DEPO", "DFAS", "DHS", "DNFSB", "DOC", "DOD", "DOE", "DOI", "DOJ", "DOL",
    "DOS", "DOT", "EAB", "EAC", "EBSA", "ED", "EDA", "EEOC", "EERE", "EIA", "EIB", "EOIR", "EPA", "ERULE", "ESA",
    "ETA", "FAA", "FAR", "FAS", "FBI", "FCA", "FCIC", "FDA", "FDIC", "FEMA", "FERC", "FFIEC", "FHFA", "FHWA", "FINCEN",
    "FIRSTNET", "FISCAL", "FMC", "FMCS", "FMCSA", "FNS", "FRA", "FRS", "FS", "FSA", "FSIS", "FSOC", "FTA", "FTC",
    "FTZB", "FWS", "GAPFAC", "GIPSA", "GSA", "HHS", "HHSIG", "HRSA", "HUD", "IACB", "ICEB", "IHS", "INS", "IRS",
    "ISOO", "ITA", "ITC", "JBEA", "LMSO", "LSC", "MARAD", "MBDA", "MMS", "MSHA", "NARA", "NASA", "NCUA", "NEA", "NEH",
    "NHTSA", "NIC", "NIFA", "NIGC", "NIH", "NIST", "NLRB", "NMFS", "NOAA", "NPS", "NRC", "NRCS", "NSF", "NTIA", "NTSB",
    "OCC", "OEPNU", "OFAC", "OFCCP", "OFPP", "OFR", "OJJDP", "OJP", "OMB", "ONDCP", "ONRR", "OPIC", "OPM", "OPPM",
    "OSC", "OSHA", "OSM", "OSMRE", "OST", "OTS", "PBGC", "PCLOB", "PHMSA", "PRC", "PTO", "RBS", "RHS", "RITA", "RSPA",
    "RUS", "SAMHSA", "SBA", "SEC", "SIGAR", "SLSDC", "SSA", "SSS", "STB", "TREAS", "TSA", "TTB", "TVA", "USA", "USACE",
    "USAF", "USBC", "USC", "USCBP", "USCG", "USCIS", "USDA", "USGS", "USN", "USPC", "USPS", "USTR", "VA", "VETS",
    "WCPO", "WHD",
];
/// Offices of the EPA, which are often cited without its name, sorted.
const OFFICES: &[&str] = &[
    "OA", "OAR", "OARM", "OCSPP", "OECA", "OEI", "OEM", "OGC", "OLEM", "OMS", "OPA", "OPP", "OPPT", "ORD", "OSWER",
    "OW", "RCRA", "SFUND", "TRI", "UST",
];
/// Departments whose agencies keep dockets of their own, sorted.
const DEPARTMENTS: &[&str] = &["DHS", "DOC", "DOD", "DOE", "DOI", "DOJ", "DOL", "DOT", "HHS", "TREAS", "USDA"];
/// Parts between agency and year, sorted; regions are separate.
const CODES: &[&str] = &["BT", "ES", "FV", "HQ", "IA", "MB", "NM", "NMFS", "NOP", "OCR", "OS", "ST"];
/// Agencies that write the year with two digits, sorted.
const SHORT_YEARS: &[&str] = &["AMS", "FCIC", "GIPSA", "RHS", "RUS"];

/// Whether this names an agency, in any case, with or without the country before it.
pub(crate) fn is_known_agency(name: &str) -> bool {
    let national = name.get(..2).filter(|country| country.eq_ignore_ascii_case("US")).is_some();
    is_agency(name) || name.eq_ignore_ascii_case("ICE") || national && is_agency(&name[2..])
}

fn is_agency(name: &str) -> bool {
    is_in(AGENCIES, name)
}

/// Whether this is the code of an office of the EPA.
pub(crate) fn is_office(name: &str) -> bool {
    is_in(OFFICES, name)
}

/// Whether this is any part of a docket number before the year.
pub(crate) fn is_code(name: &str) -> bool {
    is_in(CODES, name) || is_known_agency(name) || is_office(name) || region(name).is_some()
}

/// Whether the dockets of this agency have years of two digits.
pub(crate) fn has_short_years(name: &str) -> bool {
    is_in(SHORT_YEARS, name)
}

fn is_in(sorted: &[&str], name: &str) -> bool {
    let mut upper = [0u8; 8];
    let Some(upper) = upper.get_mut(..name.len()) else { return false };
    upper.copy_from_slice(name.as_bytes());
    upper.make_ascii_uppercase();
    sorted.binary_search_by(|entry| entry.as_bytes().cmp(upper)).is_ok()
}

/// The number of a region, `R06` or `R6`.
fn region(name: &str) -> Option<u8> {
    let digits = name.strip_prefix(['R', 'r'])?;
    let shaped = (1..=2).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    if shaped { digits.parse().ok() } else { None }
}

/// Brings the parts before the year, in upper case, to the form that the portal uses.
pub(crate) fn settle(parts: &mut Vec<String>) {
    let Some(first) = parts.first() else { return };
    if let Some(name) = first.strip_prefix("US").filter(|name| !is_agency(first) && is_agency(name)) {
        parts[0] = name.to_owned();
    }
    if parts.len() > 1 && is_in(DEPARTMENTS, &parts[0]) && is_agency(&parts[1]) && parts[1] != "OST" {
        parts.remove(0);
    }
    match parts[0].as_str() {
        "ICE" => "ICEB".clone_into(&mut parts[0]),
        "NMFS" => parts.insert(0, "NOAA".to_owned()),
        "OST" => parts.insert(0, "DOT".to_owned()),
        "DOT" if parts.len() == 1 => parts.push("OST".to_owned()),
        office if is_office(office) => parts.insert(0, "EPA".to_owned()),
        _ => {}
    }
    if parts.len() > 1 && parts[0] == "EPA" {
        match region(&parts[1]) {
            Some(number) => parts[1] = format!("R{number:02}"),
            None if parts[1] != "HQ" => parts.insert(1, "HQ".to_owned()),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted() {
        for list in [AGENCIES, OFFICES, DEPARTMENTS, CODES, SHORT_YEARS] {
            assert!(list.is_sorted());
        }
    }

    #[test]
    fn prefixes_are_brought_to_one_form() {
        for (raw, settled) in [
            ("EPA-OAR", "EPA-HQ-OAR"),
            ("USEPA-OAR", "EPA-HQ-OAR"),
            ("OAR", "EPA-HQ-OAR"),
            ("EPA-HQ-OAR", "EPA-HQ-OAR"),
            ("EPA-R6-OAR", "EPA-R06-OAR"),
            ("EPA", "EPA"),
            ("DOT", "DOT-OST"),
            ("OST", "DOT-OST"),
            ("DOT-OST", "DOT-OST"),
            ("USDOT-OST", "DOT-OST"),
            ("DOT-FAA", "FAA"),
            ("USDA-APHIS", "APHIS"),
            ("USCIS", "USCIS"),
            ("DHS-ICEB", "ICEB"),
            ("NMFS", "NOAA-NMFS"),
            ("NOAA-NMFS", "NOAA-NMFS"),
            ("FWS-R9-ES", "FWS-R9-ES"),
        ] {
            let mut parts: Vec<String> = raw.split('-').map(str::to_owned).collect();
            settle(&mut parts);
            assert_eq!(parts.join("-"), settled);
        }
    }
}
