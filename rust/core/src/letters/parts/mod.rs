//! The parts of a letter, an e-mail or a public comment: its main text, and everything around it.
//!
//! The rules apply to lines, as in section 4.1 of Yang & Callan (2006), in this order: mail headers and quoted
//! messages, footers, pages and preambles, the head (date, addresses, subject, salutation), the end (closing,
//! signature, address), notices. Each
//! line, or the beginning or end of one, gets one kind; a line that no rule claims is main text. A rule that is in
//! doubt does not claim: a line of 25 words is never claimed as a whole, and a salutation or a closing has at most 8
//! words. The parts are disjoint and cover the text in order. The time is linear in the text, two to three microseconds
//! for a kilobyte.

mod closings;
mod draft;
mod fields;
mod footer_counter;
mod footers;
mod greetings;
mod heads;
mod letter;
mod lines;
mod marking;
mod notices;
mod pages;
mod quotations;
mod quotes;
mod shapes;
// The lists stay as packed as they were typed.
#[rustfmt::skip]
mod vocabulary;

pub use fields::{header_value, receiver_name, relayer, sender_name, topic};
pub use footer_counter::FooterCounter;
pub use footers::Footers;
pub use letter::{Kind, Letter, Part};

use crate::letters::dockets::DocketRules;

/// Finds the parts of a letter. A text of 4 GiB or more is cut there.
pub fn parse(text: &str, footers: &Footers, dockets: &DocketRules) -> Letter {
    let mut draft = marking::open(text, footers);
    pages::mark(&mut draft);
    if !heads::mark(&mut draft, dockets) {
        greetings::mark(&mut draft, dockets);
    }
    marking::close(&mut draft);
    draft.finish()
}

#[cfg(test)]
mod tests;
