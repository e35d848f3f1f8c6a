//! Tables that tests find and the documentation shows.

/// Asserts that `docs/misbehaviour.md` contains a table. To write it anew, set `QUORATE_BLESS` to a folder: the table is
/// then stored there under its title.
pub fn documented(title: &str, table: &str) {
    if let Ok(folder) = std::env::var("QUORATE_BLESS") {
        std::fs::write(format!("{folder}/{title}.md"), table).expect("a folder");
        return;
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/misbehaviour.md");
    let known = std::fs::read_to_string(path).expect("the documentation");
    assert!(known.contains(table), "docs/misbehaviour.md is out of date:\n{table}");
}
