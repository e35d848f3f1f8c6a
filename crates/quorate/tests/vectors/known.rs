//! Sections of `docs/spec/known-answers.md`, recomputed: the page has to show these values, and no others.
//!
//! After a change that is meant, `QUORATE_BLESS=1 cargo test -p quorate --test vectors known` writes the values into
//! the page. A change of a released form needs a new version.

use quorate_testkit::hex;
use sha2::{Digest, Sha256};

mod derived;
mod life;
mod played;
mod suites;

/// The page.
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/spec/known-answers.md");

/// The digits in one line of the page.
const DIGITS: usize = 126;

/// The lines of a section, in the page's form.
struct Values(String);

impl Values {
    const fn new() -> Self {
        Self(String::new())
    }

    fn put(&mut self, name: &str, bytes: &[u8]) {
        let digits = hex(bytes);
        self.0 += name;
        self.0 += " =";
        if digits.len() <= 66 {
            self.0 += &format!(" {digits}\n");
            return;
        }
        self.0.push('\n');
        for line in digits.as_bytes().chunks(DIGITS) {
            self.0 += &format!("  {}\n", core::str::from_utf8(line).unwrap());
        }
    }

    /// For values that are too long for a page.
    fn put_digest(&mut self, name: &str, bytes: &[u8]) {
        self.put(&format!("SHA-256 of {name}"), &Sha256::digest(bytes));
    }

    /// Asserts that the section has exactly these values.
    fn are_those_of(&self, heading: &str) {
        let page = std::fs::read_to_string(PAGE).unwrap();
        let (start, end) = block(&page, heading);
        if std::env::var_os("QUORATE_BLESS").is_some() {
            let blessed = [&page[..start], &self.0, &page[end..]].concat();
            std::fs::write(PAGE, blessed).unwrap();
            return;
        }
        let mut known = page[start..end].lines();
        for line in self.0.lines() {
            assert_eq!(known.next(), Some(line), "{heading}");
        }
        assert_eq!(known.next(), None, "{heading}: more than is computed");
    }
}

/// The place of the values of a section: its first block.
fn block(page: &str, heading: &str) -> (usize, usize) {
    const START: &str = "```text\n";
    let title = format!("\n## {heading}\n");
    let section = page.find(&title).expect("the heading");
    let start = section + page[section..].find(START).unwrap() + START.len();
    (start, start + page[start..].find("```\n").unwrap())
}

/// One test for all sections, so that no two write the page at once.
#[test]
fn known_answers_of_the_page() {
    life::values()
        .are_those_of("Refresh, repair, complaint, acknowledgement, share exchange over secp256k1");
    suites::values().are_those_of("Refresh and repair of other suites");
    derived::values().are_those_of("Child keys, backup and health");
}
