//! The pages of the book about diagnostics, as they were when this was built.

/// The folder is a link to that of the book; in a package it is a copy.
macro_rules! pages {
    ($($code:ident)*) => { &[$((stringify!($code), include_str!(concat!("../pages/", stringify!($code), ".md")))),*] };
}

/// Each with its code, in order.
pub(crate) const PAGES: &[(&str, &str)] = pages! {
    GW001 GW002 GW003 GW004 GW005 GW006 GW007 GW009 GW010 GW011 GW012 GW013 GW014 GW015 GW016 GW017
    GW018 GW019 GW020 GW021 GW022 GW023 GW024 GW025 GW026 GW027 GW028 GW029 GW030 GW031 GW032 GW033
    GW034 GW039 GW040 GW041 GW042 GW043 GW044 GW045 GW046 GW047 GW048 GW049 GW050 GW051 GW052 GW053
    GW054 GW055 GW056 GW057 GW058 GW059 GW060 GW061 GW062 GW063 GW064 GW065 GW066 GW067 GW068 GW069
    GW070 GW071 GW072 GW073 GW074 GW075 GW076 GW077 GW078 GW079 GW080 GW081 GW082 GW083 GW084 GW085
    GW086 GW087 GW088 GW089 GW090 GW091 GW092 GW093 GW094 GW095 GW096
};
