"""A target pattern selects these labels of the main repository and leaves those; what is no pattern is refused."""

from oracle_rules.label import Label, Pattern


def hold(case):
    try:
        pattern = Pattern.parse(case["pattern"])
    except ValueError as error:
        return "refuse" in case and case["refuse"] in str(error)
    if "refuse" in case:
        return False
    selected = [text for text in case["selects"] + case["leaves"] if pattern.matches(Label.parse(text))]
    foreign = [text for text in case["selects"] if pattern.matches(Label.parse("@other" + text))]
    return selected == case["selects"] and foreign == []
