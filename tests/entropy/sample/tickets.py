from dataclasses import dataclass, field
from datetime import datetime, timezone
from uuid import uuid4, uuid5, NAMESPACE_URL


@dataclass
class Ticket:
    title: str
    key: str = field(default_factory=uuid4)  # hit: uuid
    opened: datetime = field(default_factory=lambda: datetime.now(timezone.utc))  # hit: clock

    def stable_key(self):
        return uuid5(NAMESPACE_URL, self.title)  # none

    def parsed(self, text):
        return datetime.fromisoformat(text)  # none
