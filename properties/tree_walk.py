"""Walking a tree gives back the files it was made of, in order; a directory that is lost or spoilt is noticed."""

from oracle_rules.digest import Digest
from oracle_rules.reapi.tree import FileInput, MissingDirectory, merkle, walk


def hold(case):
    files = {path: Digest.of(text.encode()) for path, text in case["files"].items()}
    tree = merkle({path: FileInput(digest, path.endswith(".sh")) for path, digest in files.items()})
    store = {str(digest): data for digest, data in tree.directories.items()}
    asked = []

    def fetch(digest):
        asked.append(str(digest))
        return store.get(str(digest))

    found = list(walk(tree.root, fetch))
    if [path for path, _ in found] != case["order"] or sorted(set(asked)) != sorted(store):
        return False
    if any(node.digest != files[path] or node.is_executable is not path.endswith(".sh") for path, node in found):
        return False
    for lost, data in list(store.items()):
        for spoilt in (None, data + b"\x00", data[:-1] + bytes([data[-1] ^ 1]) if data else b"\n\x00"):
            store[lost] = spoilt
            try:
                list(walk(tree.root, fetch))
            except MissingDirectory as error:
                if spoilt is not None or str(error.digest) != lost:
                    return False
            except ValueError:
                if spoilt is None:
                    return False
            else:
                return False
        store[lost] = data
    try:
        list(walk(tree.root, fetch, max_nodes=0))
    except ValueError:
        return bool(files)
    return not files
