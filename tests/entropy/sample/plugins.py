from pathlib import Path


def plugins(folder: Path):
    return [path.stem for path in folder.glob("*.py")]  # hit: folder-order


def plugins_sorted(folder: Path):
    return [path.stem for path in sorted(folder.glob("*.py"))]  # none


def first(folder):
    for path in folder.iterdir():  # hit: folder-order
        return path


def newest(folder):
    return max(Path(folder).rglob("*"), key=lambda path: path.name)  # none


def size(folder):
    return sum(1 for _ in Path(folder).iterdir())  # none
