//! Feature `serde`: what has a name in the command's JSON is serialized as that name. Types that
//! consist of such values derive `Serialize` where they are defined.

use serde::{Serialize, Serializer};

use super::outcome::Outcome;
use crate::base::BaseSource;
use crate::places::attributes::ValueKind;
use crate::places::groups::Group;

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
