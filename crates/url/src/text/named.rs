//! Enums whose variants have names.

/// An enum with the name of each variant beside it (after its number, if it has one). Below it, `name` stands for the
/// function that gives the name, and `ALL` for the list of all variants, each with its documentation.
#[doc(hidden)]
#[macro_export]
macro_rules! named {
    ($(#[$about:meta])* pub enum $type:ident {
        $($(#[$of:meta])* $variant:ident $(($number:literal))? = $name:literal,)*
    }
    $(#[$of_name:meta])* name) => {
        $(#[$about])*
        pub enum $type {
            $($(#[$of])* $variant $(= $number)?,)*
        }

        impl $type {
            $(#[$of_name])*
            pub fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name,)*
                }
            }
        }
    };
    ($(#[$about:meta])* pub enum $type:ident {
        $($(#[$of:meta])* $variant:ident = $name:literal,)*
    }
    $(#[$of_name:meta])* name $(#[$of_all:meta])* ALL) => {
        $crate::named! {
            $(#[$about])* pub enum $type { $($(#[$of])* $variant = $name,)* } $(#[$of_name])* name
        }

        impl $type {
            $(#[$of_all])*
            pub const ALL: [$type; [$($type::$variant),*].len()] = [$($type::$variant),*];
        }
    };
}

pub(crate) use named;
