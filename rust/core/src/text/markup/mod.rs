//! HTML to text with a map back: removes tags, comments, scripts and styles, decodes entities, puts blocks on lines.
//!
//! A scanner, not a parser: it never fails, for any markup, and reads each byte once. White space is folded as in a
//! browser, except inside `pre`. The result is a list of pieces, each with its offset in the source. On request the
//! boilerplate of a page (navigation, menus, banners, footers) is dropped; a page is then read a second time if it is
//! all boilerplate, or from an element of boilerplate on that never ends.

use crate::text::rebuilt::Rebuilt;

mod boilerplate;
mod character_references;
mod fragments;

use character_references::decode;
pub use fragments::decode_fragments;

/// Elements whose content is not text.
const HIDDEN: [&str; 6] = ["script", "style", "noscript", "template", "svg", "head"];
/// Elements whose content ends only at their own end tag.
const RAW: [&str; 2] = ["script", "style"];
/// Elements that begin and end a paragraph.
const PARAGRAPHS: [&str; 27] = [
    "p",
    "div",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "ul",
    "ol",
    "dl",
    "table",
    "pre",
    "blockquote",
    "section",
    "article",
    "header",
    "footer",
    "nav",
    "main",
    "aside",
    "form",
    "fieldset",
    "figure",
    "hr",
    "address",
    "body",
];
/// Elements that begin a line.
const LINES: [&str; 8] = ["br", "li", "dt", "dd", "tr", "option", "caption", "figcaption"];

/// Whether a text identifies itself as HTML: a doctype or `<html`, after white space or an XML prologue.
pub fn looks_like_html(text: &str) -> bool {
    let start = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    if !start.starts_with('<') {
        return false;
    }
    let begins =
        |text: &str, prefix: &str| text.get(..prefix.len()).is_some_and(|head| head.eq_ignore_ascii_case(prefix));
    let is_page = |text: &str| begins(text, "<!doctype html") || begins(text, "<html");
    if !begins(start, "<?xml") && !begins(start, "<!--") {
        return is_page(start);
    }
    // After a prologue or a comment, only the next few tags are examined.
    start.match_indices('<').take(8).any(|(offset, _)| is_page(&start[offset..]))
}

/// Removes the markup of a page.
pub fn strip(source: &str) -> Rebuilt {
    Page::new(source, false).strip()
}

/// Removes the markup and the boilerplate of a page; a page that is all boilerplate is kept whole.
pub fn strip_boilerplate(source: &str) -> Rebuilt {
    let content = Page::new(source, true).strip();
    if content.text.trim().is_empty() { strip(source) } else { content }
}

/// White space to write before the next text.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Space {
    None,
    Blank,
    Line,
    Paragraph,
}

struct Page<'a> {
    source: &'a str,
    out: Rebuilt,
    hidden: Option<&'static str>,
    preformatted: usize,
    pending: Space,
    /// Whether boilerplate is dropped.
    drops_boilerplate: bool,
    skipped: Option<Skipped>,
    /// How many elements are open in which a header belongs to the content.
    contents: usize,
}

/// A boilerplate element that is being skipped: its name, how many elements of that name are open, and where its
/// content begins.
struct Skipped {
    name: String,
    open: usize,
    start: usize,
}

impl<'a> Page<'a> {
    fn new(source: &'a str, drops_boilerplate: bool) -> Self {
        let out = Rebuilt::default();
        let (hidden, skipped) = (None, None);
        Self { source, out, hidden, preformatted: 0, pending: Space::None, drops_boilerplate, skipped, contents: 0 }
    }

    fn strip(mut self) -> Rebuilt {
        let mut offset = 0;
        loop {
            while offset < self.source.len() {
                offset = match self.source.as_bytes()[offset] {
                    b'<' => self.tag(offset),
                    b'&' => self.entity(offset),
                    _ => self.run(offset),
                };
            }
            // An element that never ends would swallow the page: everything after its start tag is content.
            let Some(skipped) = self.skipped.take() else { return self.out };
            self.drops_boilerplate = false;
            offset = skipped.start;
        }
    }

    fn is_silent(&self) -> bool {
        self.hidden.is_some() || self.skipped.is_some()
    }

    /// Copies text up to the next tag or entity.
    fn run(&mut self, start: usize) -> usize {
        let rest = &self.source[start..];
        let length = rest.find(['<', '&']).unwrap_or(rest.len());
        if !self.is_silent() {
            self.copy(start, start + length);
        }
        start + length
    }

    fn copy(&mut self, start: usize, end: usize) {
        if self.preformatted > 0 {
            self.write(start, &self.source[start..end]);
            return;
        }
        let mut offset = start;
        for piece in self.source[start..end].split_inclusive(|c: char| c.is_ascii_whitespace()) {
            let word = piece.trim_end_matches(|c: char| c.is_ascii_whitespace());
            if !word.is_empty() {
                self.write(offset, word);
            }
            if word.len() < piece.len() {
                self.want(Space::Blank);
            }
            offset += piece.len();
        }
    }

    fn write(&mut self, source: usize, text: &str) {
        if !self.out.text.is_empty() {
            let space = ["", " ", "\n", "\n\n"][self.pending as usize];
            self.out.insert(source, space);
        }
        self.pending = Space::None;
        self.out.copy(source, text);
    }

    fn want(&mut self, space: Space) {
        if space > self.pending {
            self.pending = space;
        }
    }

    fn entity(&mut self, start: usize) -> usize {
        let rest = &self.source[start..];
        let (text, length) = decode(rest).unwrap_or(("&".into(), 1));
        if !self.is_silent() {
            if text == "\u{a0}" && self.preformatted == 0 {
                self.want(Space::Blank);
            } else {
                self.write_entity(start, length, &text);
            }
        }
        start + length
    }

    fn write_entity(&mut self, start: usize, length: usize, text: &str) {
        self.write(start, "");
        self.out.replace(start, start + length, text);
    }

    /// Reads what begins with `<`: a comment, a declaration, a tag, or a lone sign.
    fn tag(&mut self, start: usize) -> usize {
        let rest = &self.source[start..];
        let until = |end: &str| rest.find(end).map_or(self.source.len(), |at| start + at + end.len());
        if rest.starts_with("<!--") {
            return until("-->");
        }
        if rest.starts_with("<![CDATA[") {
            let end = until("]]>");
            if !self.is_silent() && end >= start + 12 {
                self.copy(start + 9, end - 3);
            }
            return end;
        }
        if rest.starts_with("<!") || rest.starts_with("<?") {
            return until(">");
        }
        let closing = rest.starts_with("</");
        let name_start = if closing { 2 } else { 1 };
        let name_length = rest[name_start..]
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == ':'))
            .unwrap_or(rest.len() - name_start);
        if name_length == 0 || !rest.as_bytes()[name_start].is_ascii_alphabetic() {
            if !self.is_silent() {
                self.write(start, "<");
            }
            return start + 1;
        }
        let name = rest[name_start..name_start + name_length].to_ascii_lowercase();
        let end = start + tag_length(rest);
        let empty = self.source[..end].ends_with("/>");
        if !self.skips(&name, closing, empty, (start, end)) {
            self.apply(&name, closing, empty);
        }
        match RAW.iter().find(|&&raw| !closing && raw == name) {
            Some(raw) => skip_raw(self.source, end, raw),
            None => end,
        }
    }

    /// Whether a tag begins, ends or is inside boilerplate that is skipped.
    fn skips(&mut self, name: &str, closing: bool, empty: bool, (start, end): (usize, usize)) -> bool {
        if !self.drops_boilerplate || self.hidden.is_some() {
            return false;
        }
        if let Some(skipped) = &mut self.skipped {
            if name == skipped.name && !empty {
                skipped.open = if closing { skipped.open - 1 } else { skipped.open + 1 };
            }
            if skipped.open == 0 {
                self.skipped = None;
            }
            return true;
        }
        if boilerplate::CONTENT_ELEMENTS.contains(&name) && !empty {
            self.contents = if closing { self.contents.saturating_sub(1) } else { self.contents + 1 };
        }
        if closing || empty || !boilerplate::is_boilerplate(name, &self.source[start..end], self.contents > 0) {
            return false;
        }
        self.want(Space::Paragraph);
        self.skipped = Some(Skipped { name: name.to_owned(), open: 1, start: end });
        true
    }

    fn apply(&mut self, name: &str, closing: bool, empty: bool) {
        if let Some(hidden) = self.hidden {
            // A page without `</head>` must not lose its body.
            if (closing && name == hidden) || (hidden == "head" && name == "body") {
                self.hidden = None;
            }
            return;
        }
        if let Some(&hidden) = HIDDEN.iter().find(|&&hidden| hidden == name && !closing && !empty) {
            self.hidden = Some(hidden);
        } else if PARAGRAPHS.contains(&name) {
            self.want(Space::Paragraph);
            if name == "pre" {
                self.preformatted = if closing { self.preformatted.saturating_sub(1) } else { self.preformatted + 1 };
            }
        } else if LINES.contains(&name) {
            self.want(Space::Line);
        } else if name == "td" || name == "th" {
            self.want(Space::Blank);
        }
    }
}

/// The length of a tag, with quoted attribute values that may hold `>`.
fn tag_length(rest: &str) -> usize {
    let mut quote = None;
    for (offset, byte) in rest.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return offset + 1,
            (None, b'"' | b'\'') if rest.as_bytes()[..offset].ends_with(b"=") => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    // A quote that never closes would swallow the page: then the tag ends at the first sign.
    rest.find('>').map_or(rest.len(), |offset| offset + 1)
}

/// The offset of the end tag of a script or style, or the end of the page.
fn skip_raw(source: &str, start: usize, name: &str) -> usize {
    let mut offset = start;
    while let Some(found) = source[offset..].find("</") {
        let at = offset + found;
        let tail = &source[at + 2..];
        if tail.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name)) {
            return at;
        }
        offset = at + 2;
    }
    source.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_become_text() {
        let page = "<!DOCTYPE html><html><head><title>T</title><style>p{}</style></head><body><h1>One</h1>\
                    <p>Two &amp; <b>th</b>ree&nbsp;four<br>five</p><script>if (a</b) x</script><!-- c --><td>six";
        assert_eq!(strip(page).text, "One\n\nTwo & three four\nfive\n\nsix");
    }

    #[test]
    fn broken_markup_does_not_fail() {
        assert_eq!(strip("a < b <3 & c &unknown; &#xffffffff; &#0;").text.chars().next(), Some('a'));
        assert_eq!(strip("<a title=\">\">x</a>").text, "x");
        assert_eq!(strip("<a title=\"never closed>x").text, "x");
        assert_eq!(strip("<").text, "<");
        assert_eq!(strip("<script>never closed").text, "");
        assert_eq!(strip("&").text, "&");
        assert_eq!(strip("<head>no end<body>kept").text, "kept");
        assert_eq!(strip("é<é>中").text, "é<é>中");
    }

    #[test]
    fn offsets_map_back_to_the_source() {
        let page = "<html><body><p>caf&eacute; noir</p>";
        let stripped = strip(page);
        let at = stripped.text.find("noir").expect("is there");
        assert_eq!(&page[stripped.source_of_start(at)..stripped.source_of_end(at + 4)], "noir");
        let at = stripped.text.find("café").expect("is there");
        assert_eq!(&page[stripped.source_of_start(at)..stripped.source_of_end(at + 5)], "caf&eacute;");
    }

    #[test]
    fn boilerplate_is_dropped() {
        let page = "<body><div class='navheader'>up <div>next</div></div><h1>Title</h1><nav>menu</nav><p>text\
                    <article><header>by me</header>more</article><footer>(c)</footer><div class=sidebar>ads";
        assert_eq!(strip_boilerplate(page).text, "Title\n\ntext\n\nby me\n\nmore\n\nads");
        assert_eq!(strip(page).text.split_whitespace().next(), Some("up"));
    }

    #[test]
    fn a_page_that_is_all_boilerplate_is_kept() {
        assert_eq!(strip_boilerplate("<nav>home</nav><div id=menu>about</div>").text, "home\n\nabout");
        assert_eq!(strip_boilerplate("<nav><nav>never closed").text, "never closed");
        assert_eq!(strip_boilerplate("x<script>'<nav>'</script>y<nav/>z").text, "xy\n\nz");
    }

    #[test]
    fn pages_are_recognised() {
        assert!(looks_like_html("\n <!doctype HTML><p>"));
        assert!(looks_like_html("<html lang=en>"));
        assert!(looks_like_html("<?xml version=\"1.0\"?>\n<!DOCTYPE html PUBLIC \"x\">"));
        assert!(!looks_like_html("<p>hello"));
        assert!(!looks_like_html("<?xml version=\"1.0\"?><rss>"));
        assert!(!looks_like_html("text <html>"));
    }
}
