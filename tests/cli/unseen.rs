//! What the commands do that no other test looks at, room by room: each of these fails where one line of
//! the room is changed, as `.ci/mutants` changes it.

mod archives;
mod formats;
mod verify;
