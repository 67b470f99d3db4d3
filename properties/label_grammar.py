"""A label is read as Bazel reads it, or refused with the part that is wrong; writing and reading are inverse."""

from oracle_rules.label import Label


def hold(case):
    try:
        label = Label.parse(case["text"], case.get("package", ""))
    except ValueError as error:
        return "refuse" in case and case["refuse"] in str(error) and repr(case["text"]) in str(error)
    if "refuse" in case:
        return False
    repository, package, name = case["expect"]
    if (label.repository, label.package, label.name) != (repository, package, name):
        return False
    if str(label) != (f"@{repository}" if repository else "") + f"//{package}:{name}":
        return False
    return Label.parse(str(label), "some/where") == label and label.path == (f"{package}/{name}" if package else name)
