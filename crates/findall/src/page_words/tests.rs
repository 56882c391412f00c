//! Every rule with cases for and against: `kind|text with [the name] in brackets|what the page says`.

use super::*;

/// What is said of the name in brackets; other names stand in braces, with their kind: `{place:Paris}`.
fn read(kind: &str, marked: &str) -> PageWord {
    let kind_of = |name: &str| match name {
        "person" => MentionType::Person,
        "organization" => MentionType::Organization,
        "place" => MentionType::Place,
        "work" => MentionType::Work,
        "product" => MentionType::Product,
        "event" => MentionType::Event,
        _ => MentionType::Other,
    };
    let mut text = String::new();
    let mut own = NamedThing { kind: kind_of(kind), places: Vec::new() };
    let mut others: Vec<NamedThing> = Vec::new();
    let mut rest = marked;
    while let Some(open) = rest.find(['[', '{']) {
        text.push_str(&rest[..open]);
        let close = open + rest[open..].find([']', '}']).unwrap();
        let inside = &rest[open + 1..close];
        let start = text.len();
        if rest[open..].starts_with('[') {
            text.push_str(inside);
            own.places.push(Span::new(start, text.len()));
        } else {
            let (kind, name) = inside.split_once(':').unwrap();
            text.push_str(name);
            others.push(NamedThing { kind: kind_of(kind), places: vec![Span::new(start, text.len())] });
        }
        rest = &rest[close + 1..];
    }
    text.push_str(rest);
    let document = crate::document::Document::from_text(text);
    let things: Vec<NamedThing> = std::iter::once(own).chain(others).collect();
    gather(document.text(), document.sentences(), &things).swap_remove(0)
}

fn check(cases: &[(&str, &str, &str)]) {
    for (kind, marked, expected) in cases {
        assert_eq!(read(kind, marked).said, *expected, "{marked}");
    }
}

#[test]
fn appositions() {
    check(&[
        (
            "person",
            "[Gavin Yamey], director of the Centre for Policy, said so.",
            "director of the Centre for Policy",
        ),
        ("person", "It was [Ann Roe], a Navy veteran, who came.", "Navy veteran"),
        ("person", "Then [Ann Roe], 45, a teacher, left.", "teacher"),
        ("person", "[Ann Roe] (born 1950), an American singer, died.", "American singer"),
        ("person", "According to [Ann Roe], a lawyer in {place:Lyon}, it rained.", "lawyer in Lyon"),
        ("place", "They saw [Orr], the capital of the north.", "capital of the north"),
        ("organization", "[Bolt] — a maker of anvils — closed.", "maker of anvils"),
        ("organization", "[Bolt], based in {place:Lyon}, closed.", "based in Lyon"),
        // What follows belongs to the rest of the sentence.
        ("place", "In [Paris], the company said it would close.", ""),
        ("place", "In [Paris], a director was found.", ""),
        ("person", "With [Obama], the economy grew.", ""),
        ("organization", "[Google], the {organization:FBI} and others came.", ""),
        ("work", "What if [Tron], the board game {work:Simon}, met?", ""),
        ("person", "[Ann Roe], however, left.", ""),
        ("product", "[Zed], a camera, and a battery are in it.", ""),
    ]);
}

#[test]
fn definitions() {
    check(&[
        ("organization", "[Bolt] is a small company in {place:Lyon}.", "small company in Lyon"),
        ("person", "[Ann Roe] was one of the founders of the club.", "founders of the club"),
        ("product", "The [Zed] is now a popular browser for children.", "popular browser for children"),
        ("person", "[Ann Roe] is a criminal and possessed a gun.", "criminal"),
        ("place", "The director of [Bolt] is a singer.", ""),
        ("person", "{person:Bob} and [Ann] are the singers.", ""),
        ("person", "[Ann Roe] is tired.", ""),
        ("person", "[Ann Roe] was the first.", ""),
        ("place", "[Lyon] is a director.", ""),
    ]);
}

#[test]
fn titles_and_nouns_before_names() {
    check(&[
        ("person", "We met Senator [Ann Roe] there.", "Senator"),
        ("person", "We met Sen. [Ann Roe] there.", "senator"),
        ("person", "Then Prime Minister [Ann Roe] spoke.", "Prime Minister"),
        ("person", "Then Mrs [Roe] spoke.", "woman"),
        ("person", "It was director [Jane Roe] again.", "director"),
        ("person", "the Kenyan runner [Mary K] won it", "Kenyan runner"),
        ("person", "the chemist Sir [William R] found it", "chemist"),
        ("work", "She liked the graphic novel [Koko] most.", "graphic novel"),
        ("work", "She liked the film “[Koko]” most.", "film"),
        ("place", "They live in the city of [Orr] now.", "city"),
        ("person", "The president of the company, [Ann Roe], said so.", "president of the company"),
        ("person", "His wife, [Ann Roe], said so.", "wife"),
        ("product", "It is {organization:Apple}'s [MacBook] again.", "of Apple"),
        ("organization", "It is {place:Russia}'s [United Nations] ambassador.", ""),
        ("organization", "This season [Arsenal] won.", ""),
        ("person", "After the show [Ann Roe] left.", ""),
        ("place", "They told the director [Lyon] is far.", ""),
        ("person", "{person:Bob}, the wife, [Ann] and {person:Cy} left.", ""),
    ]);
}

#[test]
fn names_in_a_row() {
    check(&[
        (
            "organization",
            "Big tech companies such as {organization:Acme} and [Bolt] fell.",
            "Big tech companies",
        ),
        ("place", "We saw three cities: {place:Lyon} and [Orr].", "cities"),
        ("organization", "{organization:Acme}, [Bolt] and other airlines fell.", "airlines"),
        ("person", "The film, directed by {person:Bob} and [Ann Roe], won.", "director"),
        ("person", "A film starring [Ann Roe] won.", "actor, star of it"),
        ("person", "Venue\nDirector: [Ann Roe]\nMore", "Director"),
        ("person", "By [Ann Roe]\nIt rained.", "author of this page"),
        ("organization", "With services such as {organization:Acme}, [Bolt] has made a bet.", ""),
        // A row of another sort, a remark of a speaker, an empty label.
        ("person", "Companies such as [Ann Roe] fell.", ""),
        ("person", "He did it by [Ann Roe] alone.", ""),
        ("place", "Read more: [Paris] is full", ""),
        ("place", "{person:Bob}: [Paris] is full", ""),
    ]);
}

#[test]
fn abbreviations_and_long_forms() {
    check(&[
        (
            "organization",
            "The {organization:World Health Organization} (WHO) met. [WHO] left.",
            "short for World Health Organization",
        ),
        ("organization", "The [World Health Organization] (WHO) met.", "called WHO"),
        (
            "organization",
            "The WHO (World Health Organization) met; [WHO] left.",
            "short for World Health Organization",
        ),
        ("organization", "The Health Board (WHO) met. [WHO] left.", ""),
    ]);
}

#[test]
fn clauses_origins_and_deeds() {
    check(&[
        ("person", "[Ann Roe], who also managed the club, left.", "who also managed the club"),
        ("person", "[Ann Roe] of {place:Montana} left.", "of Montana"),
        ("person", "[Ann Roe], 38, of Spring Hill, was arrested.", "of Spring Hill"),
        ("person", "[Ann Roe], 38, of the two, was arrested.", ""),
        ("place", "It was in [Lyon], France, last year.", "in France"),
        ("place", "The [Ryman Hall] in {place:Nashville} was full.", "in Nashville"),
        ("organization", "[Bolt] makes anvils for smiths.", "makes anvils for smiths"),
        ("organization", "[Bolt] was founded in a barn.", "founded in a barn"),
        ("product", "Her new [Zed] smartwatch is slow.", "smartwatch"),
        ("product", "It runs on a [Zed] device.", ""),
        ("person", "[Ann Roe], who said so, left.", ""),
        ("organization", "The sale of [Bolt], which ended on Tuesday, was good.", ""),
        ("place", "It was in [Georgia], France and Spain.", ""),
        ("organization", "The director of [Bolt] makes anvils.", ""),
    ]);
}

#[test]
fn where_a_name_stands() {
    let body =
        "A paragraph of some length about nothing in particular, so that a heading can stand above it, ends";
    let cases = [
        ("person", format!("Our speakers\n{body} with [Ann Roe]."), "under: Our speakers"),
        (
            "organization",
            format!("{body}.\nThe following companies:\n- [Bolt] of Lyon\n- Acme"),
            "listed: The following companies",
        ),
        ("person", "Film\tDirector\nOne\tBob\nTwo\t[Ann Roe]\nSix\tCy".to_owned(), "column: Two"),
        (
            "person",
            "Film\tYear\tDirector\nOne\t1990\tBob\nTwo\t1991\t[Ann Roe]".to_owned(),
            "column: Director",
        ),
        ("person", format!("{body} with [Ann Roe]."), ""),
        ("person", format!("Read more: it rains\n{body} with [Ann Roe]."), ""),
        ("person", format!("Bob Roe said no.\n{body} with [Ann Roe]."), ""),
    ];
    for (kind, marked, expected) in cases {
        assert_eq!(read(kind, &marked).stands, expected, "{marked}");
    }
}

#[test]
fn the_best_comes_first_and_all_of_it_is_short() {
    let word = read(
        "person",
        "Dr. [Ann Roe], who teaches physics, came. [Ann Roe] is a chemist. Mrs [Ann Roe] left.",
    );
    assert_eq!(word.said, "chemist; doctor; who teaches physics; woman");
    let long = format!("[Ann] is a singer {}.", "of the great and good town of Orr ".repeat(20));
    assert!(read("person", &long).to_string().len() <= MAX_PAGE_WORD_CHARS);
}

#[test]
fn odd_pages_say_nothing_and_break_nothing() {
    for text in ["", "[]", "[x]", "\u{301}[é]\u{301}", "([A])(", "[日本]の映画", ", [A], ,", "|[A]|\n|||\n||"]
    {
        let _ = read("person", text);
    }
    let many = "[Ann], a singer, came. ".repeat(3_000);
    assert_eq!(read("person", &many).said, "singer");
}

#[test]
fn what_is_called_so_and_what_it_is_made_by() {
    check(&[
        ("work", "They printed a small booklet titled “[Wit]” in May.", "small booklet"),
        ("other", "The new ransomware, dubbed [Filecoder], spread.", "new ransomware"),
        ("person", "A dentist named [Ann Roe] came.", "dentist"),
        ("place", "It would be called [Camp Roe] then.", ""),
        ("person", "The club named [Ann Roe] captain.", ""),
        ("person", "It was newly translated into English by [Ann Roe], they say.", "translator"),
        ("person", "Portrait by [Ann Roe].", "portraitist"),
        ("person", "They read the {work:Long Day} by [Ann Roe] aloud.", "maker of Long Day"),
        ("person", "The work of the day was done by [Ann Roe] alone.", ""),
    ]);
}

#[test]
fn what_stands_beside_a_name() {
    check(&[
        ("organization", "He runs San Mateo-based [Bolt] now.", "San Mateo-based"),
        ("organization", "They met the environmental group [Bolt] there.", "environmental group"),
        ("organization", "He bought [Bolt]'s {product:Anvil Pro} for it.", "maker of Anvil Pro"),
        ("other", "The [STOXX 600] index lost.", "index"),
        ("other", "The new “[Eye Correction]” feature is here.", "feature"),
        ("organization", "The [Bolt] index lost.", ""),
        ("person", "News\n15 October 2019 by [Ann Roe]\nIt rains.", "author of this page"),
    ]);
}
