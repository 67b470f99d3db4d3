import datetime
import uuid


class Invoice:
    def __init__(self, customer, created=datetime.datetime.now()):  # hit: clock
        self.id = uuid.uuid4()  # hit: uuid
        self.customer = customer
        self.created = created

    def due(self):
        return self.created + datetime.timedelta(days=30)  # none

    def is_overdue(self):
        return datetime.date.today() > self.due().date()  # hit: clock

    def is_overdue_on(self, today: datetime.date):
        return today > self.due().date()  # none
