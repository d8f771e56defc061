"""What a match leaves with a player: experience, levels, ledgers, the leaderboard.

Ledger rows are written in the transaction of the match's end and are unique per player, match and
reason. The arithmetic is pure and apart from the rows.
"""
