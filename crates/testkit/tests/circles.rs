//! Within a crate, data flows one way: no circle between files.
//!
//! An arrow goes from a file to another that defines something it names; re-exports are followed to the definition. A
//! `mod` is no arrow, and modules of tests are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, ItemUse, UseTree, Visibility};

/// The path of a module from the root of its crate.
type Module = Vec<String>;

/// A `use`: the path that it names, and the name that it gives to it.
struct Use {
    path: Vec<String>,
    name: String,
    is_public: bool,
}

/// A source file.
#[derive(Default)]
struct Source {
    children: Vec<String>,
    defined: BTreeSet<String>,
    uses: Vec<Use>,
    /// The other paths of two or more segments.
    paths: Vec<Vec<String>>,
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let tokens = |list: &syn::MetaList| list.tokens.to_string();
        attribute.path().is_ident("cfg")
            && attribute.meta.require_list().is_ok_and(|list| tokens(list) == "test")
    })
}

impl Source {
    fn read(file: &Path) -> Self {
        let text = fs::read_to_string(file).unwrap();
        let mut source = Self::default();
        source.visit_file(&syn::parse_file(&text).unwrap());
        source
    }

    fn take_use(&mut self, tree: &UseTree, mut path: Vec<String>, is_public: bool) {
        match tree {
            UseTree::Path(one) => {
                path.push(one.ident.to_string());
                self.take_use(&one.tree, path, is_public);
            }
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.take_use(tree, path.clone(), is_public));
            }
            UseTree::Name(one) => self.end_use(path, one.ident.to_string(), None, is_public),
            UseTree::Rename(one) => {
                let name = Some(one.rename.to_string());
                self.end_use(path, one.ident.to_string(), name, is_public);
            }
            UseTree::Glob(_) => self.end_use(path, "*".into(), None, is_public),
        }
    }

    fn end_use(&mut self, mut path: Module, last: String, name: Option<String>, is_public: bool) {
        if last != "self" {
            path.push(last);
        }
        let name = name.or_else(|| path.last().cloned()).unwrap_or_default();
        self.uses.push(Use { path, name, is_public });
    }
}

impl<'ast> Visit<'ast> for Source {
    fn visit_item(&mut self, item: &'ast Item) {
        let (attributes, name) = match item {
            Item::Const(item) => (&item.attrs, Some(&item.ident)),
            Item::Enum(item) => (&item.attrs, Some(&item.ident)),
            Item::Fn(item) => (&item.attrs, Some(&item.sig.ident)),
            Item::Impl(item) => (&item.attrs, None),
            Item::Macro(item) => (&item.attrs, item.ident.as_ref()),
            Item::Mod(item) => (&item.attrs, None),
            Item::Static(item) => (&item.attrs, Some(&item.ident)),
            Item::Struct(item) => (&item.attrs, Some(&item.ident)),
            Item::Trait(item) => (&item.attrs, Some(&item.ident)),
            Item::Type(item) => (&item.attrs, Some(&item.ident)),
            Item::Use(item) => (&item.attrs, None),
            _ => return visit::visit_item(self, item),
        };
        if !is_for_tests(attributes) {
            self.defined.extend(name.map(ToString::to_string));
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        match &item.content {
            None => self.children.push(item.ident.to_string()),
            Some(_) => visit::visit_item_mod(self, item),
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.take_use(&item.tree, Vec::new(), !matches!(item.vis, Visibility::Inherited));
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.segments.len() > 1 {
            self.paths.push(path.segments.iter().map(|one| one.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }
}

/// The files of a crate by their modules.
struct Sources(BTreeMap<Module, Source>);

impl Sources {
    fn read(root: &Path) -> Self {
        let mut sources = BTreeMap::new();
        let mut open = vec![(root.join("lib.rs"), root.to_path_buf(), Module::new())];
        while let Some((file, folder, module)) = open.pop() {
            let source = Source::read(&file);
            for child in &source.children {
                let file: PathBuf = folder.join(child).with_extension("rs");
                // Others are named by `#[path]`, and are tests.
                if child != "tests" && file.exists() {
                    open.push((
                        file,
                        folder.join(child),
                        [&module[..], core::slice::from_ref(child)].concat(),
                    ));
                }
            }
            sources.insert(module, source);
        }
        Self(sources)
    }

    /// The path from the root of the crate of what `path` names in a module; `None` if it is of another crate.
    fn absolute(&self, module: &Module, path: &[String]) -> Option<Module> {
        let (first, rest) = path.split_first()?;
        let source = &self.0[module];
        match first.as_str() {
            "crate" => Some(rest.to_vec()),
            "self" => Some([module, rest].concat()),
            "super" => {
                let parent = module[..module.len().checked_sub(1)?].to_vec();
                if rest.first().is_some_and(|next| next == "super") {
                    return self.absolute(&parent, rest);
                }
                Some([&parent, rest].concat())
            }
            child if source.children.iter().any(|one| one == child) => {
                Some([module, path].concat())
            }
            name => {
                let local = |first: &str| {
                    ["crate", "self", "super"].contains(&first)
                        || source.children.iter().any(|child| child == first)
                };
                let found = source.uses.iter().find(|one| {
                    one.name == name
                        && one.path != path
                        && one.path.first().is_some_and(|at| local(at))
                })?;
                Some([self.absolute(module, &found.path)?, rest.to_vec()].concat())
            }
        }
    }

    /// The file that defines it; `None` for a module.
    fn defining(&self, absolute: &[String], depth: usize) -> Option<Module> {
        let known =
            (0..=absolute.len()).rev().find(|end| self.0.contains_key(&absolute[..*end]))?;
        let (module, rest) = (absolute[..known].to_vec(), &absolute[known..]);
        let source = &self.0[&module];
        let name = rest.first()?;
        let reexport = source.uses.iter().find(|one| one.name == *name);
        match reexport {
            Some(reexport) if !source.defined.contains(name) && name != "*" => {
                let onwards = self.absolute(&module, &reexport.path)?;
                if depth == 0 {
                    None
                } else {
                    self.defining(&[&onwards, &rest[1..]].concat(), depth - 1)
                }
            }
            _ => Some(module),
        }
    }

    /// The files that each file depends on.
    fn arrows(&self) -> BTreeMap<Module, BTreeSet<Module>> {
        let each = self.0.iter().map(|(module, source)| {
            let uses = source.uses.iter().filter(|one| !one.is_public).map(|one| &one.path);
            let named = uses
                .chain(&source.paths)
                .filter_map(|path| self.defining(&self.absolute(module, path)?, 16));
            (module.clone(), named.filter(|to| to != module).collect())
        });
        each.collect()
    }
}

/// The files that are on a circle: those that are reached from themselves.
fn on_circles(arrows: &BTreeMap<Module, BTreeSet<Module>>) -> Vec<String> {
    let returns = |start: &Module| {
        let (mut open, mut seen) = (vec![start], BTreeSet::new());
        while let Some(at) = open.pop() {
            for next in &arrows[at] {
                if next == start {
                    return true;
                }
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        false
    };
    arrows.keys().filter(|module| returns(module)).map(|module| module.join("/")).collect()
}

#[test]
fn no_circle_between_the_files_of_a_crate() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let (mut files, mut arrows, mut found) = (0, 0, Vec::new());
    for entry in fs::read_dir(crates).unwrap() {
        let root = entry.unwrap().path().join("src");
        let graph = Sources::read(&root).arrows();
        found.extend(
            on_circles(&graph).into_iter().map(|file| format!("{}: {file}", root.display())),
        );
        files += graph.len();
        arrows += graph.values().map(BTreeSet::len).sum::<usize>();
    }
    assert_eq!(found, [""; 0]);
    // A reader that finds nothing would find no circle.
    assert!(files > 300 && arrows > 1000, "{files} files, {arrows} arrows");
}

#[test]
fn a_circle_is_found() {
    let module = |name: &str| vec![name.to_owned()];
    let arrow = |from, to| (module(from), BTreeSet::from([module(to)]));
    let arrows = BTreeMap::from([arrow("a", "b"), arrow("b", "c"), arrow("c", "b")]);
    assert_eq!(on_circles(&arrows), ["b", "c"]);
}
