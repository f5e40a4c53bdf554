"""Runs llama.cpp's own HTTP server, on loopback: `python serve_gguf.py FILE PORT THREADS NAME`.

It runs in the environment of `local/pins/llama.txt`, which has nothing of this project.
"""

import sys
import threading

import xllamacpp

CONTEXT = 8192  # tokens of one question with its passages and its answer


def main() -> None:
    file, port, threads, name = sys.argv[1:]
    given = xllamacpp.CommonParams()
    given.model.path = file
    given.model_alias = {name}
    given.port = int(port)
    given.n_ctx = CONTEXT
    given.n_parallel = 1
    given.cpuparams.n_threads = given.cpuparams_batch.n_threads = int(threads)
    given.use_jinja = True  # the chat's form is the model's own
    server = xllamacpp.Server(given)
    print("listening at", server.listening_address, flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
