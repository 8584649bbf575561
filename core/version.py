"""The version of Vantage."""

VERSION = "0.1.0"
