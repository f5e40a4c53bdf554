"""Runs a command with the network cut, and tells what it tried to reach.

usage: python -m local.airgap COMMAND …

The command gets a network namespace with loopback and one interface that leads nowhere. Exits with
the command's status; with 1 where it succeeds but sent something there. Needs Linux, `unshare` and
`ip`; who may not be root gets a user namespace too.
"""

import os
import socket
import subprocess
import sys
import threading
from collections import Counter
from contextlib import suppress

NOWHERE, DEAD_END = "nowhere0", "nowhere1"
INSIDE = "FOOTNOTE_AIRGAP"  # in the environment of who is inside already
ETHERNET, ALL, IPV4, IPV6 = 14, 3, 0x0800, 0x86DD  # length of its header; its types
UDP, DNS = 17, 53
PORTED = {6: "tcp", UDP: "udp"}
SETUP = (
    "ip link set lo up",
    f"ip link add {NOWHERE} type veth peer name {DEAD_END}",
    *(f"ip link set {end} addrgenmode none" for end in (NOWHERE, DEAD_END)),  # IPv6 asks on its own
    f"ip link set {NOWHERE} arp off",
    f"ip address add 192.0.2.2/24 dev {NOWHERE}",  # an address for documentation, RFC 5737
    *(f"ip link set {end} up" for end in (NOWHERE, DEAD_END)),
    f"ip route add default dev {NOWHERE}",
)


def main() -> int:
    command = sys.argv[1:]
    if not command:
        print(__doc__)
        return 2
    if not os.environ.get(INSIDE):
        own = () if os.geteuid() == 0 else ("--map-root-user",)
        words = ("unshare", "--net", *own, sys.executable, "-m", "local.airgap", *command)
        return subprocess.call(words, env=os.environ | {INSIDE: "1"})
    for line in SETUP:
        subprocess.run(line.split(), check=True)
    return watch(command)


def watch(command: list[str]) -> int:
    """Runs a command; prints where its packets would have gone, and how many there were."""
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL)) as listener:
        listener.bind((NOWHERE, 0))
        sent: Counter[str] = Counter()
        threading.Thread(target=listen, args=(listener, sent), daemon=True).start()
        code = subprocess.call(command)
    for where, times in sent.most_common():
        print(f"airgap: {times} packets to {where}", file=sys.stderr)
    if not sent:
        print("airgap: nothing was sent to another machine", file=sys.stderr)
    return code or bool(sent)


def listen(listener: socket.socket, sent: Counter[str]) -> None:
    with suppress(OSError):  # it is closed
        while True:
            sent[goal_of(listener.recv(2048))] += 1


def goal_of(frame: bytes) -> str:
    """Returns where an Ethernet frame goes: protocol, address and port."""
    kind, packet = int.from_bytes(frame[12:14]), frame[ETHERNET:]
    if kind == IPV4:
        header, protocol = (packet[0] & 15) * 4, packet[9]
        address = socket.inet_ntop(socket.AF_INET, packet[16:20])
    elif kind == IPV6:
        header, protocol = 40, packet[6]
        address = f"[{socket.inet_ntop(socket.AF_INET6, packet[24:40])}]"
    else:
        return f"type {kind:#06x}"
    if protocol not in PORTED:
        return f"{address}, protocol {protocol}"
    port = int.from_bytes(packet[header + 2 : header + 4])
    asked = f" for {name_of(packet[header + 8 :])}" if port == DNS and protocol == UDP else ""
    return f"{PORTED[protocol]} {address}:{port}{asked}"


def name_of(question: bytes) -> str:
    """Returns the name that a question to a name server asks for."""
    labels, place = [], 12  # behind the header
    while place < len(question) and (length := question[place]):
        labels.append(question[place + 1 : place + 1 + length].decode("ascii", "replace"))
        place += 1 + length
    return ".".join(labels)


if __name__ == "__main__":
    sys.exit(main())
