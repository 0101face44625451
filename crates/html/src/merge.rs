//! Adding up what is counted.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// What two reports have together.
#[doc(hidden)]
pub trait Merge {
    /// Adds the other to this one.
    fn add_up(&mut self, other: &Self);
}

impl Merge for u64 {
    fn add_up(&mut self, other: &u64) {
        *self += other;
    }
}

impl<const N: usize> Merge for [u64; N] {
    fn add_up(&mut self, other: &[u64; N]) {
        self.iter_mut().zip(other).for_each(|(own, it)| *own += it);
    }
}

impl Merge for bool {
    fn add_up(&mut self, other: &bool) {
        *self |= other;
    }
}

impl Merge for PathBuf {
    /// The first in order stays.
    fn add_up(&mut self, other: &PathBuf) {
        if other < self {
            self.clone_from(other);
        }
    }
}

impl<T: Merge + Clone> Merge for Option<T> {
    fn add_up(&mut self, other: &Option<T>) {
        match (self, other) {
            (Some(own), Some(other)) => own.add_up(other),
            (none @ None, other) => none.clone_from(other),
            (Some(_), None) => {}
        }
    }
}

impl<T: Clone> Merge for Vec<T> {
    fn add_up(&mut self, other: &Vec<T>) {
        self.extend_from_slice(other);
    }
}

impl Merge for BTreeMap<String, u64> {
    fn add_up(&mut self, other: &BTreeMap<String, u64>) {
        for (name, number) in other {
            *self.entry(name.clone()).or_default() += number;
        }
    }
}

/// The struct, and `merge`, which leaves no field out.
#[doc(hidden)]
#[macro_export]
macro_rules! merged {
    ($(#[$about:meta])* pub struct $name:ident {
        $($(#[$of_field:meta])* $visible:vis $field:ident: $type:ty,)*
    } not in JSON {
        $($(#[$of_other:meta])* $seen:vis $other:ident: $other_type:ty,)*
    }) => {
        $(#[$about])*
        pub struct $name {
            $($(#[$of_field])* $visible $field: $type,)*
            $(#[cfg_attr(feature = "serde", serde(skip))] $(#[$of_other])* $seen $other: $other_type,)*
        }

        impl $crate::shared::Merge for $name {
            fn add_up(&mut self, other: &$name) {
                $(self.$field.add_up(&other.$field);)*
                $(self.$other.add_up(&other.$other);)*
            }
        }

        impl $name {
            /// Adds another one to this one.
            pub fn merge(&mut self, other: &$name) {
                $crate::shared::Merge::add_up(self, other);
            }
        }
    };
}

pub(crate) use merged;
