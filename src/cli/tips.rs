//! What to say where the arguments make no sense and clap's own guess leads astray.

use std::path::Path;

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

/// Takes out the tips that mislead.
pub(super) fn mend(error: &mut Error) {
    if error.kind() != ErrorKind::UnknownArgument {
        return;
    }
    let typed = text(error, ContextKind::InvalidArg).unwrap_or_default();
    let typed = typed.split(' ').next().unwrap_or_default().to_owned();
    // That it may be a PATH is worth a word only if there is such a file.
    if Path::new(&typed).symlink_metadata().is_err() {
        error.remove(ContextKind::Suggested);
    }
    // `--url-map` looks like it; but who types it has a URL.
    if typed == "--url" && text(error, ContextKind::SuggestedArg).is_some() {
        let meant = ContextValue::String("--base-url".to_owned());
        error.insert(ContextKind::SuggestedArg, meant);
        // It shows the option that was guessed.
        error.remove(ContextKind::Usage);
    }
}

/// What to type where a path was given without a command.
pub(super) fn without_command(error: &Error) -> Option<String> {
    let typed = text(error, ContextKind::InvalidSubcommand)?;
    let is_path = typed.contains(['/', '.']) || Path::new(typed).exists();
    (error.kind() == ErrorKind::InvalidSubcommand && is_path).then(|| {
        format!(
            "`{typed}` is no command, and a PATH comes after one: `abslink check {typed}` lists its relative \
             references, `abslink rewrite --help` says how to make them absolute"
        )
    })
}

fn text(error: &Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text),
        _ => None,
    }
}
