"""Dealing a pack: packets, turn-up, face-down and face-up cards. A second reading of the page."""

import re

from .cards import full_pack, seats_from


def rounds(rules):
    """(packets before the auction, packets after it)."""
    text = rules["packets"]
    if rules["layout"] == "open":
        return [3, 2], [3]
    if "face down" in text or rules["auction"] == "call":  # §3: the last two lie there unseen
        return [int(n) for n in re.findall(r"\d+", text)], []
    parts = text.split("then")
    first = [int(n) for n in re.findall(r"\d+", parts[0])]
    second = [int(n) for n in re.findall(r"\d+", parts[1])] if len(parts) == 2 else []
    return first, second


def deal_before(rules, dealer, pack):
    """The table before the auction: {"hands", "up", "down", "turned", "used"}."""
    players = rules["players"]
    table = {
        "hands": [[] for _ in range(players)],
        "up": [[] for _ in range(players)],
        "down": [[] for _ in range(players)],
        "turned": None,
        "used": 0,
    }
    order = seats_from(rules, (dealer + 1) % players)

    def give(pile, count):
        for seat in order:
            table[pile][seat] += pack[table["used"] : table["used"] + count]
            table["used"] += count

    for count in rounds(rules)[0]:
        give("hands", count)
    if rules["layout"] == "open":
        for _ in range(4):
            give("down", 1)
        for _ in range(4):
            give("up", 1)
    if rules["auction"] == "turn_up":
        table["turned"] = pack[table["used"]]
        table["used"] += 1
    return table


def deal_after(rules, dealer, pack, taker):
    """The table when play begins: the taker has the turn-up and then one card less."""
    table = deal_before(rules, dealer, pack)
    if table["turned"] is not None:
        table["hands"][taker].append(table["turned"])
    for count in rounds(rules)[1]:
        for seat in seats_from(rules, (dealer + 1) % rules["players"]):
            fewer = 1 if table["turned"] is not None and seat == taker else 0
            used = table["used"]
            table["hands"][seat] += pack[used : used + count - fewer]
            table["used"] += count - fewer
    return table


def pack_faults(rules, record):
    faults = []
    pack = record["pack"]
    if sorted(pack) != sorted(full_pack(rules)):
        faults.append("pack: not the cards of this game")
    cut = record.get("cut")
    if rules["handling"] == "cut" and not (cut is not None and 3 <= cut <= len(pack) - 3):
        faults.append(f"cut: {cut} is not at least three cards from either end")
    if rules["handling"] == "shuffle" and cut is not None:
        faults.append("cut: a shuffled pack is not cut")
    return faults


def gathered_in_piles(record_before, pack, cut):
    """Whether a cut pack is one side's tricks upon the other's, as the deal before left them."""
    uncut = pack[len(pack) - cut :] + pack[: len(pack) - cut]
    side_zero = set()
    for trick in record_before["tricks"]:
        if trick["winner"] % 2 == 0:
            side_zero |= set(trick["cards"])
    zero_count = len(side_zero)
    return set(uncut[:zero_count]) == side_zero or set(uncut[32 - zero_count :]) == side_zero
