//! Looks for dead links in the rendered documentation: `links FOLDER CRATE...`, with `target/doc` as the folder.
//!
//! A link dies if it leads to a file that is not there, or out of the folder: the host of the documentation has nothing
//! else of the repository.

use core::error::Error;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::{env, fs, io};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("links FOLDER CRATE...")?);
    let crates: Vec<String> = arguments.collect();
    let (mut dead, mut seen, mut links) = (Vec::new(), BTreeSet::new(), 0_usize);
    for name in &crates {
        let before = links;
        for page in pages(&folder.join(name))? {
            for target in targets(&fs::read_to_string(&page)?) {
                links += 1;
                if leads_nowhere(&folder, &page, &target, &mut seen) {
                    dead.push(format!("{}: {target}", page.display()));
                }
            }
        }
        if links == before {
            return Err(format!("{name} has no page with a link").into());
        }
    }
    if dead.is_empty() {
        println!("{links} links of {} crates lead somewhere", crates.len());
        return Ok(());
    }
    Err(format!("{} dead links:\n{}", dead.len(), dead.join("\n")).into())
}

/// The pages below a folder.
fn pages(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(pages(&path)?);
        } else if path.extension().is_some_and(|end| end == "html") {
            found.push(path);
        }
    }
    Ok(found)
}

/// The targets of links and pictures that are no address on the network, without their anchors.
fn targets(page: &str) -> BTreeSet<String> {
    let attributes = ["href=\"", "src=\""].iter().flat_map(|start| page.split(*start).skip(1));
    let targets = attributes.filter_map(|rest| rest.split_once('"')).map(|(target, _)| target);
    let targets = targets.filter(|target| !target.contains(':') && !target.starts_with("//"));
    let targets = targets.filter_map(|target| target.split(['#', '?']).next());
    // What rustdoc itself writes: a template of its script, and lists of all items beside the pages of another crate. And a
    // link in the text of a blanket implementation of the crate tracing, to a module of that crate.
    let own = |target: &str| {
        let script = target.contains("${") || target.ends_with(".js");
        script || target.ends_with("all.html") || target == "dispatcher"
    };
    targets.filter(|target| !target.is_empty() && !own(target)).map(str::to_owned).collect()
}

/// Returns whether there is no file behind a link. `seen` has those that are there.
fn leads_nowhere(folder: &Path, page: &Path, target: &str, seen: &mut BTreeSet<PathBuf>) -> bool {
    let Some(path) = page.parent().and_then(|from| resolve(folder, from, target)) else {
        return true;
    };
    if seen.contains(&path) {
        return false;
    }
    let there = path.is_file() || path.join("index.html").is_file();
    if there {
        seen.insert(path);
    }
    !there
}

/// The path of a link, if it is below the folder.
fn resolve(folder: &Path, from: &Path, target: &str) -> Option<PathBuf> {
    let mut path = from.strip_prefix(folder).ok()?.to_owned();
    for part in Path::new(target).components() {
        match part {
            Component::Normal(name) => path.push(name),
            Component::ParentDir => path.pop().then_some(())?,
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(folder.join(path))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn dead_links_are_found() {
        let folder = env::temp_dir().join(format!("quorate-links-{}", std::process::id()));
        let inner = folder.join("one");
        fs::create_dir_all(&inner).unwrap();
        fs::write(folder.join("there.html"), "").unwrap();
        let text = r##"<a href="../there.html#part">x</a> <a href="https://example.org/">x</a> <a href="#top">x</a>
            <a href="docs/book">x</a> <a href="../../README.md">x</a> <img src="/etc/none.svg">"##;
        let page = inner.join("index.html");
        fs::write(&page, text).unwrap();
        assert_eq!(pages(&folder).unwrap().len(), 2);
        let dead: Vec<_> = targets(text)
            .into_iter()
            .filter(|target| leads_nowhere(&folder, &page, target, &mut BTreeSet::new()))
            .collect();
        assert_eq!(dead, ["../../README.md", "/etc/none.svg", "docs/book"]);
        fs::remove_dir_all(folder).unwrap();
    }
}
