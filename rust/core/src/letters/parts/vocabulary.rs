//! The words and phrases that identify the parts of a letter; in lower case if case does not matter.

use super::lines::Phrases;

/// Names of mail headers other than sender, receiver, date and subject.
pub(super) const OTHER_HEADERS: &[&str] = &[
    "cc", "bcc", "reply-to", "importance", "priority", "attachments", "received", "message-id", "return-path",
    "mime-version", "content-type", "content-transfer-encoding", "delivered-to", "sender", "organization",
    "newsgroups", "lines", "nntp-posting-host", "references", "in-reply-to", "user-agent", "x-mailer", "list-id",
    "distribution", "summary", "keywords",
];

/// The line above a forwarded message.
pub(super) const SEPARATORS: &[&str] = &[
    "original message", "forwarded message", "begin forwarded message", "original appointment", "forwarded by",
];

/// Verbs of the line above a quoted message, in several languages.
pub(super) const WROTE: &[&str] = &[
    "wrote", "writes", "schrieb", "écrit", "escribió", "scritto", "schreef", "escreveu", "skrev", "napisał",
    "napisała", "kirjoitti", "írta", "написал", "написала", "пишет", "yazdı", "napsal", "napsala", "escriví",
];

/// Openers that need an addressee.
pub(super) static ADDRESSED: Phrases = Phrases::new(&[
    "dear", "dearest", "honorable", "the honorable", "mr.", "mr", "ms.", "ms", "mrs.", "mrs",
    "esteemed", "estimado", "estimada", "sehr geehrte", "sehr geehrter",
]);

/// Openers that can be alone.
pub(super) static ALONE: Phrases = Phrases::new(&[
    "hello", "hi", "greetings", "good morning", "good afternoon", "good evening", "good day", "sir", "sirs", "madam",
    "madame", "gentlemen", "ladies", "gentlepersons", "bonjour", "hola", "hallo", "cher", "chère",
]);

/// Salutations without a particular addressee.
pub(super) static WHOM: Phrases = Phrases::new(&[
    "to whom it may concern", "to whom this may concern", "to whomever it may concern", "to who it may concern",
    "to whom may concern", "to whomsoever it may concern", "to whom it concerns", "to whom so ever it may concern",
    "to all concerned",
]);

/// Words of an addressee that need no capital.
pub(super) const ADDRESSEES: &[&str] = &[
    "sir", "sirs", "madam", "madams", "ma'am", "friend", "friends", "all", "and", "or", "of", "the", "for", "at",
    "to", "in", "team", "member", "members", "administrator", "secretary", "director", "editor", "chief",
    "commissioner", "commissioners", "congress", "president", "senator", "senators", "governor", "mr", "mrs", "ms",
    "dr", "reviewer", "reviewers", "staff", "epa", "dhs", "colleague", "colleagues", "folks", "everyone", "everybody",
    "officer", "officers", "official", "officials", "people", "committee", "chair", "chairman", "ladies", "gentlemen",
    "agency", "department", "board", "there", "america", "government", "representatives",
];

/// Words that no addressee contains.
pub(super) const SPEECH: &[&str] = &[
    "i", "i'm", "im", "we", "you", "your", "my", "our", "please", "stop", "do", "don't", "dont", "not", "this", "is",
    "are", "it", "support", "oppose", "am", "as", "thank", "thanks", "why", "what",
];

/// Titles that end in a full stop.
pub(super) const TITLES: &[&str] = &[
    "mr", "mrs", "ms", "dr", "hon", "sen", "rep", "gov", "adm", "gen", "st", "prof",
];

/// Names of fields that say what the letter is about.
pub(super) const SUBJECT_FIELDS: &[&str] = &[
    "re", "subject", "regarding", "ref", "reference", "subj", "in re", "response to", "in response to",
];

/// Words that surround a docket number on a line of its own.
pub(super) const DOCKET_WORDS: &[&str] = &[
    "docket", "dockets", "id", "ids", "no", "nos", "number", "num", "re", "rin", "frl", "regarding", "attn",
    "attention", "comment", "comments", "on", "for", "to", "the", "agency", "ref", "dhs", "epa",
];

/// Labels of a web form whose values are about the sender.
pub(super) const LABELS: &[&str] = &[
    "name", "first name", "last name", "full name", "address", "street", "city", "state", "zip", "zip code", "email",
    "e-mail", "phone", "country", "organization name", "submitter name", "attn", "attention",
];

/// Closings that are nothing else; of two that begin alike the longer comes first.
pub(super) static FIRM: Phrases = Phrases::new(&[
    "very truly yours", "yours very truly", "yours truly", "truly yours", "yours sincerely", "your sincerely",
    "sincerely yours", "sincerely", "sincerly", "sincerley", "most sincerely", "very sincerely", "yours faithfully",
    "faithfully yours", "faithfully", "yours respectfully", "respectfully yours", "respectfully submitted",
    "most respectfully", "very respectfully", "respectfully", "best regards", "kind regards", "kindest regards",
    "warm regards", "warmest regards", "with best regards", "with kind regards", "with kindest regards",
    "with regards", "regards", "best wishes", "with best wishes", "thanks and regards", "thanks & regards",
    "cordially", "warmly", "in solidarity", "with gratitude", "gratefully", "with respect", "yours in service",
    "all the best", "very disrespectfully yours",
]);

/// Closings that could be text.
pub(super) static LIGHT: Phrases = Phrases::new(&[
    "thank you very much", "thank you so much", "thank you in advance", "thank you again", "thank you kindly",
    "thank you", "thankyou", "thanks very much", "thanks so much", "thanks in advance", "thanks again",
    "thanks a lot", "many thanks", "thanks", "thx", "best", "yours", "cheers", "peace", "love", "kindly", "signed",
]);

/// Words that serve as a signature without a name.
pub(super) const SIGNERS: &[&str] = &[
    "a", "an", "your", "concerned", "citizen", "citizens", "american", "voter", "voters", "mother", "father", "mom",
    "dad", "grandmother", "grandfather", "parent", "taxpayer", "resident", "constituent", "proud", "friend",
    "student", "us", "worried", "registered", "neighbor",
];

/// How footers begin, anywhere at the end of a letter.
pub(super) static OPENINGS: Phrases = Phrases::new(&[
    "this message was sent by", "this message has been sent by", "this email was sent by", "this email was sent to",
    "this email was sent from", "this e-mail was sent by", "this e-mail was sent to", "this e-mail was sent from",
    "this comment was submitted by", "this comment was submitted via", "this comment was submitted through",
    "this letter was sent by", "this letter was sent via", "sent from my", "sent from yahoo", "sent from outlook",
    "sent from mail for", "envoyé de mon", "envoyé depuis", "envoyé à partir de", "von meinem", "gesendet von",
    "enviado desde mi", "enviado do meu", "enviado a partir", "inviato da", "verzonden vanaf", "verstuurd vanaf",
    "skickat från", "sent via", "sent using", "submitted via", "submitted through", "get outlook for",
    "you are receiving this message", "you are receiving this email", "you are receiving this e-mail",
    "you are receiving this because", "you received this message", "you received this email",
    "you received this e-mail", "you received this because", "you have received this message",
    "you have received this email", "you have received this e-mail", "to unsubscribe", "unsubscribe",
    "if you would like to unsubscribe", "to post to this group", "confidentiality notice", "confidentiality note",
    "this e-mail and any", "this email and any", "this message and any attachment", "this message and any attachments",
    "this e-mail message and any", "this email message and any", "this transmission may contain",
    "this transmission is intended", "the information contained in this message",
    "the information contained in this email", "the information contained in this e-mail",
    "the information contained in this transmission", "the information contained in this communication",
    "the information in this e-mail", "the information in this email", "do you yahoo!?",
    "this email has been checked for viruses", "no virus found in this", "virus-free",
]);

/// How footers begin that could be text as well: only after a signature.
pub(super) static OPENINGS_AFTER_SIGNATURE: Phrases = Phrases::new(&[
    "click here", "view this email", "disclaimer", "paid for by", "powered by", "copyright", "©", "all rights reserved",
    "please consider the environment before", "please do not reply", "notice:", "important:", "sent by",
    "delivered by", "forwarded by", "this message was sent to",
]);

/// Words that are common in the footers of relaying organisations and companies, and rare in text.
pub(super) const FOOTER_WORDS: &[&str] = &[
    "http", "www.", "@", "unsubscribe", "on behalf of", "submitted ", "sent by", "sent via", "sent from", "petition",
    "powered by", "message id", "reference number", "©", "confidential", "intended", "recipient",
];

/// States, by their codes.
pub(super) const STATES: &[&str] = &[
    "AL", "AK", "AZ", "AR", "CA", "CO", "CT", "DE", "FL", "GA", "HI", "ID", "IL", "IN", "IA", "KS", "KY", "LA", "ME",
    "MD", "MA", "MI", "MN", "MS", "MO", "MT", "NE", "NV", "NH", "NJ", "NM", "NY", "NC", "ND", "OH", "OK", "OR", "PA",
    "RI", "SC", "SD", "TN", "TX", "UT", "VT", "VA", "WA", "WV", "WI", "WY", "DC", "PR", "GU", "VI", "AS", "MP",
];

/// The last words of the names of states.
pub(super) const STATE_NAMES: &[&str] = &[
    "Alabama", "Alaska", "Arizona", "Arkansas", "California", "Colorado", "Connecticut", "Delaware", "Florida",
    "Georgia", "Hawaii", "Idaho", "Illinois", "Indiana", "Iowa", "Kansas", "Kentucky", "Louisiana", "Maine",
    "Maryland", "Massachusetts", "Michigan", "Minnesota", "Mississippi", "Missouri", "Montana", "Nebraska", "Nevada",
    "Ohio", "Oklahoma", "Oregon", "Pennsylvania", "Tennessee", "Texas", "Utah", "Vermont", "Virginia", "Washington",
    "Wisconsin", "Wyoming", "York",
];

/// Kinds of streets.
pub(super) const STREETS: &[&str] = &[
    "st", "street", "ave", "avenue", "rd", "road", "blvd", "boulevard", "dr", "drive", "ln", "lane", "ct", "court",
    "way", "pl", "place", "ter", "terrace", "cir", "circle", "hwy", "highway", "pkwy", "parkway", "trail", "sq", "nw",
    "sw",
];

/// The words of a date.
pub(super) const CALENDAR: &[&str] = &[
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "january", "february",
    "march", "april", "june", "july", "august", "september", "october", "november", "december", "of", "monday",
    "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
];

/// Words that make a short line a sentence and not a name.
pub(super) const TALK: &[&str] = &[
    "i", "we", "my", "our", "me", "us", "you", "your", "it", "its", "this", "that", "these", "those", "is", "are",
    "was", "were", "be", "been", "am", "will", "would", "should", "must", "can", "cannot", "do", "does", "don't",
    "not", "have", "has", "please", "stop", "support", "oppose", "want", "need", "agree",
];

/// Capitalised words that begin a sentence or a slogan, not a name.
pub(super) const NO_NAMES: &[&str] = &[
    "i", "we", "my", "our", "the", "this", "that", "it", "you", "your", "please", "stop", "support", "strongly",
    "thank", "thanks", "no", "yes", "god", "good", "great", "let", "keep", "save", "protect", "vote", "see", "if",
    "but", "so", "hire", "hires", "america", "americans", "american", "first", "bless", "usa", "science", "end",
    "not", "ban", "dear", "regards", "best", "sincerely", "oppose", "reject", "say", "clean", "climate", "help",
    "make",
];

/// Small words inside names and titles.
pub(super) const PARTICLES: &[&str] = &[
    "de", "da", "di", "del", "der", "den", "van", "von", "la", "le", "el", "al", "bin", "y", "and", "of", "the",
    "for", "in", "at", "from", "e",
];

/// Greetings before the name of the addressee.
pub(super) static GREETINGS: Phrases = Phrases::new(&[
    "dear", "dearest", "hello", "hi", "greetings", "good morning", "good afternoon", "good evening", "good day", "to",
]);

/// Phrases in a footer before the name of the organisation.
pub(super) const RELAYED: &[&str] = &[
    "on behalf of ", "sent by ", "submitted by ", "sent via ", "submitted via ", "submitted through ", "powered by ",
];

/// Words for an attachment.
pub(super) const ATTACHED: &[&str] = &[
    "attached", "attachment", "attachments", "attaching", "enclosed", "enclosure", "enclosures", "uploaded",
];

/// Words that only point to an attachment.
pub(super) const POINTERS: &[&str] = &[
    "see", "please", "pls", "the", "a", "an", "my", "our", "your", "is", "are", "as", "in", "find", "refer", "to",
    "for", "file", "files", "s", "letter", "letters", "comment", "comments", "document", "documents", "submission",
    "statement", "testimony", "full", "formal", "complete", "detailed", "written", "via", "and", "or", "thank",
    "thanks", "you", "below", "above", "here", "pdf", "word", "doc", "docx", "of", "on", "this", "these", "view",
    "read", "open", "i", "we", "have", "has", "been", "submitted", "submit", "submitting", "with", "text", "response",
    "content", "contents", "also", "regarding", "review", "it", "at", "hereby", "page", "pages", "proposed", "rule",
    "rulemaking", "regulation", "docket", "proposal", "notice", "id", "no", "am", "us", "was", "were", "which",
    "that", "from", "by", "copy", "additional", "supporting", "information", "materials", "exhibit", "exhibits",
    "appendix", "report", "spreadsheet", "zip", "same", "entire", "further", "more", "details", "detail", "be",
    "can", "included", "therein", "provided", "per", "name", "title", "sir", "madam", "epa", "dear",
];

/// Words that thank the reader.
pub(super) const COURTESIES: &[&str] = &[
    "thank", "thanks", "you", "for", "your", "time", "consideration", "very", "much", "kindly", "in", "advance", "and",
    "attention", "the", "opportunity", "to", "comment", "reading", "all", "so", "many", "again",
];

/// Texts that only fill the field of a form.
pub(super) const PLACEHOLDERS: &[&str] = &[
    "n/a", "na", "n.a", "none", "nil", "null", "no comment", "no comments", "nothing", "blank", "left blank", "test",
    "testing", "tbd", "placeholder", "comment", "comments", "public comment", "public submission", "general comment",
    "anonymous", "anonymous comment", "anonymous public comment", "anonymous anonymous", "x", "xx", "xxx", "no text",
    "not applicable", "no content", "no message", "untitled",
];

/// Verbs of a redaction.
pub(super) const REMOVED: &[&str] = &[
    "redacted", "withheld", "removed", "restricted", "suppressed", "omitted", "deleted",
];

/// What is removed from a letter before it is published.
pub(super) const REMOVED_THINGS: &[&str] = &[
    "commenter", "commentor", "commenters", "submitter", "submitters", "identifying", "identifiable", "pii", "cbi",
    "confidential", "copyrighted", "profanity", "attachment", "attachments", "signature", "submission",
];

/// How a title begins that a portal made.
pub(super) const TITLE_OPENINGS: &[&str] = &[
    "comment from", "comments from", "comment submitted by", "comments submitted by", "comment of", "comments of",
    "comment by", "anonymous comment from", "anonymous public comment", "public comment from",
    "mass mail campaign", "mass comment campaign",
];

/// Phrases of footers that no writer of a letter uses below a signature.
pub(super) const FOOTER_PHRASES: &[&str] = &[
    "http", "www.", "unsubscribe", "©", "copyright", "all rights reserved", "powered by", "intended recipient",
    "named recipient", "on behalf of", "signed this", "your preferences", "delete this message", "delete it",
    "sent by", "sent via", "sent from", "sent through", "message id", "disclaimer", "in error",
];

/// Words of the headings that a portal puts above a letter.
pub(super) const PORTAL_WORDS: &[&str] = &[
    "comment", "comments", "submission", "submitter", "submitted", "document", "information", "text", "message",
    "docket", "view", "public", "posted",
];

/// Verbs of the sentence above a quotation.
pub(super) const SAYS: &[&str] = &[
    "wrote", "write", "writes", "say", "says", "said", "read", "reads", "state", "states", "stated", "claim", "claims",
    "claimed", "goes", "argue", "argues", "argued", "sent", "received", "got", "quote", "follows",
];

/// Words for the letter of another writer, directly before a verb.
pub(super) const LETTER_WORDS: &[&str] = &[
    "you", "letter", "letters", "template", "campaign", "email", "e-mail", "emails", "message", "petition", "text",
];
