"""Small faults put into sources: where one can be made, what it is called, and which of them are tried."""
