//! The tags of running text, also escaped ones.

/// What a tag does to the text around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Nothing: the words on both sides touch.
    None,
    /// A blank.
    Blank,
    /// A line end for each such tag.
    Break,
    /// One line end, however many of these tags there are.
    Line,
    /// A blank line.
    Paragraph,
}

const BLANKS: [&str; 2] = ["td", "th"];
const LINES: [&str; 6] = ["div", "li", "tr", "dt", "dd", "caption"];
const PARAGRAPHS: [&str; 15] =
    ["p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "table", "blockquote", "hr", "pre", "center"];
const INLINE: [&str; 26] = [
    "b", "i", "u", "s", "a", "em", "strong", "span", "font", "sup", "sub", "small", "big", "strike", "del", "ins", "q",
    "cite", "code", "tt", "mark", "tbody", "thead", "img", "wbr", "label",
];
/// The longest tag, in bytes.
const MOST_BYTES: usize = 1000;

/// A tag of running text.
pub(super) struct Tag {
    /// What it does.
    pub effect: Effect,
    /// Whether it ends an element.
    pub closing: bool,
    /// Its length in the source.
    pub length: usize,
}

impl Tag {
    /// Reads the tag at the start of `rest`, which begins with `<` or `&lt;`.
    pub fn read(rest: &str) -> Option<Self> {
        let (open, close) = if rest.starts_with('<') { ("<", ">") } else { ("&lt;", "&gt;") };
        let inner = &rest.as_bytes()[open.len()..];
        let closing = inner.first() == Some(&b'/');
        let named = &inner[usize::from(closing)..];
        let length = named.iter().take(16).take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b':').count();
        let effect = effect(std::str::from_utf8(&named[..length]).ok()?)?;
        let attributes = &named[length..named.len().min(MOST_BYTES)];
        let end = length_of_attributes(attributes, close.as_bytes())?;
        let length = open.len() + usize::from(closing) + length + end + close.len();
        Some(Self { effect, closing, length })
    }

    /// Whether the tag is enough to take a text for markup. One letter between signs is not: `vector<i>`.
    pub fn proves_markup(&self) -> bool {
        self.closing || self.effect != Effect::None
    }
}

fn effect(name: &str) -> Option<Effect> {
    let among = |list: &[&str]| list.iter().any(|entry| entry.eq_ignore_ascii_case(name));
    // Word processors leave tags with the prefixes of their own name spaces.
    let foreign = || name.split_once(':').is_some_and(|(prefix, local)| !local.is_empty() && is_foreign(prefix));
    match name {
        _ if name.eq_ignore_ascii_case("br") => Some(Effect::Break),
        _ if among(&INLINE) => Some(Effect::None),
        _ if among(&PARAGRAPHS) => Some(Effect::Paragraph),
        _ if among(&LINES) => Some(Effect::Line),
        _ if among(&BLANKS) => Some(Effect::Blank),
        _ => foreign().then_some(Effect::None),
    }
}

fn is_foreign(prefix: &str) -> bool {
    ["o", "w", "v", "st1"].iter().any(|known| known.eq_ignore_ascii_case(prefix))
}

/// The length of the attributes up to the end of the tag: nothing, a slash, or white space and names with values.
fn length_of_attributes(attributes: &[u8], close: &[u8]) -> Option<usize> {
    let (mut at, mut quote) = (0, None);
    while at < attributes.len() {
        let byte = attributes[at];
        match quote {
            Some(open) if open == byte => quote = None,
            Some(_) => {}
            None if attributes[at..].starts_with(close) => return is_well_formed(&attributes[..at]).then_some(at),
            None if matches!(byte, b'"' | b'\'') && attributes[..at].ends_with(b"=") => quote = Some(byte),
            None if byte == b'<' => return None,
            None => {}
        }
        at += 1;
    }
    None
}

fn is_well_formed(attributes: &[u8]) -> bool {
    let bare = attributes.strip_suffix(b"/").unwrap_or(attributes).trim_ascii();
    bare.is_empty() || attributes[0].is_ascii_whitespace() && bare[0].is_ascii_alphabetic() && bare.contains(&b'=')
}
