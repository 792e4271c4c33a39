use super::*;

fn decoded(text: &str) -> Option<String> {
    decode_fragments(text).map(|rebuilt| rebuilt.text)
}

#[test]
fn tags_and_line_ends_next_to_each_other_are_one_break() {
    for (text, expected) in [
        ("one<br/>two", "one\ntwo"),
        ("one<br/><br />two<BR>three", "one\n\ntwo\nthree"),
        ("one\n<br/><br/>two", "one\n\ntwo"),
        ("one<br/>\r\n<br/>\r\ntwo", "one\n\ntwo"),
        ("one\n\n<br>two\nthree", "one\n\ntwo\nthree"),
        ("<p>one</p>\n<p class=\"x\">two</p>", "one\n\ntwo"),
        ("<div>one</div><div><br></div><div>two</div><div>three</div>", "one\n\ntwo\nthree"),
        ("a <b>b</b>c<i> d</i> <br> e", "a bc d\ne"),
        ("<ul><li>one</li><li>two</li></ul>", "one\ntwo"),
    ] {
        assert_eq!(decoded(text).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn entities_are_decoded_also_if_escaped_twice() {
    for (text, expected) in [
        ("don&#39;t &amp; won&rsquo;t", "don't & won’t"),
        ("one.&nbsp; Two&#160;three", "one. Two three"),
        ("don&amp;#39;t&lt;br /&gt;stop", "don't\nstop"),
        ("it&#146;s &#xA7; 5", "it’s § 5"),
        ("one&#13;&#10;two", "one\ntwo"),
        ("AT&amp;T", "AT&T"),
        ("\u{fb01}ne e\u{fb03}cient \u{feff}x", "fine efficient \u{feff}x"),
    ] {
        assert_eq!(decoded(text).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn escaped_line_ends_are_decoded() {
    for (text, expected) in [
        ("Dear all,\\n\\nplease stop.\\r\\nAda", "Dear all,\n\nplease stop.\nAda"),
        ("He said \\\"no\\\".\\nI said yes\\u2019 \\t too", "He said \"no\".\nI said yes’ too"),
    ] {
        assert_eq!(decoded(text).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn other_texts_are_left_alone() {
    for text in [
        "AT&T & co; a < b and b > c, <3",
        "mail me <ada@post.example> or <General Facts> about vector<i> and x<p&q>y",
        "see C:\\new\\notes and C:\\Users\\nick",
        "\\nabla \\frac{a}{b}",
        "line one\nline two with \\n in it\nline three",
        "if (a<b && c>d) print(\"x\")",
        "&unknown; &amp without end",
        "",
    ] {
        assert_eq!(decoded(text), None, "{text}");
    }
}

#[test]
fn offsets_map_back_to_the_source() {
    let text = "It isn&#39;t<br/><br/>right &amp;amp; fair";
    let rebuilt = decode_fragments(text).expect("is marked");
    for (word, source) in [("isn't", "isn&#39;t"), ("right", "right"), ("&", "&amp;amp;"), ("fair", "fair")] {
        let at = rebuilt.text.find(word).expect("is there");
        assert_eq!(&text[rebuilt.source_of_start(at)..rebuilt.source_of_end(at + word.len())], source);
    }
}
