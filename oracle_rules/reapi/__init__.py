"""Remote Execution API v2 messages as values with deterministic bytes. Knows nothing of servers, disks or time."""
