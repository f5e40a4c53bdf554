"""OpenAI's own client with footnote as its model: an answer, then what each marker cites.

pip install openai
python openai_client.py "How many cargo bikes …?"     # FOOTNOTE_URL, FOOTNOTE_API_KEY
"""

import os
import sys

from openai import OpenAI

client = OpenAI(
    base_url=f"{os.environ['FOOTNOTE_URL']}/v1",
    api_key=os.environ["FOOTNOTE_API_KEY"],
)

if __name__ == "__main__":
    asked = [{"role": "user", "content": sys.argv[1]}]
    reply = client.chat.completions.create(model="footnote", messages=asked)
    message = reply.choices[0].message
    print(message.content)
    for note in message.annotations or []:
        print(f"{note.url_citation.title}: {note.url_citation.url}")

    stream = client.chat.completions.create(model="footnote", messages=asked, stream=True)
    print("".join(part.choices[0].delta.content or "" for part in stream) == message.content)
    print(", ".join(model.id for model in client.models.list()))
