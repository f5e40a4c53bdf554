"""The Python client: the REST API's operations as methods, its errors as our exceptions.

with Client.connect() as client:  # or Client(url, key)
    client.wait([client.add(Path("report.pdf"))], print)
    print(client.ask("What was revenue in 2025?")["answer"])
"""

from footnote.client.client import Client
from footnote.client.questions import TEXT_FORMS, answer_of

__all__ = ["TEXT_FORMS", "Client", "answer_of"]
