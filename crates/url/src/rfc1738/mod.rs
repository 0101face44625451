//! RFC 1738 §3.1, the login part of a URL, and §5, the forms of the schemes it defines.

mod forms;
mod login;

pub use forms::validate;
pub use login::Login;
