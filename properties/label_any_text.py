"""Any text is a label with one written form, or refused; nothing that leaves its package is ever a label."""

from oracle_rules.label import Label


def hold(case):
    text = case if isinstance(case, str) else case["text"]
    # A positive control drawn from the case, so that refusing everything is no way out.
    plain = "".join(char for char in text if char.isascii() and char.isalnum()) + "x"
    if str(Label.parse(f"//{plain}:{plain}.py")) != f"//{plain}:{plain}.py":
        return False
    try:
        label = Label.parse(text, "pkg")
    except ValueError:
        return True
    if Label.parse(str(label)) != label or not label.name:
        return False
    if label.repository == "" and not text.startswith(("//", "@")) and label.package != "pkg":
        return False
    parts = label.path.split("/")
    return not {"", ".", ".."} & set(parts) and not any(ord(char) < 32 for char in label.path)
