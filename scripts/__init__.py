"""Set-up and checks that run before or beside the product; `setup.py` needs nothing but Python 3.11."""
