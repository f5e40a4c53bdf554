"""The suite of the port VectorCache."""

import random
import struct

import pytest

from footnote.errors import ConfigurationError
from footnote.model import Vector
from footnote.ports import VectorCache
from tests.contract.suites import new_tenant


def vector(seed: int, dimensions: int = 384) -> Vector:
    """Returns random numbers that float32 holds exactly, as those of a model are."""
    rng = random.Random(seed)
    raw = struct.pack(f"<{dimensions}f", *(rng.uniform(-1, 1) for _ in range(dimensions)))
    return list(struct.unpack(f"<{dimensions}f", raw))


class VectorCacheSuite:
    @pytest.fixture
    def vectors(self) -> VectorCache:
        raise NotImplementedError

    @pytest.fixture
    def prefix(self) -> str:
        return f"minilm:document:{new_tenant()}"

    def test_vectors_come_back_exactly(self, vectors, prefix):
        stored = {f"{prefix}:{n}": vector(n) for n in range(3)}
        stored[f"{prefix}:extreme"] = [0.0, -0.0, 1.0, 2**-149, 3.4028234663852886e38]
        vectors.put(stored)
        assert vectors.get(list(stored)) == stored

    def test_unknown_keys_are_left_out(self, vectors, prefix):
        vectors.put({f"{prefix}:a": vector(1)})
        assert vectors.get([f"{prefix}:a", f"{prefix}:b"]) == {f"{prefix}:a": vector(1)}

    def test_nothing_asked_or_put_is_nothing(self, vectors):
        vectors.put({})
        assert vectors.get([]) == {}

    def test_hundreds_go_at_once_and_doubles_are_fine(self, vectors, prefix):
        stored = {f"{prefix}:{n}": vector(n) for n in range(230)}
        vectors.put(stored)
        assert vectors.get([*stored, *stored]) == stored

    def test_what_is_deleted_is_gone_and_what_was_not_there_is_no_error(self, vectors, prefix):
        vectors.put({f"{prefix}:{n}": vector(n) for n in range(30)})
        vectors.delete([f"{prefix}:{n}" for n in (*range(29), 77, 5)])
        vectors.delete([])
        assert list(vectors.get([f"{prefix}:{n}" for n in range(30)])) == [f"{prefix}:29"]

    def test_putting_again_replaces(self, vectors, prefix):
        vectors.put({f"{prefix}:a": vector(1)})
        vectors.put({f"{prefix}:a": vector(2)})
        assert vectors.get([f"{prefix}:a"]) == {f"{prefix}:a": vector(2)}

    @pytest.mark.parametrize("key", ["", "x" * 2049, "ü" * 1025])
    def test_a_key_that_the_table_does_not_take_is_refused(self, vectors, key):
        with pytest.raises(ConfigurationError, match="DynamoDB takes 1 to 2,048"):
            vectors.get([key])
        with pytest.raises(ConfigurationError, match="DynamoDB takes 1 to 2,048"):
            vectors.put({key: vector(1, 4)})
