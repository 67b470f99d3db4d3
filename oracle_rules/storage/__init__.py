"""Where blobs and results are kept: narrow interfaces, one-file implementations, one-file decorators."""
