"""Ten pieces cost five in a hundred less, a hundred twenty; nobody buys none."""

from pricing.discount import price, price_list


def hold(case):
    if price_list() != "spring":
        return False
    if case["cents"] is None:
        try:
            price(case["pieces"], case["each"])
        except ValueError:
            return True
        return False
    return price(case["pieces"], case["each"]) == case["cents"]
