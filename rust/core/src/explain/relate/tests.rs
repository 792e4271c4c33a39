//! Relations of letters with known edits: literal ones, and two hundred of each style from a seed.

use super::*;
use crate::explain::align::samples::{Random, Text};

const OPENING: &str = "I am writing to oppose the plan to weaken the limits on mercury from power plants in our state.";
const HEALTH: &str = "Mercury harms the brains of children before they are born, and doctors warn women not to eat the \
                      fish that they catch in more than forty states.";
const REQUEST: &str = "The agency should require power plants to cut mercury pollution by ninety percent, which is \
                       what the law demands and what technology that is for sale today can do.";
const CLOSING: &str = "I urge you to withdraw the plan and to enforce the law as it stands. Thank you for your time.";
const OWN: &str = "My daughter fishes with her grandfather every summer and I do not want to tell them to stop, as I \
                   had to last year when the county put up its signs.";

fn letter() -> String {
    [OPENING, HEALTH, REQUEST, CLOSING].join("\n\n")
}

/// The relation of a document to a reference, with the added and removed pieces.
fn compare(reference: &str, document: &str) -> (Relation, Vec<String>, Vec<String>, Flags) {
    let (reference, document) = (Text::read(reference), Text::read(document));
    let related = relate(&reference.tokens(), &document.tokens());
    let own = |pieces: Vec<&str>| pieces.into_iter().map(str::to_string).collect();
    (related.relation, own(document.quote(&related.added)), own(reference.quote(&related.removed)), related.flags)
}

fn relation(document: &str) -> Relation {
    compare(&letter(), document).0
}

/// A text without the punctuation at its end, as spans end with words.
fn bare(text: &str) -> &str {
    text.trim_end_matches('.')
}

#[test]
fn the_example_of_the_paper_is_reproduced() {
    let letter = [REQUEST, CLOSING].join("\n\n");
    let (relation, added, removed, _) = compare(&letter, &format!("Stop the madness!!!!!!\n\n{letter}"));
    assert_eq!(relation, Relation::BlockAdded);
    assert_eq!((added, removed), (vec!["Stop the madness".to_string()], vec![]));
}

#[test]
fn copies_that_were_wrapped_or_lost_their_paragraphs_are_exact() {
    let words: Vec<String> = letter().split_whitespace().map(str::to_string).collect();
    assert_eq!(relation(&words.join(" ")), Relation::Exact);
    assert_eq!(relation(&words.join("\n")), Relation::Exact);
    assert_eq!(relation(&letter().replace("\n\n", "\n").to_uppercase()), Relation::Exact);
}

#[test]
fn an_added_block_is_found_even_without_paragraph_marks() {
    for position in 0..=4 {
        let mut parts = vec![OPENING, HEALTH, REQUEST, CLOSING];
        parts.insert(position, OWN);
        for separator in ["\n\n", "\r\n \r\n", "\n", " "] {
            let (relation, added, removed, flags) = compare(&letter(), &parts.join(separator));
            assert_eq!(relation, Relation::BlockAdded, "{position} {separator:?}");
            assert_eq!((added, removed), (vec![bare(OWN).to_string()], vec![]), "{position} {separator:?}");
            assert_eq!(flags, Flags { added: true, ..Flags::default() });
        }
    }
}

#[test]
fn a_deleted_block_is_found_even_without_paragraph_marks() {
    for position in 0..4 {
        let mut parts = vec![OPENING, HEALTH, REQUEST, CLOSING];
        let gone = parts.remove(position);
        for separator in ["\n\n", "\n", " "] {
            let (relation, added, removed, flags) = compare(&letter(), &parts.join(separator));
            assert_eq!(relation, Relation::BlockDeleted, "{position} {separator:?}");
            assert_eq!((added, removed), (vec![], vec![bare(gone).to_string()]));
            assert_eq!(flags, Flags { deleted: true, ..Flags::default() });
        }
    }
}

#[test]
fn a_long_sentence_inserted_into_a_paragraph_is_a_block_and_a_short_one_is_not() {
    let long = "My family has lived beside one of these plants since my grandfather came here from the mines.";
    let (relation, added, ..) = compare(&letter(), &letter().replace("Thank you", &format!("{long} Thank you")));
    assert_eq!((relation, added), (Relation::BlockAdded, vec![bare(long).to_string()]));
    let (relation, added, ..) =
        compare(&letter(), &letter().replace("for your time.", &format!("for your time. {long}")));
    assert_eq!((relation, added), (Relation::BlockAdded, vec![bare(long).to_string()]));
    let short = "Please do it soon.";
    let (relation, added, ..) = compare(&letter(), &letter().replace("Thank you", &format!("{short} Thank you")));
    assert_eq!((relation, added), (Relation::MinorChange, vec![bare(short).to_string()]));
}

#[test]
fn a_personal_salutation_and_name_are_a_minor_change() {
    let with = |salutation: &str, name: &str| format!("{salutation}\n\n{}\n\nSincerely,\n{name}", letter());
    let reference = with("Dear Administrator Leavitt,", "Jane Roe\n12 Elm Street, Springfield");
    let (relation, added, removed, _) =
        compare(&reference, &with("To whom it may concern:", "Richard Miles\n7 Lake Road, Portland"));
    assert_eq!(relation, Relation::MinorChange);
    assert_eq!(added[0], "To whom it may concern");
    assert_eq!(removed[0], "Dear Administrator Leavitt");
    let (relation, ..) =
        compare(&reference, &with("Dear Administrator Johnson,", "Jane Roe\n12 Elm Street, Springfield"));
    assert_eq!(relation, Relation::MinorChange);
}

#[test]
fn small_changes_are_minor_unless_there_are_blocks() {
    let changed = letter().replace("weaken", "gut").replace("our state", "the state of Ohio");
    let (relation, added, removed, flags) = compare(&letter(), &changed);
    assert_eq!(relation, Relation::MinorChange);
    assert_eq!((added, removed), (vec!["gut".into(), "the state of Ohio".into()], vec!["weaken".into(), "our".into()]));
    assert_eq!(flags, Flags { changed: true, ..Flags::default() });
    assert_eq!(self::relation(&format!("{changed}\n\n{OWN}")), Relation::MinorChangeBlockEdit);
    assert_eq!(
        self::relation(&letter().replace(HEALTH, OWN)),
        Relation::MinorChangeBlockEdit,
        "a paragraph for another"
    );
}

#[test]
fn a_rewritten_paragraph_is_not_a_minor_change() {
    let words: Vec<&str> = REQUEST.split(' ').collect();
    let rewritten: Vec<&str> =
        words.iter().enumerate().map(|(at, word)| if at % 3 == 0 { word } else { "so" }).collect();
    let document = letter().replace(REQUEST, &rewritten.join(" "));
    assert_eq!(relation(&document), Relation::MinorChangeBlockEdit);
}

#[test]
fn adjacent_insertions_are_one_unless_a_paragraph_ends_between_them() {
    let document = letter().replace("harms the brains", "gravely harms the young brains");
    assert_eq!(compare(&letter(), &document).1, ["gravely harms the young"]);
    let document = [&OPENING.replace("our state.", "all our state."), OWN, HEALTH, REQUEST, CLOSING].join("\n\n");
    assert_eq!(compare(&letter(), &document).1, ["all", bare(OWN)]);
}

#[test]
fn reordered_repeated_and_copied_blocks_are_distinguished() {
    assert_eq!(relation(&[HEALTH, CLOSING, OPENING, REQUEST].join("\n\n")), Relation::BlockReordered);
    assert_eq!(relation(&vec![letter(); 3].join("\n\n")), Relation::Repeated);
    assert_eq!(relation(&vec![letter(); 2].join(" and again ")), Relation::Repeated);
    let (relation, added, _, flags) = compare(&letter(), &format!("{}\n\n{REQUEST}", letter()));
    assert_eq!((relation, added.len()), (Relation::BlockAdded, 0), "the text is in the reference");
    assert!(flags.repeated && !flags.added);
    assert_eq!(compare("Save our lakes", "Save our lakes. Save our lakes! Save our lakes.").0, Relation::Repeated);
}

#[test]
fn key_block_bag_of_words_and_other_are_distinguished() {
    let mut random = Random(11);
    let own: Vec<String> = (0..6).map(|_| Writer::own().paragraph(&mut random)).collect();
    assert_eq!(relation(&format!("{}\n\n{REQUEST}", own.join("\n\n"))), Relation::KeyBlock);
    let mut words: Vec<String> = letter().split_whitespace().map(str::to_string).collect();
    random.shuffle(&mut words);
    assert_eq!(relation(&words.join(" ")), Relation::BagOfWords);
    assert_eq!(relation(&own.join("\n\n")), Relation::Other);
    assert_eq!(
        compare("Thank you all.\n\nStop it.", "Thank you all.\n\nKeep it up and do more of it.").0,
        Relation::Other
    );
}

#[test]
fn texts_of_a_few_words_have_a_relation() {
    assert_eq!(compare("", "").0, Relation::Exact);
    assert_eq!(compare("", "hello there").0, Relation::Other);
    assert_eq!(compare("hello there my friend", "").0, Relation::Other);
    assert_eq!(compare("yes", "no").0, Relation::Other);
    assert_eq!(compare("call me at nine tonight", "call me at ten tonight").0, Relation::MinorChange);
    let (relation, added, ..) = compare("win a free phone now", "win a free phone now or a trip to the sea for two");
    assert_eq!((relation, added), (Relation::BlockAdded, vec!["or a trip to the sea for two".to_string()]));
}

#[test]
fn overlap_counts_each_word_as_often_as_both_have_it() {
    let (reference, document) = (Text::read("a a b c"), Text::read("a b b d e"));
    assert_eq!(relate(&reference.tokens(), &document.tokens()).overlap, 0.4);
}

#[test]
fn a_relation_does_not_depend_on_earlier_calls() {
    let mut random = Random(21);
    let writer = Writer::form();
    let texts: Vec<Text> = (0..12).map(|_| Text::read(&writer.letter(&mut random).join("\n\n"))).collect();
    let mut finder = RelationFinder::default();
    for reference in &texts {
        let index = ReferenceIndex::new(reference.tokens());
        for document in &texts {
            assert_eq!(finder.relate(&index, &document.tokens()), relate(&reference.tokens(), &document.tokens()));
        }
    }
}

/// Writes letters of its own words among the words that all writers use.
struct Writer(&'static str);

const EVERYONES: &str = "the of and to a in that is for it on with as by this be are from at not have or an our we \
                         they their which will would should can been more when who about all if no has had was were";

impl Writer {
    fn form() -> Self {
        Writer(
            "agency mercury power plants pollution limits standard children health lakes rivers fish rule proposal \
             law clean air act emissions technology toxic national protection environment cut reduce require percent \
             states communities industry science doctors mothers danger delay weak strong public comment administrator",
        )
    }

    fn own() -> Self {
        Writer(
            "daughter grandfather summer cabin boat county signs nurse school teacher farm neighbour church winter \
             dog hospital asthma retired veteran taxes senator vote town bridge harvest village garden kitchen doctor \
             window morning family uncle trout pier ashamed angry tired hope story remember picnic",
        )
    }

    /// A paragraph of 20 to 59 words in sentences; many start alike.
    fn paragraph(&self, random: &mut Random) -> String {
        let (own, everyones) = (words(self.0), words(EVERYONES));
        let opening = ["I urge you", "The agency", "We", "Please", "It is time"][random.below(5)];
        let mut text = opening.to_string();
        for _ in 0..20 + random.below(40) {
            let list = if random.below(2) == 0 { &own } else { &everyones };
            text.push_str([" ", " ", " ", " ", " ", " ", ", ", ". The "][random.below(8)]);
            text.push_str(list[random.below(list.len())]);
        }
        text
    }

    fn letter(&self, random: &mut Random) -> Vec<String> {
        (0..4 + random.below(4)).map(|_| self.paragraph(random)).collect()
    }
}

fn words(list: &'static str) -> Vec<&'static str> {
    list.split_whitespace().collect()
}

/// Replace, add or drop a few words of a paragraph.
fn change_words(paragraph: &str, random: &mut Random) -> String {
    let own = words(Writer::own().0);
    let mut parts: Vec<String> = paragraph.split(' ').map(str::to_string).collect();
    for _ in 0..1 + random.below(7) {
        let position = random.below(parts.len());
        let word = own[random.below(own.len())].to_string();
        match random.below(3) {
            0 => parts[position] = word,
            1 => parts.insert(position, word),
            _ => drop(parts.remove(position)),
        }
    }
    parts.join(" ")
}

/// Edit a letter in the style of a relation, and return it with the text that was added in blocks.
fn edit(relation: Relation, letter: &[String], random: &mut Random) -> (Vec<String>, Vec<String>) {
    let mut parts = letter.to_vec();
    let mut own = || Writer::own().paragraph(&mut Random(random.next() | 1));
    let (first, second, third) = (own(), own(), own());
    let position = random.below(letter.len());
    match relation {
        Relation::Exact => {}
        Relation::MinorChange => parts[position] = change_words(&parts[position], random),
        Relation::BlockAdded => {
            parts.insert(random.below(parts.len() + 1), first.clone());
            if random.below(2) == 0 {
                let behind = parts.iter().position(|part| *part == first).unwrap_or(0) + 1;
                parts.insert(behind + random.below(parts.len() + 1 - behind), second.clone());
                return (parts, vec![first, second]);
            }
            return (parts, vec![first]);
        }
        Relation::BlockDeleted => drop(parts.remove(position)),
        Relation::MinorChangeBlockEdit => {
            parts[position] = change_words(&parts[position], random);
            parts.insert(random.below(parts.len() + 1), first);
        }
        Relation::BlockReordered => parts.rotate_left(1 + random.below(letter.len() - 1)),
        Relation::Repeated => parts = vec![parts; 2 + random.below(3)].concat(),
        Relation::KeyBlock => {
            let more: Vec<String> = (0..6).map(|_| Writer::own().paragraph(random)).collect();
            parts = [vec![first, parts[position].clone(), second, third], more].concat();
        }
        Relation::BagOfWords => {
            let mut words: Vec<String> = parts.join(" ").split(' ').map(str::to_string).collect();
            random.shuffle(&mut words);
            parts = words.chunks(40).map(|chunk| chunk.join(" ")).collect();
        }
        Relation::Other => parts = vec![first, second, third],
    }
    (parts, Vec::new())
}

#[test]
fn letters_of_each_style_get_their_relation() {
    use Relation::*;
    let styles = [
        Exact,
        MinorChange,
        BlockAdded,
        BlockDeleted,
        MinorChangeBlockEdit,
        BlockReordered,
        Repeated,
        KeyBlock,
        BagOfWords,
        Other,
    ];
    let mut random = Random(2006);
    for style in styles {
        for number in 0..200 {
            let letter = Writer::form().letter(&mut random);
            let (parts, blocks) = edit(style, &letter, &mut random);
            let separator = ["\n\n", "\r\n\r\n", "\n"][number % 3];
            let reference = Text::read(&letter.join("\n\n"));
            let document = Text::read(&parts.join(separator));
            let related = relate(&reference.tokens(), &document.tokens());
            assert_eq!(related.relation, style, "{number}\n{}\n---\n{}", reference.text, document.text);
            if style == BlockAdded {
                let added = document.quote(&related.added).join(" ");
                let gold = blocks.join(" ");
                assert!(added.split_whitespace().eq(gold.split_whitespace()), "{number}\n{added}\n---\n{gold}");
            }
        }
    }
}
