#!/usr/bin/env python3
"""Checks draws by docs/fairness.md alone: standard library only, nothing of the product is used.

    python3 check_draw.py https://example.org/fair/0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d
    python3 check_draw.py draw.json
    ... | python3 check_draw.py
    python3 check_draw.py --ticket receipt.json https://example.org/fair/0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d
    python3 check_draw.py --digests digests.json draw.json

From an address it also checks the proof of the draw's opening, signed by the key of the seals there, or by --seal-key,
which was noted before.
With --ticket it checks the receipt of a ticket against the root that the draw published, with --digests a list of the digests of all
its tickets. A file, or standard input, has what GET /api/fair/draw/{id} answers: one draw, or a list of draws. Prints a line for each draw.
Ends with 0 where all of it is right, 1 where one is wrong, and 2 where one can't be checked.
"""

import argparse
import datetime
import base64
import hashlib
import hmac
import json
import sys
import urllib.error
import urllib.request

# Where the record of an opening has these columns, counted from 0.
OPENED_COMMITMENT, OPENED_STATUS = 9, 10
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


def rules_text(draw):
    """The text that the rules hash of a draw is of."""
    rules = {
        "digits": draw["digits"],
        "family": draw["family"],
        "gameId": draw["gameId"],
        "manualClaims": draw["manualClaims"],
        "pays": {head: round(pay * 100) for head, pay in draw["pays"].items()},
        "resultMode": draw["resultMode"],
        "rulesVersion": draw["rulesVersion"],
        "unitPrice": str(round(draw["unitPrice"] * 100)),
        "weights": draw["weights"],
    }
    if draw.get("beacons"):
        rules["beacons"] = [{name: one[name] for name in ("genesisTime", "period", "publicKey")} for one in draw["beacons"]]
    return "rules:" + json.dumps(rules, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def seed_of(draw):
    """The seed of a draw, derived from the server's and from its beacons. None while a value is missing."""
    beacons = draw.get("beacons") or []
    if any(one["signature"] is None for one in beacons):
        return None
    parts = b"drawhouse draw seed v1\n" + bytes.fromhex(draw["drawId"].replace("-", ""))
    parts += hashlib.sha256(rules_text(draw).encode("utf-8")).digest() + bytes.fromhex(draw["seed"])
    for one in beacons:
        parts += one["round"].to_bytes(8, "big") + hashlib.sha256(bytes.fromhex(one["signature"])).digest()
    return hashlib.sha256(parts).digest()


def round_problems(draw):
    """What is wrong with the rounds of its beacons, in sentences. Their signatures are not checked: that takes BLS."""
    problems = []
    for one in draw.get("beacons") or []:
        closes = datetime.datetime.fromisoformat(draw["closesAt"].replace("Z", "+00:00"))
        after_ms = round(closes.timestamp() * 1000) + 3000 - one["genesisTime"] * 1000
        first = max(1, -(-after_ms // (one["period"] * 1000)) + 1)
        if one["round"] != first:
            problems.append(f"it takes round {one['round']} of a beacon; by its close it has to take {first}")
    return problems


def generate(draw, seed):
    """Result, booster and the words taken, as the seed of a draw gives them."""
    choices = Choices(words(seed, draw["drawId"]))
    result = result_of(draw, choices)
    booster = booster_of(draw["weights"], choices)
    return result, booster, choices.taken


def problems_of(draw):
    """What is wrong with a draw, in sentences."""
    if draw.get("status", "settled") not in ("settling", "settled", "void"):
        raise Uncheckable(f"it is {draw['status']}: its seed is published once it is settled")
    if draw.get("status") == "void" and not draw.get("seed"):
        raise Uncheckable("it is void and its seed could not be read")
    if draw.get("rulesVersion") != 1:
        raise Uncheckable(f"it was drawn by version {draw.get('rulesVersion')} of the rules")
    problems = []
    if hashlib.sha256(bytes.fromhex(draw["seed"])).hexdigest() != draw["commitment"]:
        problems.append("the seed is not the one that was committed to")
    problems += round_problems(draw)
    if draw.get("source") == "declared":
        return problems
    seed = seed_of(draw)
    told = draw
    if draw.get("status") == "void":
        if seed is None or not draw.get("beacons"):
            return problems
        told = draw.get("wouldHaveBeen")
        if not told:
            return problems + ["all parts of its seed are known, but not the result that it would have had"]
    if seed is None:
        return problems + ["a part of its seed is not published"]
    result, booster, taken = generate(draw, seed)
    if result != told["result"]:
        problems.append(f"the seed gives the result {json.dumps(result)}, not {json.dumps(told['result'])}")
    if booster != told["booster"]:
        problems.append(f"the seed gives the booster {booster}, not {told['booster']}")
    if "words" in draw and taken != draw["words"]:
        problems.append(f"the seed gives the words {taken}, not {draw['words']}")
    return problems


# Ed25519 (RFC 8032), to check signatures alone: nothing here is secret, so it need not be quick or careful of time.
P = 2**255 - 19
D = -121665 * pow(121666, P - 2, P) % P
ORDER = 2**252 + 27742317777372353535851937790883648493


def add(one, other):
    """The sum of two points, (X, Y, Z, T)."""
    a, b = (one[1] - one[0]) * (other[1] - other[0]) % P, (one[1] + one[0]) * (other[1] + other[0]) % P
    c, d = 2 * one[3] * other[3] * D % P, 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number, point):
    """A point added to itself so often."""
    found = (0, 1, 1, 0)
    while number > 0:
        if number & 1:
            found = add(found, point)
        point, number = add(point, point), number >> 1
    return found


def point_of(text):
    """The point that 32 bytes stand for; None where they stand for none."""
    y = int.from_bytes(text, "little")
    sign, y = y >> 255, y & (1 << 255) - 1
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P != 0:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - square) % P != 0 or (x == 0 and sign == 1):
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


BASE = point_of((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def is_signed(public_key, text, signature):
    """Whether a signature in hex is that of a text by a key in hex."""
    key, signed = bytes.fromhex(public_key), bytes.fromhex(signature)
    if len(key) != 32 or len(signed) != 64:
        return False
    point, nonce, number = point_of(key), point_of(signed[:32]), int.from_bytes(signed[32:], "little")
    if point is None or nonce is None or number >= ORDER:
        return False
    hashed = int.from_bytes(hashlib.sha512(signed[:32] + key + text.encode("utf-8")).digest(), "little") % ORDER
    left, right = times(number, BASE), add(nonce, times(hashed, point))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0


def signed_text(note, key):
    """The text of a signed note, if the key (one line, as /seals/key has it) has signed it; else None."""
    name, key_id, encoded = key.strip().split("+", 2)
    public_key = base64.b64decode(encoded)[1:]
    text, signatures = note.rsplit("\n\n", 1)
    for line in signatures.splitlines():
        _, signer, signature = line.split(" ")
        found = base64.b64decode(signature)
        if signer == name and found[:4].hex() == key_id and is_signed(public_key.hex(), text + "\n", found[4:].hex()):
            return text + "\n"
    return None


def opening_problems(draw, opening):
    """What is wrong with the proof of a draw's opening, in sentences; none without a proof."""
    if opening is None:
        return []
    proof, key = opening
    head, checkpoint = proof.split("\n\n", 1)
    _, extra, index, *path = head.splitlines()
    record, place = base64.b64decode(extra.removeprefix("extra ")), int(index.removeprefix("index "))
    text = signed_text(checkpoint, key)
    if text is None:
        return ["the checkpoint of the seals is not signed by their key"]
    origin, size, root = text.splitlines()[:3]
    found = root_by_path(record, place, int(size), [base64.b64decode(node) for node in path])
    if found is None or found != base64.b64decode(root) or origin != key.split("+", 1)[0]:
        return ["the proof of its opening does not lead to the root of the seals"]
    kind, row = record.decode("utf-8").splitlines()
    fields = row.split("\t")
    if not kind.startswith("draws ") or fields[1] != draw["drawId"] or fields[OPENED_STATUS] != "open":
        return ["the proof of its opening is of another record"]
    opened = fields[OPENED_COMMITMENT].replace("\\\\x", "")
    if opened != draw["commitment"]:
        return [f"the seed was exchanged: the draw opened with the commitment {opened}"]
    return []


def ticket_digest(ticket_id, draw_id, stake, lines):
    """The 32-byte digest of a ticket; the stake in hundredths, the lines as (bet, quantity)."""
    text = json.dumps([ticket_id, draw_id, str(stake), sorted(map(list, lines))], separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).digest()


def leaf(digest):
    """The leaf of the ticket tree that a digest gives."""
    return hashlib.sha256(b"\x00" + digest).digest()


def node(left, right):
    """The node above two."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def tree_root(digests):
    """The root of the ticket tree, level by level from the leaves up."""
    level = [leaf(digest) for digest in digests]
    if not level:
        return hashlib.sha256(b"").digest()
    while len(level) > 1:
        pairs = [node(level[i], level[i + 1]) for i in range(0, len(level) - 1, 2)]
        level = pairs + level[len(pairs) * 2 :]
    return level[0]


def root_by_path(digest, index, size, path):
    """The root that a path leads to; None where it can be no path."""
    if not 0 <= index < size:
        return None
    found, place, last = leaf(digest), index, size - 1
    for beside in path:
        if last == 0:
            return None
        while place == last and place % 2 == 0:
            place, last = place // 2, last // 2
        found = node(beside, found) if place % 2 == 1 else node(found, beside)
        place, last = place // 2, last // 2
    return found if last == 0 else None


def ticket_problems(receipt, draw):
    """What is wrong with the receipt of a ticket, in sentences."""
    problems = []
    digest = bytes.fromhex(receipt["digest"])
    if digest != ticket_digest(receipt["_id"], receipt["drawId"], receipt["stake"], receipt["lines"]):
        problems.append("the digest is not that of what the ticket says")
    if receipt["drawId"].lower() != draw["drawId"].lower():
        problems.append(f"it is of another draw, {receipt['drawId']}")
    elif receipt["path"] is not None and draw.get("ticketRoot") is not None:
        if receipt["size"] != draw["tickets"]:
            problems.append(f"it counts {receipt['size']} tickets; the draw was closed with {draw['tickets']}")
        found = root_by_path(digest, receipt["index"], receipt["size"], [bytes.fromhex(one) for one in receipt["path"]])
        if found is None or found.hex() != draw["ticketRoot"].lower():
            problems.append("the path does not lead to the root that the draw published")
    if not problems and draw.get("ticketRoot") is None:
        raise Uncheckable("betting on its draw is open")
    if not problems and receipt["path"] is None:
        raise Uncheckable("it was made while betting was open and has no path")
    return problems


def digests_problems(digests, draw):
    """What is wrong with the digests of all tickets of a draw, in sentences."""
    known = [bytes.fromhex(digest) for digest in digests]
    published = draw.get("ticketRoot")
    if published is None:
        raise Uncheckable("betting on the draw is open")
    computed = tree_root(known).hex()
    problems = []
    if len(known) != draw["tickets"]:
        problems.append(f"they are {len(known)}; the draw was closed with {draw['tickets']} tickets")
    if computed != published.lower():
        problems.append(f"they give {computed}; the draw published {published}")
    return problems


def is_address(source):
    """Whether a draw is read from a server."""
    return source is not None and source.startswith(("http://", "https://"))


def json_address(source):
    """The address of the JSON of a draw, by that or by the one of its page."""
    return source if "/api/fair/draw/" in source else source.replace("/fair/", "/api/fair/draw/", 1)


def fetched(address):
    """The text that an address answers."""
    with urllib.request.urlopen(address, timeout=15) as answer:
        return answer.read(LARGEST_ANSWER).decode("utf-8")


def read_opening(source, draw, known_key):
    """The proof of a draw's opening and the key of its log; None where the server has none."""
    seals = json_address(source).split("/api/fair/draw/")[0] + "/seals/"
    try:
        proof = fetched(f"{seals}opening?draw={draw['drawId']}")
    except urllib.error.HTTPError as error:
        if error.code != 404:
            raise
        return None
    origin = proof.split("\n\n", 1)[1].split("\n", 1)[0]
    return proof, known_key or fetched(f"{seals}{origin.rsplit('/', 1)[1]}/key").strip()


def read(source):
    """The draws that an address, a file or standard input has."""
    if source is None:
        text = sys.stdin.read()
    elif is_address(source):
        text = fetched(json_address(source))
    else:
        with open(source, encoding="utf-8") as file:
            text = file.read()
    found = json.loads(text)
    return found if isinstance(found, list) else [found]


def check(name, find_problems, right):
    """Prints the line of one check, and gives its exit code."""
    try:
        problems = find_problems()
    except Uncheckable as why:
        print(f"{name}: can't be checked: {why}")
        return 2
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        print(f"{name}: can't be checked: it is not what is published ({error!r})")
        return 2
    print(f"{name}: WRONG: {'; '.join(problems)}" if problems else f"{name}: {right()}")
    return 1 if problems else 0


def what_is_right(draw):
    """What was found of a draw with which nothing is wrong."""
    if draw.get("status") == "void":
        return "the seed is right; the draw is void and has no result"
    if draw.get("source") == "declared":
        return "the seed is right; the result was declared and does not follow from it"
    found = f"right: {json.dumps(draw['result'])}, booster {draw['booster']}"
    rounds = [f"round {one['round']} of {one['publicKey'][:16]}…" for one in draw.get("beacons") or []]
    if not rounds:
        return found
    return (
        f"{found}, if the signatures of its beacons are right, which is not checked here: "
        f"compare {', '.join(rounds)} with what they publish"
    )


def main():
    parser = argparse.ArgumentParser(description="Checks draws and tickets by docs/fairness.md alone.")
    parser.add_argument("draw", nargs="?", help="address or file of the draw; standard input without it")
    parser.add_argument("--seal-key", metavar="KEY", help="the key of the seals, as it was noted before")
    parser.add_argument("--ticket", metavar="FILE", help="the receipt of a ticket")
    parser.add_argument("--digests", metavar="FILE", help="the digests of all tickets, in order of their ids")
    given = parser.parse_args()
    try:
        draws = read(given.draw)
        receipts = read(given.ticket) if given.ticket else []
        digests = read(given.digests) if given.digests else None
        is_whole = is_address(given.draw) and not given.ticket and not given.digests
        opening = read_opening(given.draw, draws[0], given.seal_key) if is_whole else None
    except (OSError, ValueError) as error:
        print(f"There is nothing to check: {error}", file=sys.stderr)
        return 2

    of_draw = draws[0] if draws else {}

    def name(what, key):
        return what.get(key, "?") if isinstance(what, dict) else "?"

    if given.ticket:
        codes = [
            check(name(receipt, "_id"), lambda: ticket_problems(receipt, of_draw), lambda: "right: it was in the draw")
            for receipt in receipts
        ]
    elif given.digests:
        codes = [
            check(
                name(of_draw, "drawId"),
                lambda: digests_problems(digests, of_draw),
                lambda: f"right: the digests of its {len(digests)} tickets give what it published",
            )
        ]
    else:
        sealed = "" if not is_whole else "; its opening is sealed" if opening else "; there is no proof of its opening"
        codes = [
            check(
                name(draw, "drawId"),
                lambda: problems_of(draw) + opening_problems(draw, opening),
                lambda: what_is_right(draw) + sealed,
            )
            for draw in draws
        ]
    return 1 if 1 in codes else max(codes, default=2)


if __name__ == "__main__":
    sys.exit(main())
