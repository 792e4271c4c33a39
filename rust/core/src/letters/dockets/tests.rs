use super::*;

fn numbers(text: &str) -> Vec<String> {
    docket_numbers(text, &DocketRules::default()).into_iter().map(|citation| citation.number).collect()
}

#[test]
fn every_spelling_is_one_number() {
    for text in [
        "EPA-HQ-OAR-2002-0056",
        "USEPA-OAR-2002-0056",
        "US EPA-OAR-2002-0056",
        "Docket ID No. OAR-2002-0056",
        "docket oar 2002 0056",
        "Docket number: epa hq oar 2002 0056.",
        "my comment on epa-hq-oar-2002-0056, please",
        "EPA–HQ–OAR–2002–0056",
        "EPA\u{2011}HQ\u{2011}OAR\u{2011}2002\u{2011}0056",
        "EPA_HQ_OAR_2002_0056",
        "EPA - HQ - OAR - 2002 - 0056",
        "(Docket # EPA-HQ-OAR-\r\n   2002-0056)",
        "EPA-HQ-OAR-2002-\n0056",
        "EPA-HQ-OAR-2002-56 is docket EPA-HQ-OAR-2002-056",
        "EPA-HQ-OAR-2002-0056-9322",
        "https://www.regulations.gov/docket?D=EPA-HQ-OAR-2002-0056&x=1",
        "docket-EPA-HQ-OAR-2002-0056.pdf",
        "final_comments_EPA-HQ-OAR-2002-0056",
        "EPA\u{fffd}HQ\u{fffd}OAR\u{fffd}2002\u{fffd}0056",
        "EPA\u{a0}-\u{a0}HQ-OAR-2002-0056",
        "EPA HQ OAR 2002 0056 0011: it would be great",
    ] {
        assert_eq!(numbers(text), ["EPA-HQ-OAR-2002-0056"], "{text}");
    }
}

#[test]
fn numbers_of_all_shapes_are_found() {
    for (text, number) in [
        ("EPA-R06-OAR-2020-0510", "EPA-R06-OAR-2020-0510"),
        ("EPA-R6-OAR-2020-510", "EPA-R06-OAR-2020-0510"),
        ("DOT-OST-2003-16128", "DOT-OST-2003-16128"),
        ("USDOT-2003-16128", "DOT-OST-2003-16128"),
        ("Docket OST–2003–16128", "DOT-OST-2003-16128"),
        ("FAA–2017–0001", "FAA-2017-0001"),
        ("DHS Docket No. ICEB - 2015-002", "ICEB-2015-0002"),
        ("ICEB 2015 0002 0011: really", "ICEB-2015-0002"),
        ("In regards to Docket # ICE-2015-0002 some", "ICEB-2015-0002"),
        ("FDA-2014-N-0189-0001", "FDA-2014-N-0189"),
        ("docket fda 2014 N 0189", "FDA-2014-N-0189"),
        ("EERE-2010-BT-STD-0003", "EERE-2010-BT-STD-0003"),
        ("FWS-R9-ES-2011-0031", "FWS-R9-ES-2011-0031"),
        ("AMS-FV-11-0069", "AMS-FV-11-0069"),
        ("OSHA-H054A-2006-0064", "OSHA-H054A-2006-0064"),
        ("WC Docket No. 17-108", "17-108"),
        ("GN Docket 14-28.", "14-28"),
        ("Docket No. RM18-1-000", "RM18-1"),
        ("Docket No. A-97-10", "A-97-10"),
        ("RIN 2060-AJ65", "RIN 2060-AJ65"),
        ("RIN: 2060–aj65", "RIN 2060-AJ65"),
        ("RIN2060-AJ65", "RIN 2060-AJ65"),
        ("(1653-AA72)", "RIN 1653-AA72"),
        ("[FRL-7463-6]", "FRL-7463-6"),
        ("FRL No. 10001-87-OA", "FRL-10001-87"),
        ("Docket Number XYZZY-2015-0007", "XYZZY-2015-0007"),
        ("ABC-DEF-2015-1234", "ABC-DEF-2015-1234"),
        ("the EPA FAA-2017-1234", "FAA-2017-1234"),
        ("DHS ICEB-2015-0002", "ICEB-2015-0002"),
        ("docket EPA R6 OAR 2020 510", "EPA-R06-OAR-2020-0510"),
    ] {
        assert_eq!(numbers(text), [number], "{text}");
    }
    let text = "Docket Nos. EPA-HQ-OAR-2002-0056, OAR-2003-0001 and oar 2004 0002; FRL–7463–6; RIN 2060-AJ65";
    let expected =
        ["EPA-HQ-OAR-2002-0056", "EPA-HQ-OAR-2003-0001", "EPA-HQ-OAR-2004-0002", "FRL-7463-6", "RIN 2060-AJ65"];
    assert_eq!(numbers(text), expected);
}

#[test]
fn similar_text_is_not_a_number() {
    for text in [
        "during the years 2009-2013; and",
        "THE YEARS 2009-2013",
        "in Richmond, VA 2015-2016",
        "from ED 2015-2016",
        "2015-10-19",
        "on 2015-0002 people",
        "Oct-2015-0001",
        "Lakewood, OH 44107-2015",
        "Washington DC 2024-0001",
        "OH-44107-2003",
        "(415) 977-5673, 415-977-5673, 1-800-555-2015",
        "Call 202-2015-0001",
        "CVE-2014-0160",
        "Case No. F-2014-20439 Doc No. C05764667",
        "Docket # 2015-26395",
        "the docket 15-20 times a day",
        "H1B-2015-2016",
        "the EPA 2015 4000 page rule",
        "EPA, 2015, 0056",
        "part 1234-QX12",
        "éEPA-2015-0001",
        "docket",
        "",
    ] {
        assert_eq!(numbers(text), [""; 0], "{text}");
    }
}

#[test]
fn spans_contain_exactly_the_number() {
    let text = "é see Docket ID No. EPA–HQ–OAR–2002–0056–9322, thanks";
    let found = docket_numbers(text, &DocketRules::default());
    assert_eq!(&text[found[0].start as usize..found[0].end as usize], "EPA–HQ–OAR–2002–0056–9322");
    assert_eq!(found[0].scheme, Scheme::Docket);
}

#[test]
fn patterns_and_aliases_extend_the_rules() {
    let patterns = [r"(?i)file\s+no\.?\s*(s7-\d+-\d+)".to_owned()];
    let aliases = [("rin 2060-aj65", "EPA-OAR-2002-56"), ("MERCURY", "EPA-HQ-OAR"), ("ICE", "ICEB")];
    let aliases = aliases.map(|(from, to)| (from.to_owned(), to.to_owned()));
    let rules = DocketRules::new(&patterns, &aliases).expect("the pattern compiles");
    let found = docket_numbers("File No. s7–x; file no. S7-10-04, RIN 2060-AJ65, and so mercury 2002 0056", &rules);
    let numbers: Vec<&str> = found.iter().map(|citation| citation.number.as_str()).collect();
    assert_eq!(numbers, ["S7-10-04", "EPA-HQ-OAR-2002-0056"]);
    let lower = docket_numbers("docket mercury-2002-56", &rules);
    assert_eq!(lower[0].number, "EPA-HQ-OAR-2002-0056");
    assert_eq!(found[1].scheme, Scheme::Docket);
    assert_eq!(rules.spell(" epa-oar-2002-0056 "), "EPA-HQ-OAR-2002-0056");
    assert_eq!(rules.spell("something – else"), "SOMETHING-ELSE");
    let error = DocketRules::new(&["(".to_owned()], &[]).expect_err("no group is closed");
    assert!(error.to_string().contains("\"(\""));
}

#[test]
fn adversarial_texts_are_read_in_linear_time() {
    for text in ["12".repeat(500_000), "a12-".repeat(250_000), "EPA-2015-".repeat(100_000), "-".repeat(1_000_000)] {
        docket_numbers(&text, &DocketRules::default());
    }
    let spaced = format!("EPA{}2015{}0001", " ".repeat(500_000), "\n".repeat(500_000));
    assert!(numbers(&spaced).is_empty());
}

#[test]
fn numbers_are_found_in_random_spelling_and_context() {
    let mut seed = 7u64;
    let mut random = move |below: usize| {
        seed = crate::support::hash::mix(seed.wrapping_add(0x9e37_79b9_7f4a_7c15));
        seed as usize % below
    };
    for _ in 0..2_000 {
        let dash = ["-", "–", "_", " - ", "—", "-\n"][random(6)];
        let agency = [&["EPA", "HQ", "OW"][..], &["USEPA", "OW"], &["EPA", "OW"]][random(3)].join(dash);
        let serial = 1 + random(9_999);
        let padded = if random(2) == 0 { format!("{serial:04}") } else { format!("{serial:05}") };
        let number = format!("{agency}{dash}2011{dash}{padded}");
        let number = if random(2) == 0 { number.to_lowercase() } else { number };
        let text = format!("I refer to docket {number}{}", ["", ".", ", and", "\n\nDear EPA,", ")"][random(5)]);
        assert_eq!(numbers(&text), [format!("EPA-HQ-OW-2011-{serial:04}")], "{text}");
    }
}
