use super::Kind::*;
use super::*;

fn parts_with(text: &str, footers: &Footers) -> Vec<(Kind, String)> {
    let letter = parse(text, footers, &DocketRules::default());
    check(text, &letter);
    letter
        .parts
        .iter()
        .map(|part| (part.kind, text[part.start as usize..part.end as usize].trim().to_owned()))
        .collect()
}

fn parts(text: &str) -> Vec<(Kind, String)> {
    parts_with(text, &Footers::default())
}

/// Disjoint, in order, covering everything, neighbours of different kinds.
fn check(text: &str, letter: &Letter) {
    let mut at = 0;
    for part in &letter.parts {
        assert_eq!(part.start, at);
        assert!(part.end > part.start);
        assert!(text.is_char_boundary(part.end as usize));
        at = part.end;
    }
    assert_eq!(at as usize, text.len());
    assert!(letter.parts.windows(2).all(|pair| pair[0].kind != pair[1].kind));
}

fn expect(text: &str, expected: &[(Kind, &str)]) {
    let found = parts(text);
    let found: Vec<(Kind, &str)> = found.iter().map(|(kind, text)| (*kind, text.as_str())).collect();
    assert_eq!(found, expected, "{text}");
}

const BODY: &str = "I am writing to oppose the rule. It would harm the river that my family drinks from every day, and it was \
                    made without asking anybody who lives here.";

#[test]
fn the_parts_of_a_letter_on_paper_are_found() {
    expect(
        &format!(
            "8 November 2015\n\nThe Honorable Andrew Wheeler\nAdministrator\n1200 Pennsylvania Avenue NW\n\
             Washington, DC 20460\n\nRe: Docket ID No. EPA-HQ-OA-2018-0259\n\nDear Mr. Wheeler:\n\n{BODY}\n\n\
             Second paragraph.\n\nSincerely,\n\nDiane Johnson\nTeacher\n12 Elm Street\nRichmond, MI 48062\n\n\
             P.S. My children agree.\n"
        ),
        &[
            (Header, "8 November 2015"),
            (Address, "The Honorable Andrew Wheeler\nAdministrator\n1200 Pennsylvania Avenue NW\nWashington, DC 20460"),
            (Subject, "Re: Docket ID No. EPA-HQ-OA-2018-0259"),
            (Salutation, "Dear Mr. Wheeler:"),
            (Main, &format!("{BODY}\n\nSecond paragraph.")),
            (Signature, "Sincerely,\n\nDiane Johnson\nTeacher"),
            (Address, "12 Elm Street\nRichmond, MI 48062"),
            (Main, "P.S. My children agree."),
        ],
    );
}

#[test]
fn the_parts_of_a_letter_on_one_line_are_found() {
    expect(
        &format!("Dear Administrator Wheeler, {BODY} Sincerely, John Doe, Lakewood, OH 44107"),
        &[
            (Salutation, "Dear Administrator Wheeler,"),
            (Main, BODY),
            (Signature, "Sincerely, John Doe, Lakewood, OH 44107"),
        ],
    );
    expect(
        &format!(
            "To whom it may concern: {BODY} Thank you, Bruce Knight This message was sent by KnowWho, as a service \
             provider, on behalf of Sierra Club."
        ),
        &[
            (Salutation, "To whom it may concern:"),
            (Main, BODY),
            (Signature, "Thank you, Bruce Knight"),
            (Footer, "This message was sent by KnowWho, as a service provider, on behalf of Sierra Club."),
        ],
    );
    expect(
        &format!("{BODY} Sincerely Sabatino Nuzzi III"),
        &[(Main, BODY), (Signature, "Sincerely Sabatino Nuzzi III")],
    );
    expect(
        &format!("{BODY} Respectfully,\nJane Roe\nKent, OH 44240"),
        &[(Main, BODY), (Signature, "Respectfully,\nJane Roe"), (Address, "Kent, OH 44240")],
    );
}

#[test]
fn the_head_of_a_letter_on_one_line_is_found() {
    for (subject, greeting) in [
        ("Subject: Docket ID No. EPA-HQ-OAR-2024-0056", "Dear Sir or Madam:"),
        ("Attention: docket EPA - HQ - OAR - 2024 - 0056", "Dear Director,"),
        ("Re: Docket # EPA-HQ-OAR-2024-0056", "Dear Docket Clerk,"),
        ("DOCKET NO.: EPA-HQ-OAR-2024-0056", "To Whom It May Concern:"),
        ("RE: the proposed changes to the water rule", "Dear Ms. Wheeler:"),
    ] {
        let text = format!("{subject} {greeting} {BODY}");
        expect(&text, &[(Subject, subject), (Salutation, greeting), (Main, BODY)]);
        let text = format!(
            "January 12, 2024 Docket Center Hearing Room 4 100 Example Avenue Washington, DC 20460 {subject} {greeting} {BODY}"
        );
        let address = "Docket Center Hearing Room 4 100 Example Avenue Washington, DC 20460";
        let head = [(Header, "January 12, 2024"), (Address, address), (Subject, subject), (Salutation, greeting)];
        expect(&text, &[head.as_slice(), &[(Main, BODY)]].concat());
    }
    let subject = "Comment on Docket ID EPA-HQ-OAR-2024-0056";
    expect(&format!("{subject} {BODY}"), &[(Subject, subject), (Main, BODY)]);
}

#[test]
fn the_footer_of_a_letter_on_one_line_is_found() {
    let signature = "Regards, Jane Roe 12 Elm Street Kent, OH 44240 jane@roe.example";
    for footer in [
        "--  Lake Campaign, https://www.lake.example Join the campaign and add your voice today.",
        "______________________ Webletter: mail for everybody. https://webletter.example",
    ] {
        let text = format!("{BODY} {signature} {footer}");
        expect(&text, &[(Main, BODY), (Signature, signature), (Footer, footer)]);
        expect(&format!("{BODY} {footer}"), &[(Main, BODY), (Footer, footer)]);
    }
}

#[test]
fn text_on_one_line_that_resembles_a_head_or_an_end_stays_main_text() {
    for text in [
        format!("The rule in docket EPA-HQ-OAR-2024-0056 is wrong. Dear friends of mine, {BODY}"),
        format!("Docket EPA-HQ-OAR-2024-0056 is a disgrace for all of us. {BODY}"),
        format!("On January 12, 2024 Dear Abby, the columnist, was read to us. {BODY}"),
        format!("{BODY} I write to you with regards, as you know, for the river -- our river -- and its people."),
        format!("{BODY} The plan -- see https://www.lake.example for it -- is what I want."),
        format!("{BODY} The numbers are on the page -- https://www.lake.example has them -- of the lake society."),
    ] {
        expect(&text, &[(Main, &text)]);
    }
}

#[test]
fn text_that_resembles_a_part_stays_main_text() {
    for text in [
        "Dear friends and family are dying, and you do nothing about it.",
        "Dear EPA please do not do this",
        "Hi I support this rule",
        "Respectfully, I disagree with this.",
        "Sincerely hope it can be passed, sincerely.",
        "Best Buy, Minnesota",
        "To sum up, this proposal is very appreciated! Thanks!",
        "To replace American workers is ridiculous.",
        "Thank you for the opportunity to submit comments.",
        "Thanks",
        "On page 5 Senator Grassley wrote:\n\"the rule is unlawful and wrong\"",
        "> 50 ppm is too much\nand everybody knows it",
        "My points:\n> First point\n> Second point\n> Third point",
        "This message was not wanted.\n\nBut here it is.",
        "Regards this as a joke, as we all do.",
        "Subject to review, the rule stands.",
        "Re-read the law.\nIt says otherwise.",
        "Thank you, Department of Homeland Security (DHS)! You did a great job!",
        "I strongly SUPPORT the proposal.\nSupport it.",
        "AMERICA FIRST",
        "The rule is bad.\nHire Americans",
        "From my perspective, I strongly support it.\nTo them, they should have enough time.",
        "Lakewood, OH 44107",
        "Thank you!\nStrongly support",
        "A good rule.\nThanks\nNice decision\nGood for all",
        "With respect to the proposed rule,\nThe EPA must act now",
        "Friends of the River\nwe are all.",
        "This transmission line would destroy the valley.",
        "The information contained in this proposal is wrong.",
        "Powered by greed, this administration goes on.",
        "You have received this letter from many of us.",
        "We object.\nClimate Change",
        "We vote.\nFrom: the day of this posting\nTo: 23:59 EST, 21 May\nAll votes count.",
    ] {
        expect(text, &[(Main, text)]);
    }
}

#[test]
fn a_long_paragraph_is_never_claimed() {
    let long = "Sincerely ".repeat(25);
    for text in [long.clone(), format!("{BODY}\n{long}\nJohn Doe"), format!("Subject: {long}\n\n{BODY}")] {
        let found = parts(&text);
        assert!(found.iter().any(|(kind, part)| *kind == Main && part.contains("Sincerely Sincerely")), "{text}");
    }
}

#[test]
fn closings_of_many_kinds_are_found() {
    for (end, kept) in [
        ("Regards,\nKim", ""),
        ("Sincerely, Teri Walker", ""),
        ("sincerely Chris Savard", ""),
        ("Respectfully Larry M. Case", ""),
        ("Thank you. Patricia LaPointe", ""),
        ("Thank you for your time,\nJeff A. Jameson", ""),
        ("Thanks!\n\n..Tony Shan", ""),
        ("Thank you and best regards,\nAnna", ""),
        ("Very Disrespectfully Yours,\nSue Robinson", ""),
        ("Sincerely upset by this nonsense,\n\nJohn Wick", ""),
        ("Sincerely,\nKathleen Wilkinson (husband has Parkinson's)", ""),
        ("Sincerely,\nDon Miller MS IT", ""),
        ("Sincerely,\nJerald Young, MD", ""),
        ("Barbara Freund", ""),
        ("Barbara Freund PhD, RN\nMalibu, CA 90263", ""),
        ("Sincerely, an American Citizen! June Anne Garber", ""),
        ("Sincerely,\n\nSierra Club\nNatural Resources Defense Council\nEarthjustice\nClean Air Task Force", ""),
        ("Thanks,\nKen\n\nP.S. I found several systems.", "P.S. I found several systems."),
        ("Sincerely,\n\nWish the best of you!", "Wish the best of you!"),
        ("Thank you for considering my views.", "Thank you for considering my views."),
    ] {
        let text = format!("{BODY}\n\n{end}\n");
        let main: Vec<String> =
            parts(&text).into_iter().filter(|(kind, _)| *kind == Main).map(|(_, part)| part).collect();
        let expected: Vec<&str> = [BODY, kept].into_iter().filter(|part| !part.is_empty()).collect();
        assert_eq!(main.join("\n\n"), expected.join("\n\n"), "{end}");
    }
}

#[test]
fn mail_headers_and_quotations_are_found() {
    let head = "From: Ann <ann@example.org>\nSent: Monday, May 17, 2010 8:36 AM\nTo: EPA Docket\nSubject: Re: Mercury";
    let quoted =
        "-----Original Message-----\nFrom: EPA\nSent: Sunday\nTo: Ann\nSubject: Mercury\n\nDear Ann,\nNo.\nEPA";
    expect(
        &format!("{head}\n\nDear EPA,\n{BODY}\nAnn Lee\n\n{quoted}"),
        &[(Header, head), (Salutation, "Dear EPA,"), (Main, BODY), (Signature, "Ann Lee"), (Quoted, quoted)],
    );
    expect(
        &format!("{head}\n\n---------- Forwarded message ----------\nFrom: Bob\nDate: Friday\nSubject: Act\n\n{BODY}"),
        &[
            (
                Header,
                &format!("{head}\n\n---------- Forwarded message ----------\nFrom: Bob\nDate: Friday\nSubject: Act"),
            ),
            (Main, BODY),
        ],
    );
    expect(
        "I agree.\n\nOn Mon, May 17, 2010 at 8:36 AM, Ann Lee <ann@example.org> wrote:\nThe rule is bad.\nAnn",
        &[
            (Main, "I agree."),
            (Quoted, "On Mon, May 17, 2010 at 8:36 AM, Ann Lee <ann@example.org> wrote:\nThe rule is bad.\nAnn"),
        ],
    );
    expect(
        "On May 17, 2010, Ann wrote:\n> The rule\n> is bad.\nNo, it is good.\n> Think!\nI did.",
        &[
            (Quoted, "On May 17, 2010, Ann wrote:\n> The rule\n> is bad."),
            (Main, "No, it is good."),
            (Quoted, "> Think!"),
            (Main, "I did."),
        ],
    );
    expect(
        &format!("Re: How hot?\nFrom: Rob <rob@example.org>\nDate: Friday\n\nIt is hot.\n\n{BODY}"),
        &[
            (Subject, "Re: How hot?"),
            (Header, "From: Rob <rob@example.org>\nDate: Friday"),
            (Main, &format!("It is hot.\n\n{BODY}")),
        ],
    );
    expect(&format!("> {BODY}\n> which is bad."), &[(Main, &format!("> {BODY}\n> which is bad."))]);
    expect(
        &format!("Yes.\n> {BODY}\n> which is bad."),
        &[(Main, "Yes."), (Quoted, &format!("> {BODY}\n> which is bad."))],
    );
}

#[test]
fn footers_are_recognised_by_their_beginning() {
    for footer in [
        "This message was sent by KnowWho, as a service provider, on behalf of Sierra Club. If you need more\n\
         information, please contact Member Care at Sierra Club at core.help@sierraclub.org or (415) 977-5673.",
        "Sent from my iPhone",
        "-- \nAnn Lee\nann@example.org",
        "_______________________________________________\nRivers mailing list\nhttp://lists.example.org/rivers",
        "This e-mail and any attachments are confidential and intended only for the addressee. If you are not the \
         intended recipient, please delete it and notify the sender immediately by replying to this message, thank you.",
        "You are receiving this because you signed a petition.",
        "Submitted via Care2",
    ] {
        let text = format!("Dear EPA,\n\n{BODY}\n\nSincerely,\nAnn Lee\n\n{footer}");
        let expected =
            [(Salutation, "Dear EPA,"), (Main, BODY), (Signature, "Sincerely,\nAnn Lee"), (Footer, footer.trim_end())];
        expect(&text, &expected);
    }
    expect(
        &format!("{BODY}\n\nSent from my iPad\n\n> On May 1, Ann <a@b.org> wrote:\n>> hello\n>> there"),
        &[
            (Main, BODY),
            (Footer, "Sent from my iPad"),
            (Quoted, "> On May 1, Ann <a@b.org> wrote:\n>> hello\n>> there"),
        ],
    );
}

#[test]
fn a_repeated_letter_is_parsed_twice() {
    let once = format!("Dear EPA,\n\n{BODY}\n\nSincerely,\nAnn Lee\nKent, OH 44240\n\n");
    let single = parts(&once);
    let double: Vec<_> = single.iter().chain(&single).cloned().collect();
    assert_eq!(parts(&once.repeat(2)), double);
}

#[test]
fn letters_without_a_body_are_parsed() {
    expect("", &[]);
    expect(" \n\n", &[(Main, "")]);
    expect("Sincerely,\nJohn Doe", &[(Signature, "Sincerely,\nJohn Doe")]);
    expect("Dear EPA,\n\nSincerely,\nJohn", &[(Salutation, "Dear EPA,"), (Signature, "Sincerely,\nJohn")]);
    let subject = "Re: DHS Docket No. ICEB-2015-0002, There should be no rule to expand training.";
    expect(subject, &[(Main, subject)]);
}

#[test]
fn line_ends_and_blanks_of_all_kinds_are_accepted() {
    for (end, space) in [("\r\n", " "), ("\r", " "), ("\n", "\u{a0}"), ("\n", "\t"), ("\r\n", "\u{feff}")] {
        let lines = ["Dear EPA,", "", BODY, "", "Sincerely,", "Ann Lee", "Kent, OH 44240"];
        let text: String = lines.iter().map(|line| format!("{space}{line}{space}{end}")).collect();
        let kinds: Vec<Kind> = parts(&text).into_iter().map(|(kind, _)| kind).collect();
        assert_eq!(kinds, [Salutation, Main, Signature, Address], "{end:?} {space:?}");
    }
}

fn campaign(count: usize, footer: &str) -> Vec<String> {
    let letter = |number: usize| {
        format!(
            "Dear EPA,\n\n{BODY}\n\nI live by the river, house {number}.\n\nPlease do the right thing.\n\nSincerely,\n\
             Writer {}\nKent, OH 44240\n\n{footer}",
            char::from(b'A' + (number % 26) as u8)
        )
    };
    (0..count).map(letter).collect()
}

fn learn<'a>(letters: impl IntoIterator<Item = &'a String>) -> Footers {
    let mut counter = FooterCounter::default();
    letters.into_iter().for_each(|letter| counter.observe(letter));
    counter.finish()
}

#[test]
fn footers_are_learnt_after_the_signature_and_the_last_sentence_is_not() {
    let letters = campaign(30, "Rivers United brings letters like this one to those in charge");
    let footers = learn(&letters);
    assert_eq!(footers.hashes().len(), 1);
    let found = parts_with(&letters[3], &footers);
    assert_eq!(
        found.last(),
        Some(&(Footer, "Rivers United brings letters like this one to those in charge".to_owned()))
    );
    assert!(found.contains(&(Main, format!("{BODY}\n\nI live by the river, house 3.\n\nPlease do the right thing."))));
    assert!(learn(&campaign(19, "Rivers United brings letters like this one to those in charge")).hashes().is_empty());
    let unsigned: Vec<String> =
        (0..40).map(|n| format!("I am number {n} here.\n\nPlease do the right thing.")).collect();
    assert!(learn(&unsigned).hashes().is_empty());
    let long = campaign(30, &"word ".repeat(25));
    assert!(learn(&long).hashes().is_empty());
    let twice: Vec<String> = campaign(30, "").iter().map(|letter| letter.repeat(2)).collect();
    assert!(learn(&twice).hashes().is_empty());
}

#[test]
fn a_line_with_footer_words_is_learnt_without_signatures_if_the_letters_differ() {
    let letters = |alike: bool| -> Vec<String> {
        let lead = |n: usize| if alike { 0 } else { n };
        (0..60)
            .map(|n| {
                let word = "a".repeat(1 + lead(n));
                format!("The {word} of the matter is clear.\nSo says {word} to us all.\nMade with www.rivers.example")
            })
            .collect()
    };
    assert_eq!(learn(&letters(false)).hashes().len(), 1);
    assert!(learn(&letters(true)).hashes().is_empty());
}

#[test]
fn merged_counters_equal_one_counter() {
    let letters = campaign(50, "Rivers United brings letters like this one to those in charge");
    let mut first = FooterCounter::default();
    let mut second = FooterCounter::default();
    letters[..17].iter().for_each(|letter| first.observe(letter));
    letters[17..].iter().rev().for_each(|letter| second.observe(letter));
    second.merge(first);
    let footers = second.finish();
    assert_eq!(footers, learn(&letters));
    assert_eq!(footers, Footers::from_hashes(footers.hashes().to_vec()));
}

#[test]
fn the_fields_of_a_letter_are_read() {
    let text = format!(
        "From: Ann Lee <ann@example.org>\nTo: EPA Docket Center\nSubject: Fwd: Re: Mercury rule\n\nDear Administrator \
         Wheeler,\n\n{BODY}\n\nSincerely,\n\nAnn B. Lee, PhD\n12 Elm Street\n\nThis message was sent by KnowWho, as a \
         service provider, on behalf of the Sierra Club. Thank you."
    );
    let letter = parse(&text, &Footers::default(), &DocketRules::default());
    assert_eq!(sender_name(&text, &letter), Some("Ann B. Lee, PhD"));
    assert_eq!(receiver_name(&text, &letter), Some("Administrator Wheeler"));
    assert_eq!(topic(&text, &letter), Some("Mercury rule"));
    assert_eq!(header_value(&text, &letter, "from"), Some("Ann Lee <ann@example.org>"));
    assert_eq!(relayer(&text, &letter).as_deref(), Some("Sierra Club"));
    let field = |end: &str| {
        let text = format!("Hello,\n\n{BODY}\n\n{end}");
        let letter = parse(&text, &Footers::default(), &DocketRules::default());
        (
            sender_name(&text, &letter).map(str::to_owned),
            receiver_name(&text, &letter).map(str::to_owned),
            relayer(&text, &letter),
        )
    };
    let name = |name: &str| Some(name.to_owned());
    assert_eq!(field("Sincerely, John Doe, Lakewood OH 44107"), (name("John Doe"), None, None));
    assert_eq!(
        field("Thanks,\nKim\n\nYou are receiving this message from http://www.Rivers.org/act?x=1"),
        (name("Kim"), None, name("rivers.org"))
    );
    assert_eq!(field("Thanks,\nKim\n-- \nKim\nkim@home.example"), (name("Kim"), None, None));
    assert_eq!(field("Submitted via Care2, the petition site"), (None, None, name("Care2")));
    assert_eq!(
        field("Regards,\nJohn H. Curry.\n\nSent via St. Paul Action Center"),
        (name("John H. Curry"), None, name("St. Paul Action Center"))
    );
    assert_eq!(field(""), (None, None, None));
}

#[test]
fn adversarial_texts_do_not_fail() {
    let texts = [
        "x".to_owned(),
        ">".to_owned(),
        "-".to_owned(),
        "\0".to_owned(),
        "\r".to_owned(),
        "\n".repeat(10_000_000),
        "\r\n".repeat(1_000_000),
        "a".repeat(1_000_000),
        "a b. ".repeat(200_000),
        "> a\n".repeat(200_000),
        "x-a: b\n".repeat(200_000),
        "From: b\n".repeat(200_000),
        "Sincerely,\n".repeat(100_000),
        "Sincerely,\nAnn\n".repeat(100_000),
        "Dear EPA,\n".repeat(100_000),
        "-- \n".repeat(100_000),
        "On 1 wrote:\n".repeat(100_000),
        "\0\u{1}\0\n\0".repeat(1000),
        "Dear \u{202e}عزيزي السيد،\nنحن نعارض هذا القرار بشدة.\nمع خالص التحية\n".repeat(50),
        "尊敬的先生：\n我反对这个提案。\n此致\n敬礼".repeat(50),
        "Dear ".to_owned(),
        "Dear, ".to_owned(),
        "Sincerely".to_owned(),
        "é".repeat(300) + " Sincerely, é",
        "This message was sent by ".to_owned(),
        "é".repeat(400) + "This message was sent by é",
    ];
    for text in &texts {
        let found = parts(text);
        assert!(!found.is_empty());
        let mut counter = FooterCounter::default();
        counter.observe(text);
        let letter = parse(text, &Footers::default(), &DocketRules::default());
        let _ =
            (sender_name(text, &letter), receiver_name(text, &letter), topic(text, &letter), relayer(text, &letter));
    }
}

#[test]
fn parts_cover_any_combination_of_pieces() {
    let pieces = [
        "Dear EPA,",
        "Dear ",
        "Hi",
        "To whom it may concern",
        " I am writing to you. ",
        BODY,
        "Sincerely,",
        "Thanks",
        "Regards",
        " John Doe",
        "Kent, OH 44240",
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        " ",
        "\u{a0}",
        "> ",
        "On May 1 2010 Ann <a@b.c> wrote:",
        "-----Original Message-----",
        "From: a",
        "To: b",
        "Subject: c",
        "Sent: d",
        "-- ",
        "_____",
        "Sent from my iPhone",
        "é",
        "ü,",
        "日本",
        "\0",
        "Re: EPA-HQ-OAR-2002-0056",
        "P.S. ",
        "1 Elm Street",
        "a@b.org",
        ".",
        "!",
        ",",
        ":",
        "8 May 2010",
        "The Honorable",
        "This message was sent by X",
        "😀",
        "\u{202e}",
        "Submitted via Y",
    ];
    let mut seed = 3u64;
    let mut random = move |below: usize| {
        seed = crate::support::hash::mix(seed.wrapping_add(0x9e37_79b9_7f4a_7c15));
        seed as usize % below
    };
    let footers = learn(&campaign(30, "Rivers United brings letters like this one to those in charge"));
    for _ in 0..20_000 {
        let text: String = (0..random(30)).map(|_| pieces[random(pieces.len())]).collect();
        parts_with(&text, &footers);
        let letter = parse(&text, &footers, &DocketRules::default());
        let _ = (
            sender_name(&text, &letter),
            receiver_name(&text, &letter),
            topic(&text, &letter),
            relayer(&text, &letter),
        );
    }
}

#[test]
fn notices_are_not_text() {
    for notice in [
        "See attached file(s)",
        "Please see the attached comments of the Lake Erie Society.",
        "Attached please find my comments on EPA-HQ-OAR-2002-0056. Thank you!",
        "Comment attached",
        "SEE ATTACHED PDF",
        "The personal identifying information of this commenter was redacted.",
        "[Redacted]",
        "[Attachment removed by the agency]",
        "Comment from Ada Bell",
        "Comment submitted by A. Bell, Lake Society",
        "N/A",
        "none",
        "No comment.",
    ] {
        expect(notice, &[(Notice, notice)]);
    }
    let redacted = "The submitter's personal information has been redacted.";
    expect(&format!("{BODY}\n\n{redacted}"), &[(Main, BODY), (Notice, redacted)]);
    expect(&format!("{BODY} Please see attached file."), &[(Main, BODY), (Notice, "Please see attached file.")]);
    expect(&format!("Comment from Ada Bell\n\n{BODY}"), &[(Notice, "Comment from Ada Bell"), (Main, BODY)]);
}

#[test]
fn sentences_that_mention_attachments_or_removal_stay_main_text() {
    for text in [
        "I strongly agree with the new proposal, please see the attached letters for my supporting views.",
        "My children are attached to this lake.",
        "Mercury was removed from the rule, and we object.",
        "The names of the commenters should be redacted.",
        "I support",
        "Stop it",
        "None of this is true",
        "I sent you the report that I have\nattached.",
        "Comment from experts must be heard by the agency.",
    ] {
        expect(text, &[(Main, text)]);
    }
}

#[test]
fn a_signature_at_the_end_of_one_line_is_found() {
    for signature in [
        "Jane Roe 12 Elm Street Springfield, IL 62701",
        "Thank you, Maria del Carmen Ortiz 77 Old Mill Road Dayton, OH 45402",
        "Thank you. Sincerely, Jane Doe 12 Elm St, Springfield",
        "God bless, Peter A. Lindqvist",
        "With deep concern, Agnes O'Connor P.O. Box 512 Bangor, ME 04401",
        "Wei Zhang wei@mail.example",
        "Judy Darrow",
        "Mary A. Maisel",
    ] {
        expect(&format!("{BODY} {signature}"), &[(Main, BODY), (Signature, signature)]);
    }
    for text in
        ["Oh. Bummer.", "Save America", "New rules, old story, said the mayor of Akron.", "I live in Akron, Ohio"]
    {
        let text = format!("{BODY} {text}");
        expect(&text, &[(Main, &text)]);
    }
}

#[test]
fn a_few_words_with_a_comma_above_the_name_close_a_letter() {
    for closing in ["God bless,", "For our children,", "With deep concern,", "Sadly,"] {
        let signature = format!("{closing}\nAda Bell");
        let text = format!("{BODY}\n\n{signature}");
        expect(&text, &[(Main, BODY), (Signature, &signature)]);
    }
    let text = format!("{BODY}\n\nFor our children,\nand for the lake.");
    expect(&text, &[(Main, &text)]);
}

#[test]
fn reply_headers_in_other_languages_begin_a_quotation() {
    for header in [
        "Am Di., 3. März 2020 um 14:05 Uhr schrieb Karl Weber <weber@post.example>:",
        "Am 03.03.2020 um 14:05 schrieb Karl Weber:",
        "Le mar. 3 mars 2020 à 14:05, Paul Petit <petit@poste.example> a écrit\u{a0}:",
        "Op di 3 mrt. 2020 om 14:05 schreef Jan Bos <bos@post.example>:",
        "El mar, 3 mar 2020 a las 14:05, Rosa Gil\n(<gil@correo.example>) escribió:",
    ] {
        let quoted = format!("{header}\n> Please copy the letter.\n> Thank you all.");
        let text = format!("{BODY}\n\nSincerely,\nAda Bell\n\n{quoted}");
        expect(&text, &[(Main, BODY), (Signature, "Sincerely,\nAda Bell"), (Quoted, &quoted)]);
    }
}

#[test]
fn pages_and_preambles_are_not_text() {
    let (first, second) = BODY.split_at(BODY.find(" my family").expect("is there"));
    let text = format!("Ada Bell on mercury\n{first}\nPage 1 of 2\n\u{c}Ada Bell on mercury\n{second}\nPage 2 of 2");
    let found: Vec<String> = parts(&text).into_iter().filter(|part| part.0 == Main).map(|part| part.1).collect();
    assert_eq!(found, [first.trim(), second.trim()]);
    let text = format!("{first}\n\n1\n\n{second}\n\n2");
    let found: Vec<String> = parts(&text).into_iter().filter(|part| part.0 == Main).map(|part| part.1).collect();
    assert_eq!(found, [first.trim(), second.trim()]);
    let preamble =
        "Public Submission\nReceived: March 1, 2020\nStatus: Posted\nTracking No. 1k4-9gx2\n\nGeneral Comment";
    expect(&format!("{preamble}\n\n{BODY}"), &[(Header, preamble), (Main, BODY)]);
    let note = format!("Note: this is one sentence with a colon.\n{BODY}");
    expect(&note, &[(Main, &note)]);
    let year = format!("{BODY}\n\n12\n\n{BODY}");
    expect(&year, &[(Main, &year)]);
}

#[test]
fn an_announced_quotation_is_not_the_letter() {
    let own = "That is wrong, and I ask you to pass the rule as it was drafted.";
    let marked = BODY.replace(". ", ".\n> ");
    for quoted in [format!("\"{BODY}\""), format!("“{BODY}”"), format!("> {marked}")] {
        let text = format!("The form letter says:\n\n{quoted}\n\n{own}");
        expect(&text, &[(Main, "The form letter says:"), (Quoted, &quoted), (Main, own)]);
    }
    let text = format!("You wrote: \"{BODY}\" {own}");
    expect(&text, &[(Main, "You wrote:"), (Quoted, &format!("\"{BODY}\"")), (Main, own)]);
}

#[test]
fn a_quotation_that_nothing_announces_stays_main_text() {
    for text in [
        format!("\"{BODY}\"\n\nI agree with the senator."),
        "The sign on the lake says: \"No fish today.\" We want it gone.".to_owned(),
        format!("I ask for three things: \"{BODY}\""),
        format!("As the senator wrote in a letter to the president: \"{BODY}\" I agree."),
    ] {
        expect(&text, &[(Main, &text)]);
    }
}
