//! A run as such: the settings it was given, the signals that stop it, how it ended, its exit code.

pub(super) mod end;
pub(super) mod exit;
pub(super) mod mirror;
pub(super) mod stop;
pub(super) mod used;
