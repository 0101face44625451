//! Where a browser takes a reference elsewhere.

use super::based_reference::{BasedReference, Ruling};
use super::rules::Rules;
use crate::places::attributes::Against;
use crate::report::outcome::Outcome;
use abslink_url::{BaseUrl, Divergence, DivergenceClass, Resolver};

impl Rules<'_> {
    /// Whether a browser takes a reference to a target other than `absolute`, its result.
    pub(crate) fn divergence(
        &self,
        based: &BasedReference<'_, '_>,
        ruling: &Ruling,
        absolute: &str,
    ) -> Option<Divergence> {
        // A file name means nothing to a browser on the server, and a forge changes links: there is nothing to compare.
        let is_comparable = !ruling.means_file() && self.context.checkout.is_none();
        let base = based.base.filter(|_| is_comparable)?;
        let usual = self.usual_divergence(based, base, absolute);
        let Some(early_base) = &self.early_base else {
            return usual;
        };
        let class = DivergenceClass::BeforeBase;
        let browser = None;
        let of_browser = early_base.browser.as_ref();
        let Some(early_base) = of_browser.or(early_base.base.as_ref()) else {
            let is_relative = ruling.outcome == Outcome::Relative;
            return is_relative.then_some(Divergence { browser, class });
        };
        let [reference, absolute] = [based.reference, absolute]
            .map(|url| self.in_encoding(based.row, url, early_base.as_str()));
        let found = abslink_url::differs_in_base(early_base, &reference, &absolute, class)?;
        let is_usual = |usual: &Divergence| usual.browser == found.browser;
        Some(usual.filter(is_usual).unwrap_or(found))
    }

    /// Whether a browser takes it elsewhere once the document is parsed.
    fn usual_divergence(
        &self,
        based: &BasedReference<'_, '_>,
        base: &BaseUrl,
        absolute: &str,
    ) -> Option<Divergence> {
        let browser = match based.row.against {
            Against::Base | Against::Outer => self.document_base.browser.as_ref(),
            Against::Fallback => self.context.browser.as_ref(),
            Against::Codebase | Against::Retrieval | Against::Nothing => None,
        };
        if self.settings.resolver == Resolver::Whatwg {
            return None;
        }
        let read_against = browser.unwrap_or(base);
        let [reference, absolute] = [based.reference, absolute]
            .map(|url| self.in_encoding(based.row, url, read_against.as_str()));
        match browser {
            Some(browser) => {
                let why = DivergenceClass::BaseElement;
                abslink_url::differs_in_base(browser, &reference, &absolute, why)
            }
            None => abslink_url::divergence(base, &reference, &absolute),
        }
    }
}
