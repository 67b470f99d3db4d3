"""Paths as the engine spells them: those of the workspace, in ASCII."""

# What JSON of ours escapes and Starlark's does not, or what a build tool spells otherwise.
_PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 !#$%&'()*+,-./:;<=>?@[]^_`{|}~"

def check_plain(text, what, label):
    """Fails for a text that JSON would escape.

    Args:
      text: the text
      what: what it is, for the message
      label: the target that it stands in

    Returns:
      The text.
    """
    for letter in text.elems():
        if letter not in _PLAIN:
            fail("%s: %s %r has a letter beyond plain ASCII; rename it" % (label, what, text))
    return text

def source_path(file, label):
    """The path of a source file of the main workspace; fails for any other file.

    Args:
      file: the File
      label: the target that names it

    Returns:
      The path, relative to the workspace.
    """
    if not file.is_source:
        fail("%s: %s is generated; an oracle and its candidate are files that are committed" % (label, file.short_path))
    if file.short_path.startswith("../"):
        fail("%s: %s is of another repository; copy it into this one" % (label, file.short_path))
    return check_plain(file.short_path, "the path", label)

def join(folder, name):
    """The path of what lies in a folder of the workspace, whose root is the empty text.

    Args:
      folder: the folder
      name: what lies in it

    Returns:
      The path.
    """
    return folder + "/" + name if folder else name
