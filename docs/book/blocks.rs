//! The blocks of Rust in a page, as a reader sees them.

/// A block of Rust.
pub struct Block {
    /// The page's name in code, and the number of the block on it: `first_signature_1`.
    pub name: String,
    /// The first line of the block, counted from 1.
    pub line: usize,
    /// The code, as it is printed.
    pub code: String,
}

impl Block {
    /// Returns whether the block is a program.
    #[must_use]
    pub fn is_program(&self) -> bool {
        self.code.contains("\nfn main()")
    }
}

/// The blocks of the page with this name, in their order.
///
/// # Errors
/// The line of the first block that a reader could not compile: rustdoc hides its lines that begin with `#`, or its
/// fence has another word beside `rust`.
pub fn blocks(name: &str, page: &str) -> Result<Vec<Block>, String> {
    let (mut found, mut open): (Vec<Block>, Option<Block>) = (Vec::new(), None);
    let mut other = false;
    for (at, line) in page.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some(_), None) if line == "#" || line.starts_with("# ") => {
                return Err(format!("{name}, line {}: a reader does not see this line", at + 1));
            }
            (Some(block), None) => block.code.extend([line, "\n"]),
            (None, Some("rust")) if !other => {
                let name = format!("{name}_{}", found.len() + 1);
                open = Some(Block { name, line: at + 2, code: String::new() });
            }
            (None, Some(info)) if !other && info.starts_with("rust") => {
                return Err(format!("{name}, line {}: `{info}` is not compiled", at + 1));
            }
            (None, Some(_)) => other = !other,
            (None, None) => {}
        }
    }
    open.map_or(Ok(found), |block| Err(format!("{name}, line {}: no end", block.line)))
}
