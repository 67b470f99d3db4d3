import smtplib
from email.message import EmailMessage
from email.utils import formatdate, make_msgid


def mail(text, sent):
    message = EmailMessage()
    message["Date"] = formatdate()  # hit: clock
    message["Sent"] = formatdate(sent)  # none
    message["Message-ID"] = make_msgid()  # hit: uuid
    message.set_content(text)
    return message


def send(message):
    with smtplib.SMTP("localhost") as server:  # hit: network
        server.send_message(message)
