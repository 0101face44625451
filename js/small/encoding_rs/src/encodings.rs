//! The encodings of the Encoding Standard, and their labels.

use crate::Encoding;
use crate::Kind::*;

macro_rules! encodings {
    ($($name:ident $text:literal $kind:expr, $labels:literal;)+) => {
        $(
            #[doc = $text]
            pub static $name: &Encoding = &Encoding {
                name: $text,
                kind: $kind,
                labels: $labels,
            };
        )+

        pub(crate) static ALL: &[&Encoding] = &[$($name),+];
    };
}

encodings! {
    UTF_8 "UTF-8" Utf8,
        "utf8 utf-8 unicode20utf8 unicode11utf8 x-unicode20utf8 unicode-1-1-utf-8";
    IBM866 "IBM866" Single(0),
        "866 cp866 ibm866 csibm866";
    ISO_8859_2 "ISO-8859-2" Single(1),
        "l2 latin2 iso88592 iso8859-2 iso-ir-101 iso-8859-2 iso_8859-2 csisolatin2 iso_8859-2:1987";
    ISO_8859_3 "ISO-8859-3" Single(2),
        "l3 latin3 iso88593 iso8859-3 iso-8859-3 iso_8859-3 iso-ir-109 csisolatin3 iso_8859-3:1988";
    ISO_8859_4 "ISO-8859-4" Single(3),
        "l4 latin4 iso88594 iso8859-4 iso-ir-110 iso-8859-4 iso_8859-4 csisolatin4 iso_8859-4:1988";
    ISO_8859_5 "ISO-8859-5" Single(4),
        "iso88595 cyrillic iso8859-5 iso-ir-144 iso-8859-5 iso_8859-5 iso_8859-5:1988 csisolatincyrillic";
    ISO_8859_6 "ISO-8859-6" Single(5),
        "arabic ecma-114 iso88596 asmo-708 iso8859-6 iso-8859-6 iso_8859-6 iso-ir-127 csiso88596e \
         csiso88596i iso-8859-6-e iso-8859-6-i iso_8859-6:1987 csisolatinarabic";
    ISO_8859_7 "ISO-8859-7" Single(6),
        "greek greek8 iso88597 ecma-118 elot_928 iso8859-7 iso-ir-126 iso-8859-7 iso_8859-7 sun_eu_greek \
         iso_8859-7:1987 csisolatingreek";
    ISO_8859_8 "ISO-8859-8" Single(7),
        "visual hebrew iso88598 iso8859-8 iso-8859-8 iso_8859-8 iso-ir-138 csiso88598e iso-8859-8-e \
         iso_8859-8:1988 csisolatinhebrew";
    ISO_8859_10 "ISO-8859-10" Single(8),
        "l6 latin6 iso885910 iso8859-10 iso-ir-157 iso-8859-10 csisolatin6";
    ISO_8859_13 "ISO-8859-13" Single(9),
        "iso885913 iso8859-13 iso-8859-13";
    ISO_8859_14 "ISO-8859-14" Single(10),
        "iso885914 iso8859-14 iso-8859-14";
    ISO_8859_15 "ISO-8859-15" Single(11),
        "l9 iso885915 iso8859-15 iso-8859-15 iso_8859-15 csisolatin9";
    ISO_8859_16 "ISO-8859-16" Single(12),
        "iso-8859-16";
    KOI8_R "KOI8-R" Single(13),
        "koi koi8 koi8-r koi8_r cskoi8r";
    KOI8_U "KOI8-U" Single(14),
        "koi8-u koi8-ru";
    MACINTOSH "macintosh" Single(15),
        "mac macintosh csmacintosh x-mac-roman";
    WINDOWS_874 "windows-874" Single(16),
        "tis-620 dos-874 iso885911 iso8859-11 iso-8859-11 windows-874";
    WINDOWS_1250 "windows-1250" Single(17),
        "cp1250 x-cp1250 windows-1250";
    WINDOWS_1251 "windows-1251" Single(18),
        "cp1251 x-cp1251 windows-1251";
    WINDOWS_1252 "windows-1252" Single(19),
        "l1 cp819 ascii latin1 cp1252 ibm819 iso88591 x-cp1252 us-ascii iso8859-1 iso-ir-100 iso-8859-1 \
         iso_8859-1 csisolatin1 windows-1252 ansi_x3.4-1968 iso_8859-1:1987";
    WINDOWS_1253 "windows-1253" Single(20),
        "cp1253 x-cp1253 windows-1253";
    WINDOWS_1254 "windows-1254" Single(21),
        "l5 cp1254 latin5 x-cp1254 iso88599 iso8859-9 iso-ir-148 iso-8859-9 iso_8859-9 csisolatin5 \
         windows-1254 iso_8859-9:1989";
    WINDOWS_1255 "windows-1255" Single(22),
        "cp1255 x-cp1255 windows-1255";
    WINDOWS_1256 "windows-1256" Single(23),
        "cp1256 x-cp1256 windows-1256";
    WINDOWS_1257 "windows-1257" Single(24),
        "cp1257 x-cp1257 windows-1257";
    WINDOWS_1258 "windows-1258" Single(25),
        "cp1258 x-cp1258 windows-1258";
    X_MAC_CYRILLIC "x-mac-cyrillic" Single(26),
        "x-mac-cyrillic x-mac-ukrainian";
    ISO_8859_8_I "ISO-8859-8-I" Single(7),
        "logical csiso88598i iso-8859-8-i";
    UTF_16BE "UTF-16BE" Utf16 { is_big: true },
        "utf-16be unicodefffe";
    UTF_16LE "UTF-16LE" Utf16 { is_big: false },
        "ucs-2 utf-16 unicode utf-16le csunicode unicodefeff iso-10646-ucs-2";
    BIG5 "Big5" Big5,
        "big5 csbig5 cn-big5 x-x-big5 big5-hkscs";
    EUC_JP "EUC-JP" EucJp,
        "euc-jp x-euc-jp cseucpkdfmtjapanese";
    EUC_KR "EUC-KR" EucKr,
        "korean euc-kr ksc5601 cseuckr ksc_5601 iso-ir-149 windows-949 csksc56011987 ks_c_5601-1987 \
         ks_c_5601-1989";
    GBK "GBK" Gb18030 { is_gbk: true },
        "gbk x-gbk gb2312 gb_2312 chinese csgb2312 iso-ir-58 gb_2312-80 csiso58gb231280";
    GB18030 "gb18030" Gb18030 { is_gbk: false },
        "gb18030";
    ISO_2022_JP "ISO-2022-JP" Iso2022Jp,
        "iso-2022-jp csiso2022jp";
    SHIFT_JIS "Shift_JIS" ShiftJis,
        "sjis ms932 x-sjis ms_kanji shift-jis shift_jis csshiftjis windows-31j";
    REPLACEMENT "replacement" Replacement,
        "hz-gb-2312 iso-2022-cn iso-2022-kr csiso2022kr replacement iso-2022-cn-ext";
    X_USER_DEFINED "x-user-defined" UserDefined,
        "x-user-defined";
}
