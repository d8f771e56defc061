"""What has been played: past matches, replays and exports.

While a match runs nothing but public fields leaves this package; private and hidden fields come
after ``match_ended``, bounded by that match's numbers (D4).
"""
