"""The subcommands of `vantage`: each speaks HTTP to the running server, or to the application in this process."""
