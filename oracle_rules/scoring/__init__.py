"""From questions to rows: Actions planned, results judged or replayed, the parent and the frozen lane beside them."""
