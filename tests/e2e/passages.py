"""What searches find of documents, told without their order."""

QUERY = "late delivery damages"


def passages_found(client, documents):
    """Returns every passage that a search finds in each of the documents, sorted.

    Two indexes of the same documents rank them differently: how rare a word is also counts what
    was deleted or written twice. So all are asked for, and none may be missing or over.
    """
    found = {}
    for name in documents:
        hits = client.search(QUERY, strategy="semantic", k=50, documents=[name])["hits"]
        found[name] = sorted(hit["text"] for hit in hits)
    return found
