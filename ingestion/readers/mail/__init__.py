"""Readers of mails: MIME and Outlook, with what is signed or encrypted in them."""
