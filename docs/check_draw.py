#!/usr/bin/env python3
"""Checks draws by docs/fairness.md alone: standard library only, nothing of the product is used.

    python3 check_draw.py https://example.org/fair/0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d
    python3 check_draw.py draw.json
    ... | python3 check_draw.py

A file, or standard input, has what GET /api/fair/draw/{id} answers: one draw, or a list of draws. Prints a line for each draw.
Ends with 0 where all of them are right, 1 where one is wrong, and 2 where one can't be checked.
"""

import hashlib
import hmac
import json
import sys
import urllib.request

BILLION = 1_000_000_000
LARGEST_ANSWER = 1_000_000

COUNTED_FROM_1 = {
    "titlisorrat",
    "titlisoratbrown",
    "fruit12",
    "horse12",
    "playsmart12",
    "luckycard12",
    "duskadum",
    "pFvIwZHj!",
}
SUITS = [("spade", "black"), ("heart", "red"), ("diamond", "red"), ("club", "black")]
SUBSERIES = [series + hundred for series in (1000, 3000, 5000) for hundred in range(0, 1000, 100)]
TIERS = ["K50SILVER", "K60GOLD", "K70DIAMOND"]


class Uncheckable(Exception):
    """Why a draw can't be checked, which is not that it is wrong."""


def words(seed, draw_id):
    """The endless row of words that a seed gives."""
    block = 0
    while True:
        digest = hmac.new(seed, f"{draw_id}:{block}".encode("ascii"), hashlib.sha256).digest()
        for place in range(0, 32, 4):
            yield int.from_bytes(digest[place : place + 4], "big")
        block += 1


class Choices:
    """Makes choices from words, and keeps which words it took."""

    def __init__(self, row):
        self.row = row
        self.taken = []

    def among(self, n):
        while True:
            word = next(self.row)
            self.taken.append(word)
            if word < 2**32 - (2**32 % n):
                return word % n


def result_of(draw, choices):
    """The result that the choices give, by the family of the game."""
    family, digits = draw["family"], draw["digits"]
    if family == "numbers":
        first = 1 if draw["gameId"] in COUNTED_FROM_1 else 0
        return {"drawno": str(choices.among(digits) + first)}
    if family == "roulette":
        choice = choices.among(digits)
        if digits != 38:
            return {"drawno": str(choice)}
        return {"drawno": "0" if choice == 0 else "00" if choice == 1 else str(choice - 1)}
    if family in ("triple", "lottery3d"):
        return {"drawno": f"{choices.among(1000):03d}"}
    if family == "andarbahar":
        rank = choices.among(13) + 1
        suit, color = SUITS[choices.among(4)]
        return {"drawno": str(rank), "suit": suit, "color": color}
    if family == "lottery4d":
        return {"winners": {str(first): str(first + choices.among(100)) for first in SUBSERIES}}
    if family == "jodi":
        return {"winners": {tier: f"{choices.among(100):02d}" for tier in TIERS}}
    raise Uncheckable(f"there is no family {family}")


def booster_of(weights, choices):
    """The booster whose part of the billion the last choice falls into."""
    choice = choices.among(BILLION)
    total = 0
    for index, weight in enumerate(weights):
        total += weight
        if total > choice:
            return index + 1
    raise Uncheckable("the weights do not sum to a billion")


def generate(draw):
    """Result, booster and the words taken, as the seed of a draw gives them."""
    choices = Choices(words(bytes.fromhex(draw["seed"]), draw["drawId"]))
    result = result_of(draw, choices)
    booster = booster_of(draw["weights"], choices)
    return result, booster, choices.taken


def problems_of(draw):
    """What is wrong with a draw, in sentences."""
    if draw.get("status", "settled") not in ("settled", "void"):
        raise Uncheckable(f"it is {draw['status']}: its seed is published once it is settled")
    if draw.get("status") == "void" and not draw.get("seed") and draw.get("voidCause") == "seed":
        raise Uncheckable("it was voided because its seed could not be read")
    if draw.get("rulesVersion") != 1:
        raise Uncheckable(f"it was drawn by version {draw.get('rulesVersion')} of the rules")
    problems = []
    if hashlib.sha256(bytes.fromhex(draw["seed"])).hexdigest() != draw["commitment"]:
        problems.append("the seed is not the one that was committed to")
    if draw.get("status") == "void" or draw.get("source") == "declared":
        return problems
    result, booster, taken = generate(draw)
    if result != draw["result"]:
        problems.append(f"the seed gives the result {json.dumps(result)}, not {json.dumps(draw['result'])}")
    if booster != draw["booster"]:
        problems.append(f"the seed gives the booster {booster}, not {draw['booster']}")
    if "words" in draw and taken != draw["words"]:
        problems.append(f"the seed gives the words {taken}, not {draw['words']}")
    return problems


def ticket_digest(ticket_id, draw_id, stake, lines):
    """The 32-byte digest of a ticket; the stake in hundredths, the lines as (bet, quantity)."""
    text = json.dumps([ticket_id, draw_id, str(stake), sorted(map(list, lines))], separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).digest()


def draws_digest(digests):
    """The digest of all tickets of a draw, whose own digests come in the order of the tickets' ids."""
    return hashlib.sha256(b"".join(digests)).hexdigest()


def read(source):
    """The draws that an address, a file or standard input has."""
    if source is None:
        text = sys.stdin.read()
    elif source.startswith(("http://", "https://")):
        address = source if "/api/fair/draw/" in source else source.replace("/fair/", "/api/fair/draw/", 1)
        with urllib.request.urlopen(address, timeout=15) as answer:
            text = answer.read(LARGEST_ANSWER).decode("utf-8")
    else:
        with open(source, encoding="utf-8") as file:
            text = file.read()
    found = json.loads(text)
    return found if isinstance(found, list) else [found]


def main():
    wrong = unchecked = False
    try:
        draws = read(sys.argv[1] if len(sys.argv) > 1 else None)
    except (OSError, ValueError) as error:
        print(f"There is no draw to check: {error}", file=sys.stderr)
        return 2
    for draw in draws:
        name = draw.get("drawId", "?") if isinstance(draw, dict) else "?"
        try:
            problems = problems_of(draw)
        except Uncheckable as why:
            print(f"{name}: can't be checked: {why}")
            unchecked = True
            continue
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            print(f"{name}: can't be checked: it is no published draw ({error!r})")
            unchecked = True
            continue
        if problems:
            wrong = True
            print(f"{name}: WRONG: {'; '.join(problems)}")
        elif draw.get("status") == "void":
            print(f"{name}: the seed is right; the draw is void and has no result")
        elif draw.get("source") == "declared":
            print(f"{name}: the seed is right; the result was declared and does not follow from it")
        else:
            print(f"{name}: right: {json.dumps(draw['result'])}, booster {draw['booster']}")
    return 1 if wrong else 2 if unchecked else 0


if __name__ == "__main__":
    sys.exit(main())
