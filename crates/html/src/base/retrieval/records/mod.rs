//! What programs that save pages leave: in the names of files, in a comment at the top, in attributes of the file.

pub mod comment;
pub mod httrack;
pub mod wayback;
pub mod wget;
pub mod xattr;
