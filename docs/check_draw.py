#!/usr/bin/env python3
"""Checks draws using only docs/fairness.md and the standard library.

    python3 check_draw.py https://example.org/fair/0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d
    python3 check_draw.py draw.json
    ... | python3 check_draw.py
    python3 check_draw.py --ticket receipt.json https://example.org/fair/0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d
    python3 check_draw.py --digests digests.json draw.json

Given an address, it also checks the proof of the draw's opening. The proof must be signed by the server's seal key,
or by the key you noted earlier and pass as --seal-key.
--ticket checks a ticket's receipt against the draw's published root. --digests checks the digests of all its tickets.
A file or standard input holds a response of GET /api/fair/draw/{id}: one draw, or a list of draws.
Prints one line per draw. Exit code: 0 if everything is correct, 1 if something is wrong, 2 if something can't be checked.
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

# Columns of an opening record, counted from 0.
OPENED_COMMITMENT, OPENED_STATUS = 11, 12
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
    """The draw can't be checked. Not a verdict that it is wrong."""


def seed_words(seed, draw_id):
    """Yields the seed's words without end."""
    block = 0
    while True:
        digest = hmac.new(seed, f"{draw_id}:{block}".encode("ascii"), hashlib.sha256).digest()
        for place in range(0, 32, 4):
            yield int.from_bytes(digest[place : place + 4], "big")
        block += 1


class Choices:
    """Makes choices from words and records the words used."""

    def __init__(self, words):
        self.words = words
        self.used = []

    def among(self, n):
        while True:
            word = next(self.words)
            self.used.append(word)
            if word < 2**32 - (2**32 % n):
                return word % n


def result_of(draw, choices):
    """Returns the result of the choices, by the game's family."""
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
    raise Uncheckable(f"{family} is not a known family")


def booster_of(weights, choices):
    """Returns the booster whose share of the billion contains the choice."""
    choice = choices.among(BILLION)
    total = 0
    for index, weight in enumerate(weights):
        total += weight
        if total > choice:
            return index + 1
    raise Uncheckable("the weights do not sum to a billion")


def rules_text(draw):
    """Returns the text that the rules hash covers."""
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
    """Derives the draw's seed from the server seed and the beacons. None if a beacon value is missing."""
    beacons = draw.get("beacons") or []
    if any(one["signature"] is None for one in beacons):
        return None
    parts = b"drawhouse draw seed v1\n" + bytes.fromhex(draw["drawId"].replace("-", ""))
    parts += hashlib.sha256(rules_text(draw).encode("utf-8")).digest() + bytes.fromhex(draw["seed"])
    for one in beacons:
        parts += one["round"].to_bytes(8, "big") + hashlib.sha256(bytes.fromhex(one["signature"])).digest()
    return hashlib.sha256(parts).digest()


def round_problems(draw):
    """Returns problems with the beacon rounds. Does not check beacon signatures, which takes BLS."""
    problems = []
    for one in draw.get("beacons") or []:
        closes = datetime.datetime.fromisoformat(draw["closesAt"].replace("Z", "+00:00"))
        after_ms = round(closes.timestamp() * 1000) + 3000 - one["genesisTime"] * 1000
        first = max(1, -(-after_ms // (one["period"] * 1000)) + 1)
        if one["round"] != first:
            problems.append(f"it uses round {one['round']} of a beacon; its close requires round {first}")
    return problems


def generate(draw, seed):
    """Returns the result, the booster and the words used."""
    choices = Choices(seed_words(seed, draw["drawId"]))
    result = result_of(draw, choices)
    booster = booster_of(draw["weights"], choices)
    return result, booster, choices.used


def problems_of(draw):
    """Returns problems with a draw."""
    if draw.get("status", "settled") not in ("settling", "settled", "void"):
        raise Uncheckable(f"it is {draw['status']}; its seed is published after settlement")
    if draw.get("status") == "void" and not draw.get("seed"):
        raise Uncheckable("it is void and its seed could not be read")
    if draw.get("rulesVersion") != 1:
        raise Uncheckable(f"it used version {draw.get('rulesVersion')} of the rules; this script knows version 1")
    problems = []
    if hashlib.sha256(bytes.fromhex(draw["seed"])).hexdigest() != draw["commitment"]:
        problems.append("the seed does not match the commitment")
    problems += round_problems(draw)
    if draw.get("source") == "declared":
        return problems
    seed = seed_of(draw)
    published = draw
    if draw.get("status") == "void":
        if seed is None or not draw.get("beacons"):
            return problems
        published = draw.get("wouldHaveBeen")
        if not published:
            return problems + ["its seed is complete, but the result it would have had is not published"]
    if seed is None:
        return problems + ["part of its seed is not published"]
    result, booster, used = generate(draw, seed)
    if result != published["result"]:
        problems.append(f"the seed produces the result {json.dumps(result)}, not {json.dumps(published['result'])}")
    if booster != published["booster"]:
        problems.append(f"the seed produces the booster {booster}, not {published['booster']}")
    if "words" in draw and used != draw["words"]:
        problems.append(f"the seed produces the words {used}, not {draw['words']}")
    return problems


# Ed25519 (RFC 8032), verification only. Nothing here is secret, so neither speed nor constant time matters.
P = 2**255 - 19
D = -121665 * pow(121666, P - 2, P) % P
ORDER = 2**252 + 27742317777372353535851937790883648493


def add(one, other):
    """Adds two points (X, Y, Z, T)."""
    a, b = (one[1] - one[0]) * (other[1] - other[0]) % P, (one[1] + one[0]) * (other[1] + other[0]) % P
    c, d = 2 * one[3] * other[3] * D % P, 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number, point):
    """Multiplies a point by a number."""
    found = (0, 1, 1, 0)
    while number > 0:
        if number & 1:
            found = add(found, point)
        point, number = add(point, point), number >> 1
    return found


def point_of(text):
    """Decodes a point from 32 bytes. None if they encode no point."""
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
    """Returns true if the signature of the text is valid. Key and signature are hex."""
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
    """Returns the note's text if the key, a line of /seals/key, signed it; otherwise None."""
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
    """Returns problems with an opening proof. No proof, no problems."""
    if opening is None:
        return []
    proof, key = opening
    head, checkpoint = proof.split("\n\n", 1)
    _, extra, index, *path = head.splitlines()
    record, place = base64.b64decode(extra.removeprefix("extra ")), int(index.removeprefix("index "))
    text = signed_text(checkpoint, key)
    if text is None:
        return ["the checkpoint is not signed by the seal key"]
    origin, size, root = text.splitlines()[:3]
    found = root_by_path(record, place, int(size), [base64.b64decode(node) for node in path])
    if found is None or found != base64.b64decode(root) or origin != key.split("+", 1)[0]:
        return ["the opening proof does not lead to the root of the seals"]
    kind, row = record.decode("utf-8").splitlines()
    fields = row.split("\t")
    if not kind.startswith("draws ") or fields[1] != draw["drawId"] or fields[OPENED_STATUS] != "open":
        return ["the opening proof is for another record"]
    opened = fields[OPENED_COMMITMENT].replace("\\\\x", "")
    if opened != draw["commitment"]:
        return [f"the seed was replaced: the draw opened with the commitment {opened}"]
    return []


def ticket_digest(ticket_id, draw_id, stake, lines):
    """Returns a ticket's 32-byte digest. The stake is in hundredths, lines are (bet, quantity)."""
    text = json.dumps([ticket_id, draw_id, str(stake), sorted(map(list, lines))], separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).digest()


def leaf(digest):
    """Returns a digest's leaf in the ticket tree."""
    return hashlib.sha256(b"\x00" + digest).digest()


def node(left, right):
    """Returns the parent of two nodes."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def tree_root(digests):
    """Computes the root of the ticket tree, level by level from the leaves up."""
    level = [leaf(digest) for digest in digests]
    if not level:
        return hashlib.sha256(b"").digest()
    while len(level) > 1:
        pairs = [node(level[i], level[i + 1]) for i in range(0, len(level) - 1, 2)]
        level = pairs + level[len(pairs) * 2 :]
    return level[0]


def root_by_path(digest, index, size, path):
    """Returns the root that a path leads to. None if the path has the wrong length."""
    if not 0 <= index < size:
        return None
    found, place, last = leaf(digest), index, size - 1
    for sibling in path:
        if last == 0:
            return None
        while place == last and place % 2 == 0:
            place, last = place // 2, last // 2
        found = node(sibling, found) if place % 2 == 1 else node(found, sibling)
        place, last = place // 2, last // 2
    return found if last == 0 else None


def ticket_problems(receipt, draw):
    """Returns problems with a ticket's receipt."""
    problems = []
    digest = bytes.fromhex(receipt["digest"])
    if digest != ticket_digest(receipt["_id"], receipt["drawId"], receipt["stake"], receipt["lines"]):
        problems.append("the digest does not match the ticket's contents")
    if receipt["drawId"].lower() != draw["drawId"].lower():
        problems.append(f"it belongs to another draw, {receipt['drawId']}")
    elif receipt["path"] is not None and draw.get("ticketRoot") is not None:
        if receipt["size"] != draw["tickets"]:
            problems.append(f"it counts {receipt['size']} tickets; the draw closed with {draw['tickets']}")
        found = root_by_path(digest, receipt["index"], receipt["size"], [bytes.fromhex(one) for one in receipt["path"]])
        if found is None or found.hex() != draw["ticketRoot"].lower():
            problems.append("the path does not lead to the published root")
    if not problems and draw.get("ticketRoot") is None:
        raise Uncheckable("betting on its draw is still open")
    if not problems and receipt["path"] is None:
        raise Uncheckable("the receipt was issued while betting was open, so it has no path")
    return problems


def digests_problems(hex_digests, draw):
    """Returns problems with the digests of a draw's tickets."""
    digests = [bytes.fromhex(digest) for digest in hex_digests]
    published = draw.get("ticketRoot")
    if published is None:
        raise Uncheckable("betting on the draw is still open")
    computed = tree_root(digests).hex()
    problems = []
    if len(digests) != draw["tickets"]:
        problems.append(f"there are {len(digests)} digests; the draw closed with {draw['tickets']} tickets")
    if computed != published.lower():
        problems.append(f"they produce {computed}; the draw published {published}")
    return problems


def is_address(source):
    """Returns true if the draw is read from a server."""
    return source is not None and source.startswith(("http://", "https://"))


def json_address(source):
    """Returns the address of a draw's JSON, args that or the address of its page."""
    return source if "/api/fair/draw/" in source else source.replace("/fair/", "/api/fair/draw/", 1)


def fetch(address, cell=None):
    """Returns the text at an address and the cell that answered. Cells of a group name the next one to ask."""
    asked = set()
    while True:
        request = urllib.request.Request(address, headers={"X-Cell": cell} if cell else {})
        try:
            with urllib.request.urlopen(request, timeout=15) as answer:
                return answer.read(LARGEST_ANSWER).decode("utf-8"), cell
        except urllib.error.HTTPError as error:
            cell = error.headers.get("X-Cell")
            if error.code != 421 or cell is None or cell in asked:
                raise
            asked.add(cell)


def read_opening(source, draw, known_key):
    """Returns the opening proof and the key of its log. None if the server has no proof."""
    seals = json_address(source).split("/api/fair/draw/")[0] + "/seals/"
    try:
        proof, cell = fetch(f"{seals}opening?draw={draw['drawId']}")
    except urllib.error.HTTPError as error:
        if error.code not in (404, 421):
            raise
        return None
    origin = proof.split("\n\n", 1)[1].split("\n", 1)[0]
    return proof, known_key or fetch(f"{seals}{origin.rsplit('/', 1)[1]}/key", cell)[0].strip()


def read(source):
    """Reads draws from an address, a file or standard input."""
    if source is None:
        text = sys.stdin.read()
    elif is_address(source):
        text, _ = fetch(json_address(source))
    else:
        with open(source, encoding="utf-8") as file:
            text = file.read()
    found = json.loads(text)
    return found if isinstance(found, list) else [found]


def check(name, find_problems, describe_correct):
    """Prints one check's line and returns its exit code."""
    try:
        problems = find_problems()
    except Uncheckable as why:
        print(f"{name}: can't be checked: {why}")
        return 2
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        print(f"{name}: can't be checked: unexpected data ({error!r})")
        return 2
    print(f"{name}: WRONG: {'; '.join(problems)}" if problems else f"{name}: {describe_correct()}")
    return 1 if problems else 0


def describe_correct_draw(draw):
    """Describes a draw without problems."""
    if draw.get("status") == "void":
        return "the seed is correct; the draw is void and has no result"
    if draw.get("outside"):
        corrected = ", corrected by two persons," if draw.get("corrections") else ""
        return f"the seed is correct; the result is that of {draw['outside']}{corrected} and does not follow from it"
    if draw.get("source") == "declared":
        return "the seed is correct; the result was declared by a person and does not follow from it"
    found = f"correct: {json.dumps(draw['result'])}, booster {draw['booster']}"
    rounds = [f"round {one['round']} of {one['publicKey'][:16]}…" for one in draw.get("beacons") or []]
    if not rounds:
        return found
    return (
        f"{found}, provided the beacon signatures are valid, which this script does not check: "
        f"compare {', '.join(rounds)} with the published values"
    )


def main():
    parser = argparse.ArgumentParser(description="Checks draws and tickets using only docs/fairness.md.")
    parser.add_argument("draw", nargs="?", help="address or file of the draw; default: standard input")
    parser.add_argument("--seal-key", metavar="KEY", help="the seal key that you noted earlier")
    parser.add_argument("--ticket", metavar="FILE", help="a ticket's receipt")
    parser.add_argument("--digests", metavar="FILE", help="the digests of all tickets, ordered by id")
    args = parser.parse_args()
    try:
        draws = read(args.draw)
        receipts = read(args.ticket) if args.ticket else []
        digests = read(args.digests) if args.digests else None
        checks_opening = is_address(args.draw) and not args.ticket and not args.digests
        opening = read_opening(args.draw, draws[0], args.seal_key) if checks_opening else None
    except (OSError, ValueError) as error:
        print(f"Nothing to check: {error}", file=sys.stderr)
        return 2

    first_draw = draws[0] if draws else {}

    def name(item, key):
        return item.get(key, "?") if isinstance(item, dict) else "?"

    if args.ticket:
        codes = [
            check(name(receipt, "_id"), lambda: ticket_problems(receipt, first_draw), lambda: "correct: it was in the draw")
            for receipt in receipts
        ]
    elif args.digests:
        codes = [
            check(
                name(first_draw, "drawId"),
                lambda: digests_problems(digests, first_draw),
                lambda: f"correct: the digests of its {len(digests)} tickets produce the published root",
            )
        ]
    else:
        sealed = "" if not checks_opening else "; its opening is sealed" if opening else "; the server has no opening proof"
        codes = [
            check(
                name(draw, "drawId"),
                lambda: problems_of(draw) + opening_problems(draw, opening),
                lambda: describe_correct_draw(draw) + sealed,
            )
            for draw in draws
        ]
    return 1 if 1 in codes else max(codes, default=2)


if __name__ == "__main__":
    sys.exit(main())
