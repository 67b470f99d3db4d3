"""A named list of property tests."""

def oracle_suite(name, tests, tags = [], **attributes):
    """A named list of property tests.

    Args:
      name: the target's name
      tests: property tests and other suites
      tags: free words
      **attributes: those that every rule has
    """
    native.test_suite(name = name, tests = tests, tags = tags, **attributes)
