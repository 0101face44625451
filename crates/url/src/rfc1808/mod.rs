//! RFC 1808 §2 and §4, a file for each section.
//!
//! If the text can be read in two ways, the reading chosen is documented at the function that
//! implements it. The common thread is called *preserve*: a component that is present but empty
//! differs from one that is absent, so `g?` keeps its `?`. §2.4 allows the other reading as well
//! ("if the question mark is the last character, or no question mark is present, then the query
//! information is empty"), but it drops delimiters to which servers and browsers attach meaning.
//! All the examples of §5 come out the same.

pub mod grammar;
pub mod parse;
pub mod path;
pub mod resolve;
pub mod schemes;

pub use crate::text::bnf::{GrammarError, Rule};
pub use grammar::validate;
pub use parse::Components;
pub use schemes::SchemeClass;
