"""Sends a page of a site as a mail: its links and pictures lead to the site.

    python newsletter.py https://example.org/news/41.html page.html utf-8 | sendmail -t

Mail readers have no base URL, and many of them ignore <base>. So every reference has to be absolute, and
the page is not sent if one is not.
"""

import sys
from email.message import EmailMessage
from pathlib import Path

import abslink


def newsletter(html: bytes, url: str, to: str, charset: str) -> EmailMessage:
    """The mail. `html`, in the encoding `charset`, stays as it is except for its references: mail templates
    are fragile."""
    # Scripts and in-page links are for the mail reader to judge.
    rewriter = abslink.Rewriter(exclude_url="^javascript:", fragments="keep")
    new = rewriter.rewrite(html, url, charset=charset)
    left = [link for link in abslink.links(new, url, charset=charset) if link.outcome == "unresolved"]
    if left:
        raise ValueError(f"line {left[0].line}: {left[0].reference} has no absolute form")
    mail = EmailMessage()
    mail["To"] = to
    mail["Subject"] = "News"
    mail["Content-Location"] = url
    mail.set_content(f"This mail is a page: {url}")
    mail.add_alternative(new, maintype="text", subtype="html", params={"charset": charset})
    return mail


if __name__ == "__main__":
    print(newsletter(Path(sys.argv[2]).read_bytes(), sys.argv[1], "list@example.org", sys.argv[3]))
