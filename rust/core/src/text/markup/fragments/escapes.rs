//! Line ends and other characters that are written as a backslash and a letter.
//!
//! Whether backslashes are escapes is decided for the whole text. It has an escaped line end where a line can end: before
//! a capital, white space, another escape or the end. It has no other sequence of a backslash and a letter (`C:\Users`,
//! `\frac`), and more escaped line ends than real ones, since nobody escapes some of them.

/// A decoded escape: its character and its length in the source.
pub(super) struct Escape {
    pub text: char,
    pub length: usize,
}

/// Reads the escape at the start of `rest`, which begins with a backslash.
pub(super) fn read(rest: &str) -> Option<Escape> {
    let found = |text, length| Some(Escape { text, length });
    match rest.as_bytes().get(1)? {
        b'n' => found('\n', 2),
        b'r' => found('\r', 2),
        b't' => found('\t', 2),
        &quote @ (b'"' | b'\'' | b'/' | b'\\') => found(char::from(quote), 2),
        b'u' => {
            let code = u32::from_str_radix(rest.get(2..6)?, 16).ok()?;
            found(char::from_u32(code)?, 6)
        }
        _ => None,
    }
}

/// Whether the backslashes of a text are escapes, some of them of line ends.
pub(super) fn are_line_ends(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (mut escaped, mut evident, mut at) = (0, false, 0);
    while let Some(offset) = memchr::memchr(b'\\', &bytes[at..]) {
        at += offset;
        let Some(escape) = read(&text[at..]) else {
            // A backslash before a blank or a sign is not an escape, and no evidence against others.
            if bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric) {
                return false;
            }
            at += 1;
            continue;
        };
        at += escape.length;
        if escape.text == '\n' {
            escaped += 1;
            evident |= text[at..].chars().next().is_none_or(|next| !(next.is_lowercase() || next.is_numeric()));
        }
    }
    let real = memchr::memchr_iter(b'\n', text.trim_end().as_bytes()).count();
    evident && escaped > real
}
