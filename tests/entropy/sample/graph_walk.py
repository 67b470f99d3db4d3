def reachable(graph, start):
    todo, seen = {start}, set()
    while todo:
        node = todo.pop()  # hit: set-order
        seen.add(node)
        todo |= set(graph[node]) - seen  # none
    return seen  # none


def in_order(graph, start):
    order = []
    for node in reachable_set(graph, start):  # hit: set-order
        order.append(node)
    return order


def reachable_set(graph, start) -> set[str]:
    return reachable(graph, start)  # none
