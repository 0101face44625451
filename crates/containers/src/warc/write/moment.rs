//! `WARC-Date` (WARC 1.1 §5.4): a moment, in the profile of ISO 8601 that the W3C has written down.

use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

/// A moment, such as `2026-01-31T12:00:00Z`.
///
/// # Examples
/// ```
/// use abslink_containers::warc::Moment;
///
/// let moment: Moment = "2026-01-31T12:00:00Z".parse()?;
/// assert_eq!(moment.to_string(), "2026-01-31T12:00:00Z");
/// # Ok::<(), abslink_containers::warc::NoMoment>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment(String);

/// What should be a moment and is none.
///
/// # Examples
/// ```
/// use abslink_containers::warc::{Moment, NoMoment};
///
/// assert_eq!("yesterday".parse::<Moment>(), Err(NoMoment));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no moment in UTC, such as 2026-01-31T12:00:00Z")]
pub struct NoMoment;

impl Moment {
    /// This moment.
    pub fn now() -> Moment {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        Moment::at(since.map_or(0, |since| since.as_secs()))
    }

    /// So many seconds after 1970 began, such as `SOURCE_DATE_EPOCH` gives.
    pub fn at(seconds: u64) -> Moment {
        let (days, seconds) = (seconds / 86_400, seconds % 86_400);
        let (year, month, day) = civil(days);
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        Moment(format!(
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"
        ))
    }

    /// As it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The Gregorian date of a day that is so many days after 1970-01-01: years that begin in March have their leap day at
/// the end.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (cycle, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (400 * cycle + year + u64::from(month <= 2), month, day)
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

/// `month` counts from 1.
fn length_of_month(year: u64, month: usize) -> u64 {
    const LENGTHS: [u64; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    LENGTHS.get(month - 1).copied().unwrap_or(31) + u64::from(month == 2 && is_leap(year))
}

impl FromStr for Moment {
    type Err = NoMoment;

    /// Takes seconds with up to nine digits behind a point, as WARC 1.1 does.
    fn from_str(text: &str) -> Result<Moment, NoMoment> {
        let digits = |range: std::ops::Range<usize>| -> Option<u64> {
            let part = text.get(range)?;
            part.bytes()
                .all(|byte| byte.is_ascii_digit())
                .then(|| part.parse().ok())?
        };
        let parsed = || {
            let (year, month, day) = (digits(0..4)?, digits(5..7)?, digits(8..10)?);
            let (hour, minute, second) = (digits(11..13)?, digits(14..16)?, digits(17..19)?);
            let marks = [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")];
            let is_spelled = marks
                .iter()
                .all(|(at, mark)| text.get(*at..at + 1) == Some(mark));
            let fraction = text.get(19..)?.strip_suffix('Z')?;
            let is_fraction = fraction.is_empty()
                || (fraction.strip_prefix('.')).is_some_and(|digits| {
                    (1..=9).contains(&digits.len())
                        && digits.bytes().all(|byte| byte.is_ascii_digit())
                });
            let is_date = (1..=12).contains(&month)
                && (1..=length_of_month(year, usize::try_from(month).ok()?)).contains(&day);
            let is_time = hour < 24 && minute < 60 && second <= 60;
            Some(is_spelled && is_fraction && is_date && is_time)
        };
        match parsed() {
            Some(true) => Ok(Moment(text.to_owned())),
            _ => Err(NoMoment),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_become_dates() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_767_225_599, "2025-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (13_574_563_200, "2400-02-29T00:00:00Z"),
        ] {
            assert_eq!(Moment::at(seconds).as_str(), expected);
            assert_eq!(expected.parse(), Ok(Moment::at(seconds)));
        }
    }

    #[test]
    fn what_is_no_moment() {
        for text in [
            "",
            "2026-01-31",
            "2026-01-31T12:00:00",
            "2026-02-29T12:00:00Z",
            "2026-13-01T12:00:00Z",
            "2026-01-31T24:00:00Z",
            "2026-01-31T12:00:00.Z",
            "2026-01-31T12:00:00.1234567890Z",
            "2026-01-31 12:00:00Z",
            "2026-01-31T12:00:00+00:00",
            "+026-01-31T12:00:00Z",
        ] {
            assert_eq!(text.parse::<Moment>(), Err(NoMoment), "{text}");
        }
        assert!("2026-01-31T12:00:00.123456789Z".parse::<Moment>().is_ok());
    }
}
