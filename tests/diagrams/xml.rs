//! A small strict reader of XML.

/// An element.
#[derive(Debug, Default)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) attributes: Vec<(String, String)>,
    pub(super) children: Vec<Element>,
    pub(super) text: String,
}

impl Element {
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    pub(super) fn number(&self, name: &str) -> f64 {
        self.get(name).unwrap().parse().unwrap()
    }

    /// All in it of this name and class, from above.
    pub(super) fn all(&self, name: &str, class: &str) -> Vec<&Self> {
        let mut found = Vec::new();
        for child in &self.children {
            if child.name == name && child.get("class") == Some(class) {
                found.push(child);
            }
            found.extend(child.all(name, class));
        }
        found
    }

    /// What is written in it, a space between any two pieces.
    pub(super) fn texts(&self) -> String {
        let own = if self.name == "text" { self.text.clone() } else { String::new() };
        self.children.iter().fold(own, |texts, child| texts + " " + &child.texts())
    }
}

/// Reads one element; anything that is not well-formed panics.
pub(super) fn read(text: &str) -> Element {
    let (element, rest) = element(text);
    assert_eq!(rest, "", "behind the end");
    element
}

fn element(text: &str) -> (Element, &str) {
    let rest = text.strip_prefix('<').expect("a tag");
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap();
    let (name, mut rest) = rest.split_at(end);
    let mut element = Element { name: name.to_owned(), ..Element::default() };
    while let Some(attribute) = rest.strip_prefix(' ').filter(|rest| !rest.is_empty()) {
        let (key, value) = attribute.split_once("=\"").unwrap();
        assert!(key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'), "{key}");
        let (value, after) = value.split_once('"').unwrap();
        assert!(element.get(key).is_none(), "{key} twice");
        element.attributes.push((key.to_owned(), decoded(value)));
        rest = after;
    }
    if let Some(rest) = rest.strip_prefix("/>") {
        return (element, rest);
    }
    rest = rest.strip_prefix('>').unwrap_or_else(|| panic!("no end of the tag: {}", rest.chars().take(80).collect::<String>()));
    loop {
        let tag = rest.find('<').unwrap();
        element.text.push_str(&decoded(&rest[..tag]));
        rest = &rest[tag..];
        if let Some(after) = rest.strip_prefix("</") {
            let after = after.strip_prefix(name).and_then(|after| after.strip_prefix('>'));
            return (element, after.expect("the end of what began"));
        }
        let (child, after) = self::element(rest);
        element.children.push(child);
        rest = after;
    }
}

fn decoded(text: &str) -> String {
    assert!(!text.contains(['<', '>', '"']) && !text.chars().any(char::is_control), "{text}");
    let mut decoded = String::new();
    let mut rest = text;
    while let Some((before, entity)) = rest.split_once('&') {
        let (entity, after) = entity.split_once(';').unwrap();
        decoded.push_str(before);
        decoded.push(match entity {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "#39" => '\'',
            "#10" => '\n',
            other => panic!("&{other};"),
        });
        rest = after;
    }
    decoded + rest
}
