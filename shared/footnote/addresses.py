"""Tells addresses of the open internet from those inside a network. Pure."""

import ipaddress

UNICAST = ipaddress.IPv6Network("2000::/3")
"""The only addresses of IPv6 that are given out for the internet."""
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")  # AWS's DNS64 puts an IPv4-only host here
NOT_SERVED = tuple(map(ipaddress.IPv6Network, ("2001::/32", "2002::/16", "3fff::/20")))
"""Teredo and 6to4, which lead on to an IPv4 address, and examples of documentation."""


def is_public(address: str) -> bool:
    """Tells whether an address is on the open internet. One that wraps IPv4 counts as that one."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv4Address):
        return ip.is_global and not ip.is_multicast
    last = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
    if ip.ipv4_mapped or ip in NAT64:
        return is_public(str(last))
    in_isatap = int(ip) >> 32 & 0xFDFFFFFF == 0x5EFE
    if in_isatap and not is_public(str(last)):
        return False
    return ip in UNICAST and ip.is_global and not any(ip in network for network in NOT_SERVED)
