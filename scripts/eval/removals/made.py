"""Made-up hard negatives: tables of numbers, logs, and templates filled in with other names.

Every document has a subject of its own, except that one in twenty repeats the one before it in
another layout. Only these repeats may be removed.
"""
import datetime
import random

SYLLABLES = "ar bel cor dun el fen gar hol il kar lin mor nor os pel quin ros sel tor ul ven wal yar zem".split()
GOODS = "wheat barley timber copper linen salt wine wool coal glass paper leather tin honey tar amber".split()
COLOURS = "black white red green blue grey brown yellow silver orange".split()
# The corpora made by this file.
KINDS = ("tables", "logs", "templates")
ROWS = {"short": (3, 8), "long": (20, 60)}


def name(random_, parts=(2, 3)):
    return "".join(random_.choice(SYLLABLES) for _ in range(random_.choice(parts))).capitalize()


def documents(seed, kind, count, make):
    """Makes COUNT records with the texts of MAKE; one in twenty repeats the one before in another layout."""
    random_ = random.Random(f"{seed} {kind}")
    out = []
    for at in range(count):
        if at % 20 == 19:
            subject, text = out[-1]["name"], "\n\n".join("  " + line for line in out[-1]["text"].split("\n"))
        else:
            subject, text = f"{kind} {at}", make(random_)
        out.append({"id": f"{kind}/{at}", "name": subject, "language": "en", "text": text})
    return out


def rows(random_, length, row):
    return "\n".join(row(at) for at in range(random_.randint(*ROWS[length])))


def flags(random_, length):
    """Rows of 0 and 1: a handful of different 3-grams, however long."""
    share = random_.choice((0.03, 0.2, 0.5))
    width = random_.randint(4, 12)
    return rows(random_, length, lambda _: " ".join(str(int(random_.random() < share)) for _ in range(width)))


def zeros(random_, length):
    """Mostly 0.00, with few values that matter."""
    width = random_.randint(4, 8)
    cell = lambda: f"{random_.random() * 10:.2f}" if random_.random() < 0.06 else "0.00"
    return rows(random_, length, lambda at: f"{at + 1}\t" + "\t".join(cell() for _ in range(width)))


def signed(random_, length):
    """The same headings in every text; the signs of the values carry the meaning."""
    cell = lambda: random_.choice(("+1", "-1"))
    return rows(random_, length, lambda at: f"gene{at + 1} " + " ".join(cell() for _ in range(4)))


def stations(random_, length):
    """Readings of a station: the same words in every row."""
    day = datetime.date(random_.randint(1950, 2020), random_.randint(1, 12), 1)
    return f"Station {name(random_)}\n" + rows(
        random_,
        length,
        lambda at: f"{day + datetime.timedelta(at)}; temperature {random_.randint(-9, 30)} C; rain {random_.choice((0, 0, 0, 1, 4))} mm",
    )


def tables(seed, scale):
    out = []
    for kind, make in (("flags", flags), ("zeros", zeros), ("signed", signed), ("stations", stations)):
        for length in ROWS:
            out += documents(seed, f"{kind} {length}", round(150 * scale), lambda random_: make(random_, length))
    return out


def logs(seed, scale):
    """Lines of one service, with varying times, hosts and outcomes."""
    outcomes = ("started", "stopped", "failed with status 1", "restarted", "was killed by signal 9", "is ready")

    def log(random_, length):
        moment = datetime.datetime(2024, random_.randint(1, 12), random_.randint(1, 28), random_.randint(0, 23), 0, 0)
        host = f"{name(random_).lower()}{random_.randint(1, 9999)}"
        unit = random_.choice(("backup", "mail", "database", "proxy"))

        def line(_):
            nonlocal moment
            moment += datetime.timedelta(seconds=random_.randint(1, 900))
            return f"{moment:%b %d %H:%M:%S} {host} systemd[1]: {unit}.service: Main process {random_.choice(outcomes)}"

        return rows(random_, length, line)

    def health(random_, length):
        """One line repeated, with varying outcomes."""
        host = f"{name(random_).lower()}{random_.randint(1, 9999)}"
        state = lambda: random_.choice(("up",) * 12 + ("down",))
        return rows(random_, length, lambda at: f"check {at + 1}: host {host} is {state()}")

    out = []
    for kind, make in (("journal", log), ("health", health)):
        for length in ROWS:
            out += documents(seed, f"{kind} {length}", round(200 * scale), lambda random_: make(random_, length))
    return out


def contract(random_):
    return (
        f"This agreement is made on {random_.randint(1, 28)} May {random_.randint(1990, 2024)} between {name(random_)} {name(random_)} "
        f"of {name(random_)}, hereinafter called the seller, and {name(random_)} {name(random_)} of {name(random_)}, hereinafter "
        f"called the buyer. The seller sells and the buyer buys {random_.randint(2, 900)} tons of {random_.choice(GOODS)} at a price of "
        f"{random_.randint(10, 9000)} crowns a ton. The goods are delivered to the buyer's store within {random_.randint(10, 90)} days. "
        "The price is due on delivery and is paid in cash or by a cheque drawn on a bank of the buyer's town. Until it is paid in full "
        "the goods remain the property of the seller. Should any clause of this agreement be void, the others remain in force. "
        "Disputes are settled by the court of the seller's town. Signed in two copies, of which each party has one."
    )


def census(random_):
    people = random_.randint(200, 90_000)
    men = people // 2 - random_.randint(-90, 90)
    return (
        f"The town of {name(random_)} in the county of {name(random_)} had {people} inhabitants at the census of {random_.randint(1850, 1950)}, "
        f"of whom {men} were men and {people - men} women. There were {people // 4} houses, {random_.randint(1, 9)} churches and "
        f"{random_.randint(1, 12)} schools. Most inhabitants lived by trade in {random_.choice(GOODS)} and {random_.choice(GOODS)}; "
        f"{random_.randint(3, 60)} out of a hundred could read and write. The mayor was {name(random_)} {name(random_)}."
    )


def product(random_):
    item = random_.choice(("kettle", "lamp", "clock", "radio", "heater", "fan"))
    return (
        f"The {name(random_)} {random_.randint(100, 999)} is a {random_.choice(COLOURS)} {item} for the whole family. It is easy to use, easy "
        f"to clean and built to last. Weight: {random_.randint(1, 9)}.{random_.randint(0, 9)} kg. Power: {random_.randint(3, 25) * 100} W. "
        f"Order number {random_.randint(10_000, 99_999)}. Price: {random_.randint(9, 300)}.99 euros including tax. Free delivery on orders "
        "over 50 euros. You may return it within 30 days without giving a reason, and it comes with a two-year guarantee."
    )


def notice(random_):
    """A form with a single field; all else, some 150 words, is the same."""
    return (
        f"Dear {name(random_)}, your account with us has been in arrears for {random_.randint(1, 12)} months. We have written to you before "
        "and have not had an answer. We are sorry to say that we shall have to pass the matter on to our solicitors unless the whole sum "
        "reaches us within fourteen days of the date of this letter. You can pay by bank transfer, by cheque, or in person at any of "
        "our branches between nine and five from Monday to Friday. If you are in difficulties, please let us know as soon as you can: we "
        "may be able to agree on payment by instalments, and our advisers are there to help you free of charge. If you have paid in the "
        f"meantime, please disregard this letter and accept our thanks. The sum outstanding is {random_.randint(10, 9999)} pounds. "
        "Yours sincerely, the accounts department. This letter was written by a machine and is valid without a signature."
    )


def templates(seed, scale):
    kinds = (("contract", contract), ("census", census), ("product", product), ("notice", notice))
    return [document for kind, make in kinds for document in documents(seed, kind, round(500 * scale), make)]
