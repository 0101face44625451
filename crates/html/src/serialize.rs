//! Feature `serde`: what has a name in the command's JSON is serialized as that name. Types that
//! consist of such values derive `Serialize` where they are defined.

use serde::{Serialize, Serializer};

use crate::{BaseSource, Group, Outcome, ValueKind};

macro_rules! by_name {
    ($($named:ty),*) => {
        $(impl Serialize for $named {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.name())
            }
        })*
    };
}

by_name!(Group, Outcome, BaseSource, ValueKind);
