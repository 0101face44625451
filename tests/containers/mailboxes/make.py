"""Makes mailboxes with sixty mails of many kinds: an mbox, a Maildir, and a directory with a mail in each file."""

import email.policy
import mailbox
import os
import random
from email.message import EmailMessage

random.seed(1)
POLICY = email.policy.SMTP


def html(number):
    lines = ["<html><body>"]
    for line in range(random.randrange(1, 60)):
        lines.append(random.choice([
            f'<a href="page{line}.html">{"text " * random.randrange(30)}</a>',
            f"From <img src=i{line}.png> there to here",
            "From a@b Sat Jan  3 01:05:34 1996",
            f"<p>caf\u00e9 \u2603 {number}",
            "",
            f'<a href="http://other/{line}">=3D = =</a>',
        ]))
    lines.append(f'<a href="last{number}">From</a></body></html>')
    return "\n".join(lines) + "\n"


def mail(number):
    message = EmailMessage(policy=POLICY)
    message["From"] = f"a{number}@example.org"
    message["To"] = "b@example.org"
    message["Subject"] = f"Mail {number} \u00e9"
    message["Message-ID"] = f"<{number}@example.org>"
    message["Date"] = "Fri, 01 Jan 2021 00:00:00 +0000"
    text = f"From the beginning\n\nFrom a@b Sat Jan  3 01:05:34 1996\nSubject: {number}\n<a href=x>\n"
    if number % 3 == 0:
        message.set_content(text)
        return message
    coding = ["quoted-printable", "base64", "8bit"][number % 4 % 3]
    if number % 5 == 1:
        message.set_content(html(number), subtype="html", cte=coding)
    else:
        message.set_content(text, cte="quoted-printable")
        message.add_alternative(html(number), subtype="html", cte=coding)
    if number % 7 == 2:
        message.add_attachment(bytes(range(256)) * 9, maintype="image", subtype="png", filename="\u00e9.png")
    if number % 7 == 4:
        inner = mail(number - 1)
        message.add_attachment(inner)
    return message


mails = [mail(number) for number in range(60)]
box = mailbox.mbox("python.mbox")
folder = mailbox.Maildir("Maildir")
os.mkdir("mails")
for number, message in enumerate(mails):
    box.add(mailbox.mboxMessage(message))
    in_folder = mailbox.MaildirMessage(message)
    in_folder.set_subdir(["new", "cur"][number % 2])
    folder.add(in_folder)
    with open(f"mails/{number:03}", "wb") as file:
        file.write(message.as_bytes(policy=POLICY.clone(linesep="\n")))
box.flush()
