//! Counts what makes a reader of comments and documents stop: `prose FOLDER...`, or all folders of the repository.
//!
//! A find is a hint. The pages of the root are counted as one folder. The program fails where a folder has more than three finds in two thousand words.

use core::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The longest sentence, in words.
const LONG: usize = 45;
/// Folders with vectors or builds, and those whose text is not ours to count.
const SKIPPED: [&str; 6] = ["target", "corpus", "vectors", "node_modules", ".git", ".gradle"];
/// The service, whose crates are counted one by one.
const SERVICE: &str = "examples/custody";

fn main() -> Result<(), Box<dyn Error>> {
    let folders: Vec<PathBuf> = env::args().skip(1).map(PathBuf::from).collect();
    let mut groups = Vec::new();
    if folders.is_empty() {
        groups.push(pages_of_the_root()?);
    }
    for folder in if folders.is_empty() { all_folders()? } else { folders } {
        groups.push(files(&folder)?);
    }
    let mut over = Vec::new();
    for files in groups {
        let (mut words, mut finds) = (0, Vec::new());
        for file in files {
            for paragraph in paragraphs(&file, &fs::read_to_string(&file)?) {
                words += paragraph.text.split_whitespace().count();
                let at = format!("{}:{}", file.display(), paragraph.line);
                finds.extend(paragraph.finds().map(|(rule, text)| format!("{at}: {rule}: {text}")));
            }
        }
        if 2 * 1000 * finds.len() > 3 * words {
            over.push(format!("{}\n{} finds in {words} words", finds.join("\n"), finds.len()));
        }
    }
    if over.is_empty() { Ok(()) } else { Err(over.join("\n\n").into()) }
}

/// The pages beside the folders, which are counted together.
fn pages_of_the_root() -> io::Result<Vec<PathBuf>> {
    let mut pages = Vec::new();
    for entry in fs::read_dir(".")? {
        pages.push(entry?.path());
    }
    pages.retain(|page| page.extension().is_some_and(|end| end == "md"));
    pages.sort();
    Ok(pages)
}

/// Each crate and example, the benchmarks, the fuzz targets and the documents.
fn all_folders() -> io::Result<Vec<PathBuf>> {
    let mut folders: Vec<PathBuf> = ["benches", "docs", "fuzz"].map(PathBuf::from).into();
    for parent in ["crates", "examples", SERVICE] {
        for entry in fs::read_dir(parent)? {
            folders.push(entry?.path());
        }
    }
    folders.retain(|folder| {
        let inside = folder.parent() == Some(Path::new(SERVICE));
        folder.is_dir()
            && folder.as_path() != Path::new(SERVICE)
            && (!inside || folder.join("Cargo.toml").exists())
    });
    folders.sort();
    Ok(folders)
}

fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if !SKIPPED.contains(&name.as_str()) {
                found.extend(files(&path)?);
            }
        } else if path.extension().is_some_and(|end| end == "rs" || end == "md") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Lines that belong together.
struct Paragraph {
    /// The first line.
    line: usize,
    /// The mark in front of each line; none in Markdown.
    mark: &'static str,
    text: String,
}

/// The paragraphs and the items of lists of Markdown, or of the comments of a source file, without blocks of code, tables and
/// headings.
fn paragraphs(file: &Path, content: &str) -> Vec<Paragraph> {
    let is_markdown = file.extension().is_some_and(|end| end == "md");
    let (mut found, mut in_code, mut open) = (Vec::<Paragraph>::new(), false, false);
    for (line, text) in (1..).zip(content.lines()) {
        let Some((mark, text)) = marked(text.trim(), is_markdown) else {
            (in_code, open) = (false, false);
            continue;
        };
        if text.starts_with("```") {
            (in_code, open) = (!in_code, false);
            continue;
        }
        if in_code || text.is_empty() || text.starts_with(['|', '#', '<', '!']) {
            open = false;
            continue;
        }
        open &= !is_item(text);
        match found.last_mut().filter(|last| open && last.mark == mark) {
            Some(last) => last.text = format!("{} {text}", last.text),
            None => found.push(Paragraph { line, mark, text: text.to_owned() }),
        }
        open = true;
    }
    found
}

/// Returns whether an item of a list begins in the line: `- `, `* ` or `1. `.
fn is_item(text: &str) -> bool {
    let numberless = text.trim_start_matches(|c: char| c.is_ascii_digit());
    text.starts_with("- ")
        || text.starts_with("* ")
        || numberless != text && numberless.starts_with(". ")
}

/// The text of a line, and the mark of a comment in front of it. `None` if the line has no text.
fn marked(line: &str, is_markdown: bool) -> Option<(&'static str, &str)> {
    if is_markdown {
        return Some(("", line));
    }
    let marks = ["///", "//!", "//"].into_iter();
    marks.filter_map(|mark| Some((mark, line.strip_prefix(mark)?.trim()))).next()
}

impl Paragraph {
    /// The rules that are broken, and where.
    fn finds(&self) -> impl Iterator<Item = (&'static str, String)> {
        let plain = without_code(&self.text);
        let mut found = Vec::new();
        if matches!(self.mark, "///" | "//!") && FIRST.iter().any(|word| begins(&plain, word)) {
            found.push(("a first sentence without its noun or verb", start(&plain)));
        }
        for sentence in sentences(&plain) {
            let words: Vec<&str> = sentence.split_whitespace().collect();
            let broken =
                |rule, is_broken| if is_broken { Some((rule, start(sentence))) } else { None };
            found.extend(broken("longer than 45 words", words.len() > LONG));
            found.extend(broken("an inversion", is_inverted(sentence)));
            for clause in sentence.split([',', ';', ':', '.']) {
                let clause = format!(" {} ", clause.trim().to_lowercase());
                let broken = |rule, is_broken| {
                    if is_broken { Some((rule, start(clause.trim()))) } else { None }
                };
                let is_house = HOUSE.iter().any(|word| clause.contains(&format!(" {word} ")));
                found.extend(broken("a word of the house", is_house));
                found.extend(broken(
                    "a party is `it` or `they`",
                    HIS.iter().any(|word| clause.contains(word)),
                ));
                found.extend(broken("a number without its name", is_so_many(&clause)));
                found.extend(broken("`who` without a noun", is_free_who(&clause)));
                let negations = clause.split_whitespace().filter(|word| NEGATIONS.contains(word));
                found.extend(broken("three negations", negations.count() > 2));
            }
        }
        found.into_iter()
    }
}

/// Words that begin no first sentence of a comment.
const FIRST: [&str; 10] = [
    "What",
    "Whether",
    "All",
    "Everything",
    "Everybody",
    "The same",
    "As many",
    "Those",
    "That",
    "It",
];
const HOUSE: [&str; 17] = [
    "put back",
    "gone on with",
    "goes on with",
    "go on with",
    "sign of life",
    "signs of life",
    "gives its word",
    "give their word",
    "leaves the house",
    "somebody's",
    "nobody's",
    "everybody's",
    "aloud",
    "talked into",
    "goes along",
    "go along",
    "it is gone",
];
const HIS: [&str; 4] = [" his ", " him ", " himself ", " he "];
const NEGATIONS: [&str; 8] =
    ["no", "nobody", "nothing", "never", "none", "not", "neither", "unless"];

fn begins(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| rest.starts_with([' ', ',']))
}

/// The beginning of a text.
fn start(text: &str) -> String {
    text.chars().take(100).collect()
}

/// The text with an `x` for each piece of code and each link.
fn without_code(text: &str) -> String {
    let outside = text.split('`').enumerate();
    let plain: Vec<&str> = outside.map(|(at, part)| if at & 1 == 0 { part } else { "x" }).collect();
    let mut plain = plain.concat();
    while let Some((before, rest)) = plain.split_once('[')
        && let Some((_, after)) = rest.split_once(']')
    {
        let after = match after.strip_prefix('(') {
            Some(target) => target.split_once(')').map_or("", |(_, after)| after),
            None => after,
        };
        plain = format!("{before}x{after}");
    }
    plain
}

/// The sentences: each ends at a full stop, colon or the like, after which a capital letter follows.
fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut from = 0;
    for (at, _) in text.match_indices(' ') {
        let (before, after) = (text.get(..at).unwrap_or(""), text.get(at + 1..).unwrap_or(""));
        if before.ends_with(['.', ';', ':', '?', '!']) && after.starts_with(char::is_uppercase) {
            found.extend(text.get(from..at));
            from = at + 1;
        }
    }
    found.extend(text.get(from..));
    found
}

/// Returns whether a sentence says what says something before what it says: "That it is so says …".
fn is_inverted(sentence: &str) -> bool {
    const BEGINNINGS: [&str; 6] = ["That ", "Whether ", "What ", "How ", "Which ", "Where "];
    const VERBS: [&str; 8] = ["say", "says", "tell", "tells", "know", "knows", "show", "shows"];
    let clause = sentence.split(['.', ':', ';']).next().unwrap_or("");
    let mut words = clause.split_whitespace().skip(2).take(12);
    BEGINNINGS.iter().any(|word| clause.starts_with(word))
        && words.any(|word| VERBS.contains(&word))
}

fn is_so_many(clause: &str) -> bool {
    [" so many ", " so much ", " so often "].iter().any(|words| {
        let rest = clause.split_once(words).map(|(_, rest)| rest);
        rest.is_some_and(|rest| !rest.starts_with("that ") && !rest.starts_with("as "))
    })
}

/// Returns whether the clause begins with `who` and a verb, and asks nothing.
fn is_free_who(clause: &str) -> bool {
    let clause = clause.trim_start();
    ["who ", "whoever ", "whom "].iter().any(|word| clause.starts_with(word))
        && !clause.contains('?')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(text: &str) -> Vec<&'static str> {
        let found = paragraphs(Path::new("a.rs"), text);
        found.iter().flat_map(Paragraph::finds).map(|(rule, _)| rule).collect()
    }

    #[test]
    fn each_rule_finds_its_sentence_alone() {
        let long = format!("/// Adds {}.", "one ".repeat(46));
        for (text, rule) in [
            ("/// What a party sends.", "a first sentence without its noun or verb"),
            (long.as_str(), "longer than 45 words"),
            ("// That it fits says the constructor.", "an inversion"),
            ("// The run goes on with the next round.", "a word of the house"),
            ("// The party sends his share.", "a party is `it` or `they`"),
            ("// It takes so many bytes.", "a number without its name"),
            ("// Who has no share, who is away.", "`who` without a noun"),
            ("// Nobody never says nothing.", "three negations"),
        ] {
            assert!(rules(text).contains(&rule), "{text}: {:?}", rules(text));
        }
    }

    #[test]
    fn each_item_of_a_list_is_a_paragraph_of_its_own() {
        let item = "one ".repeat(30);
        for list in [format!("- {item}\n- {item}"), format!("1. {item}\n12. {item}")] {
            let found = paragraphs(Path::new("a.md"), &list);
            assert_eq!(found.len(), 2);
            assert!(found.iter().all(|paragraph| paragraph.finds().count() == 0));
        }
        assert_eq!(paragraphs(Path::new("a.md"), &format!("{item}\n{item}")).len(), 1);
    }

    #[test]
    fn plain_text_code_tables_and_links_have_no_finds() {
        let text = "/// Adds two points.\n///\n/// | who | has |\n/// ```\n/// // What his code says.\n/// ```\n\
                    /// Takes as long as a doubling, so much that [what](who) counts, `his own`.\nlet his = 1;";
        assert_eq!(rules(text), [""; 0]);
    }
}
