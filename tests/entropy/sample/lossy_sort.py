def by_length(words):
    return sorted(set(words), key=len)  # hit: set-order


def by_name(users):
    return sorted({user for user in users}, key=lambda user: user.name)  # none


def shortest(words):
    return min(set(words), key=len)  # hit: set-order


def both(words):
    return sorted(set(words), key=lambda word: (len(word), word))  # none
