def total(amounts: set[int]):
    return sum(amounts)  # none


def any_negative(amounts: set[int]):
    for amount in amounts:  # none
        if amount < 0:
            return True
    return False


def find_negative(amounts: set[int]):
    for amount in amounts:  # hit: set-order
        if amount < 0:
            return amount
    return None


def float_total(prices: set[float]):
    return sum(prices)  # hit: set-order
