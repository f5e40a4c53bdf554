"""`make airgap` tells where each packet would have gone, were there a way."""

import os
import socket
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from local.airgap import SETUP, goal_of

ROOT = Path(__file__).resolve().parents[2]
ETHERNET = bytes(12)
PORTS = struct.pack("!HH", 40_000, 443)


def ipv4(protocol, options=b""):
    length = 5 + len(options) // 4
    head = bytes([0x40 | length]) + bytes(8) + bytes([protocol]) + bytes(2)
    addresses = socket.inet_aton("192.0.2.2") + socket.inet_aton("198.51.100.7")
    return ETHERNET + b"\x08\x00" + head + addresses + options + PORTS


def ipv6(protocol):
    head = bytes([0x60]) + bytes(5) + bytes([protocol]) + bytes(1)
    addresses = bytes(16) + socket.inet_pton(socket.AF_INET6, "2001:db8::7")
    return ETHERNET + b"\x86\xdd" + head + addresses + PORTS


@pytest.mark.parametrize(
    ("frame", "goal"),
    [
        (ipv4(6), "tcp 198.51.100.7:443"),
        (ipv4(17), "udp 198.51.100.7:443"),
        (ipv4(6, options=bytes(8)), "tcp 198.51.100.7:443"),
        (ipv4(1), "198.51.100.7, protocol 1"),
        (ipv6(6), "tcp [2001:db8::7]:443"),
        (ipv6(58), "[2001:db8::7], protocol 58"),
        (ETHERNET + b"\x08\x06" + bytes(28), "type 0x0806"),
    ],
)
def test_a_packet_tells_where_it_would_have_gone(frame, goal):
    assert goal_of(frame) == goal


def test_all_but_loopback_leads_nowhere():
    assert "ip link set lo up" in SETUP
    assert [line for line in SETUP if "default" in line] == ["ip route add default dev nowhere0"]


def test_a_question_to_a_name_server_tells_the_name():
    question = bytes(12) + b"\x07example\x03com\x00" + bytes(4)
    frame = ipv4(17)[:-2] + struct.pack("!HHH", 53, 0, 0) + question
    assert goal_of(frame) == "udp 198.51.100.7:53 for example.com"


LOADS = """
import os, sys
told = {}
def look(event, given):
    if event == "import" and given[0] == "onnxruntime":
        told[given[0]] = os.environ.get("ORT_DISABLE_TELEMETRY")
sys.addaudithook(look)
import footnote.adapters.embedding.onnx_session
print(told)
"""


def test_the_library_that_runs_models_is_loaded_with_its_telemetry_off():
    """It reads the variable when it is loaded; without it, it asks for a host of Microsoft's."""
    environ = {name: one for name, one in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    environ["PYTHONPATH"] = str(ROOT / "shared")
    command = (sys.executable, "-c", LOADS)
    done = subprocess.run(command, env=environ, capture_output=True, text=True)
    assert done.stdout == "{'onnxruntime': '1'}\n", done.stderr
