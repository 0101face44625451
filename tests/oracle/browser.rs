//! What a scripting browser's parser finds in a document, as html5ever tells it: for each start
//! tag token, the element that the tree builder made of it, if any.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, ExpandedName, QualName};
use markup5ever_rcdom::{Handle, Node, NodeData, RcDom};

/// A start tag token.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) name: String,
    /// Names in lower case, decoded values; empty for an attribute without one.
    pub(crate) attributes: Vec<(String, String)>,
    /// `None` where the tree builder dropped the tag.
    pub(crate) element: Option<Element>,
}

/// The element made of a start tag.
#[derive(Debug)]
pub(crate) struct Element {
    /// The last part of the namespace's name: `xhtml`, `svg` or `MathML`.
    pub(crate) namespace: String,
    /// Whether its root is a template's contents.
    pub(crate) in_template: bool,
    /// The text that it holds itself, in the end.
    pub(crate) text: String,
}

/// What a document holds.
#[derive(Debug)]
pub(crate) struct Parsed {
    pub(crate) tags: Vec<Found>,
    /// Comments, bogus ones too.
    pub(crate) comments: Vec<String>,
    /// The `href` of the first `base` in tree order that has one.
    pub(crate) base: Option<String>,
}

/// Parses a document with scripting enabled.
pub(crate) fn parse(document: &str) -> Parsed {
    let options = TreeBuilderOpts {
        scripting_enabled: true,
        ..TreeBuilderOpts::default()
    };
    let witness = Witness {
        builder: TreeBuilder::new(Recorder::default(), options),
        tags: RefCell::default(),
        comments: RefCell::default(),
    };
    let tokenizer = Tokenizer::new(witness, TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(document));
    // Scripts and encoding declarations pause it.
    loop {
        let _paused = tokenizer.feed(&input);
        if input.is_empty() {
            break;
        }
    }
    tokenizer.end();
    let witness = &tokenizer.sink;
    let tags = witness.tags.take().into_iter();
    let found = |(tag, node): (Tag, Option<Handle>)| Found {
        name: tag.name.to_string(),
        attributes: tag
            .attrs
            .iter()
            .map(|attribute| {
                (
                    attribute.name.local.to_string(),
                    attribute.value.to_string(),
                )
            })
            .collect(),
        element: node.and_then(|node| element(&node)),
    };
    Parsed {
        tags: tags.map(found).collect(),
        comments: witness.comments.take(),
        base: first_base(&witness.builder.sink.dom.document),
    }
}

/// HTML standard, "document base URL": the contents of templates are no part of the document.
fn first_base(document: &Handle) -> Option<String> {
    let mut open = vec![document.clone()];
    while let Some(node) = open.pop() {
        if let NodeData::Element { name, attrs, .. } = &node.data
            && name.ns == html5ever::ns!(html)
            && &*name.local == "base"
            && let Some(href) = attrs.borrow().iter().find(|a| &*a.name.local == "href")
        {
            return Some(href.value.to_string());
        }
        open.extend(node.children.borrow().iter().rev().cloned());
    }
    None
}

fn element(node: &Handle) -> Option<Element> {
    let NodeData::Element { name, .. } = &node.data else {
        return None;
    };
    let root = root(node.clone());
    let children = node.children.borrow();
    let text = children.iter().filter_map(|child| match &child.data {
        NodeData::Text { contents } => Some(contents.borrow().to_string()),
        _ => None,
    });
    Some(Element {
        namespace: name.ns.rsplit('/').next().unwrap_or_default().to_owned(),
        // What a frameset replaces hangs below a `body` without a parent.
        in_template: matches!(root.data, NodeData::Document) && !is_document(&root),
        text: text.collect(),
    })
}

/// Whether a node is the document itself, not the contents of a template.
fn is_document(root: &Rc<Node>) -> bool {
    let children = root.children.borrow();
    children.iter().any(|child| match &child.data {
        NodeData::Element { name, .. } => &*name.local == "html",
        _ => false,
    })
}

fn root(mut node: Handle) -> Handle {
    loop {
        let parent = node.parent.take();
        node.parent.set(parent.clone());
        match parent.and_then(|parent| parent.upgrade()) {
            Some(parent) => node = parent,
            None => return node,
        }
    }
}

/// Stands between tokenizer and tree builder.
struct Witness {
    builder: TreeBuilder<Handle, Recorder>,
    tags: RefCell<Vec<(Tag, Option<Handle>)>>,
    comments: RefCell<Vec<String>>,
}

impl TokenSink for Witness {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        let tag = match &token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => Some(tag.clone()),
            Token::CommentToken(data) => {
                self.comments.borrow_mut().push(data.to_string());
                None
            }
            _ => None,
        };
        let before = self.builder.sink.created.borrow().len();
        let result = self.builder.process_token(token, line);
        if let Some(tag) = tag {
            // Elements that the tag implies or reconstructs come before its own.
            let created = self.builder.sink.created.borrow();
            let node = created[before..]
                .iter()
                .rev()
                .find(|node| is_named(node, &tag.name))
                .cloned();
            self.tags.borrow_mut().push((tag, node));
        }
        result
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder
            .adjusted_current_node_present_but_not_in_html_namespace()
    }
}

fn is_named(node: &Handle, tag: &str) -> bool {
    match &node.data {
        NodeData::Element { name, .. } => {
            name.local.as_bytes().eq_ignore_ascii_case(tag.as_bytes())
                || (&*name.local == "img" && tag == "image")
        }
        _ => false,
    }
}

/// Keeps all elements in the order in which they were created: those that a frameset replaces, too.
#[derive(Default)]
struct Recorder {
    dom: RcDom,
    created: RefCell<Vec<Handle>>,
}

impl TreeSink for Recorder {
    type Handle = Handle;
    type Output = Self;
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) -> Self {
        self
    }
    fn parse_error(&self, _: Cow<'static, str>) {}
    fn get_document(&self) -> Handle {
        self.dom.get_document()
    }
    fn elem_name<'a>(&'a self, target: &'a Handle) -> ExpandedName<'a> {
        self.dom.elem_name(target)
    }
    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, flags: ElementFlags) -> Handle {
        let node = self.dom.create_element(name, attrs, flags);
        self.created.borrow_mut().push(node.clone());
        node
    }
    fn create_comment(&self, text: StrTendril) -> Handle {
        self.dom.create_comment(text)
    }
    fn create_pi(&self, target: StrTendril, data: StrTendril) -> Handle {
        self.dom.create_pi(target, data)
    }
    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.dom.append(parent, child);
    }
    fn append_based_on_parent_node(
        &self,
        element: &Handle,
        previous: &Handle,
        child: NodeOrText<Handle>,
    ) {
        self.dom
            .append_based_on_parent_node(element, previous, child);
    }
    fn append_doctype_to_document(&self, name: StrTendril, public: StrTendril, system: StrTendril) {
        self.dom.append_doctype_to_document(name, public, system);
    }
    fn get_template_contents(&self, target: &Handle) -> Handle {
        self.dom.get_template_contents(target)
    }
    fn same_node(&self, x: &Handle, y: &Handle) -> bool {
        self.dom.same_node(x, y)
    }
    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.dom.set_quirks_mode(mode);
    }
    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        self.dom.append_before_sibling(sibling, child);
    }
    fn add_attrs_if_missing(&self, target: &Handle, attrs: Vec<Attribute>) {
        self.dom.add_attrs_if_missing(target, attrs);
    }
    fn remove_from_parent(&self, target: &Handle) {
        self.dom.remove_from_parent(target);
    }
    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        self.dom.reparent_children(node, new_parent);
    }
    fn is_mathml_annotation_xml_integration_point(&self, target: &Handle) -> bool {
        self.dom.is_mathml_annotation_xml_integration_point(target)
    }
}
