//! Recognises the boilerplate of a web page by the names, roles, classes and ids of elements.

/// Elements that are always boilerplate.
const BY_NAME: [&str; 4] = ["nav", "aside", "menu", "noframes"];
/// Elements that are boilerplate unless they are within content.
const OUTSIDE_CONTENT: [&str; 2] = ["header", "footer"];
/// Elements in which a header or a footer belongs to the content.
pub const CONTENT_ELEMENTS: [&str; 3] = ["article", "main", "section"];
/// Elements that can be boilerplate by their attributes: those that must have an end tag.
const BY_ATTRIBUTE: [&str; 11] =
    ["div", "ul", "ol", "dl", "table", "section", "form", "center", "header", "footer", "fieldset"];
const ROLES: [&str; 7] = ["navigation", "banner", "contentinfo", "complementary", "search", "menu", "menubar"];
const PARTS: [&str; 24] = [
    "nav",
    "navi",
    "navbar",
    "navheader",
    "navfooter",
    "navigation",
    "topnav",
    "subnav",
    "menu",
    "menubar",
    "submenu",
    "topmenu",
    "sidemenu",
    "mainmenu",
    "sidebar",
    "breadcrumb",
    "breadcrumbs",
    "crumbs",
    "masthead",
    "footer",
    "pagefooter",
    "pagination",
    "pager",
    "toolbar",
];
/// Whole names of classes and ids.
const NAMES: [&str; 5] = ["header", "siteheader", "site-header", "page-header-bar", "global-header"];
/// Prefixes of classes that refer to boilerplate elsewhere on the page.
const NEGATIONS: [&str; 7] = ["has", "with", "no", "without", "is", "not", "hide"];

/// Whether the element that this tag begins is boilerplate; `inside` content, headers and footers are not.
pub fn is_boilerplate(name: &str, tag: &str, inside: bool) -> bool {
    BY_NAME.contains(&name)
        || (OUTSIDE_CONTENT.contains(&name) && !inside)
        || (BY_ATTRIBUTE.contains(&name)
            && attributes(tag).any(|(attribute, value)| indicates_boilerplate(attribute, value)))
}

fn indicates_boilerplate(attribute: &str, value: &str) -> bool {
    match attribute.to_ascii_lowercase().as_str() {
        "role" => ROLES.contains(&value.trim().to_ascii_lowercase().as_str()),
        "class" | "id" => value.split_ascii_whitespace().any(|word| names_boilerplate(&word.to_ascii_lowercase())),
        _ => false,
    }
}

fn names_boilerplate(word: &str) -> bool {
    let mut parts = word.split(['-', '_']).peekable();
    if parts.peek().is_some_and(|first| NEGATIONS.contains(first)) {
        return false;
    }
    NAMES.contains(&word) || parts.any(|part| PARTS.contains(&part))
}

/// The attributes of a tag: names, and values without their quotes.
fn attributes(tag: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = tag.trim_end_matches('>').split_once(|c: char| c.is_ascii_whitespace()).map_or("", |split| split.1);
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
        let end = rest.find(|c: char| c.is_ascii_whitespace() || c == '=').unwrap_or(rest.len());
        let name = &rest[..end];
        rest = rest[end..].trim_start();
        let Some(behind) = rest.strip_prefix('=') else {
            return (!name.is_empty()).then_some((name, ""));
        };
        let behind = behind.trim_start();
        let quote = behind.chars().next().filter(|c| matches!(c, '"' | '\''));
        let (value, left) = match quote {
            Some(quote) => behind[1..].split_once(quote).unwrap_or((&behind[1..], "")),
            None => behind.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((behind, "")),
        };
        rest = left;
        Some((name, value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_read_as_written() {
        let read = |tag| attributes(tag).collect::<Vec<_>>();
        assert_eq!(
            read("<div class=\"a b\" id = 'c' hidden x=1>"),
            [("class", "a b"), ("id", "c"), ("hidden", ""), ("x", "1")]
        );
        assert_eq!(read("<div>"), []);
        assert_eq!(read("<div =x>"), [("", "x")]);
        assert_eq!(read("<div a=\"never"), [("a", "never")]);
    }

    #[test]
    fn boilerplate_is_distinguished_from_content() {
        assert!(is_boilerplate("div", "<div class=\"x spirit-nav\">", false));
        assert!(is_boilerplate("table", "<table ID=Menu>", false));
        assert!(is_boilerplate("div", "<div role='navigation'>", true));
        assert!(is_boilerplate("header", "<header>", false) && !is_boilerplate("header", "<header>", true));
        assert!(!is_boilerplate("div", "<div class='has-sidebar footnotes navy menuitem'>", false));
        assert!(!is_boilerplate("span", "<span class=nav>", false));
        assert!(!is_boilerplate("div", "<div title='menu'>", false));
    }
}
