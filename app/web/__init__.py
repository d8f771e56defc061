"""The edge of HTTP: what every request must pass, how refusals look, the page and its files.

Nothing here knows cards or tables. The socket does not come through here (D14).
"""
