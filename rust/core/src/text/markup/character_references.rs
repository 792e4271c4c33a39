//! Decodes entities: references to characters by name or number.

use std::collections::HashMap;
use std::sync::OnceLock;

/// Decodes the entity at the start of `rest`: its text and its length in the source.
pub(super) fn decode(rest: &str) -> Option<(String, usize)> {
    let body = &rest[1..];
    let end = body.bytes().take(32).take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#').count();
    let name = &body[..end];
    let closed = body[end..].starts_with(';');
    let length = 1 + end + usize::from(closed);
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16),
            None => number.parse(),
        };
        return code.ok().map(|code| (numbered(code).to_string(), length));
    }
    named().get(&rest[..length]).map(|&text| (text.to_owned(), length))
}

/// The character of a number; numbers of the C1 controls mean the characters of Windows-1252, as in browsers.
fn numbered(code: u32) -> char {
    const WINDOWS: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘',
        '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    match code {
        0x80..=0x9f => WINDOWS[code as usize - 0x80],
        _ => char::from_u32(code).unwrap_or('\u{fffd}'),
    }
}

fn named() -> &'static HashMap<&'static str, &'static str> {
    static NAMED: OnceLock<HashMap<&'static str, &'static str>> = OnceLock::new();
    NAMED.get_or_init(|| entities::ENTITIES.iter().map(|entity| (entity.entity, entity.characters)).collect())
}
