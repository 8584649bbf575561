"""Files that hold other files: archives, mailboxes, messages with attachments, PDF portfolios. Their members are documents of their own."""
