"""Files that people keep in their work tree, as the verbs for people read and rewrite them."""
