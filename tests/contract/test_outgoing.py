"""Ports by which events leave, in memory and over HTTP; and where nothing may ever be posted to."""

import ipaddress
import socket
import ssl
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from footnote.adapters.http_webhook import HttpWebhook
from footnote.adapters.memory.outgoing import (
    MemoryAnnouncer,
    MemoryAudit,
    MemoryDeliveries,
    MemoryWebhook,
)
from footnote.addresses import is_public
from footnote.errors import ConfigurationError, UnavailableError
from tests.contract.suites.outgoing import (
    AnnouncerSuite,
    AuditLogSuite,
    DeliveriesSuite,
    WebhookSuite,
)
from tests.receiver import run_receiver


class TestMemoryAnnouncer(AnnouncerSuite):
    @pytest.fixture
    def announcer(self):
        return MemoryAnnouncer()

    @pytest.fixture
    def heard(self, announcer):
        return lambda _: [dict(one.detail) for one in announcer.announced]


class TestMemoryAudit(AuditLogSuite):
    @pytest.fixture
    def audit_log(self):
        return MemoryAudit()

    @pytest.fixture
    def kept(self, audit_log):
        return lambda: list(audit_log.lines)


class TestMemoryWebhook(WebhookSuite):
    @pytest.fixture
    def webhook(self):
        return MemoryWebhook()

    @pytest.fixture
    def answer(self, webhook):
        return lambda status: setattr(webhook, "answer", lambda: status)

    @pytest.fixture
    def received(self, webhook):
        return lambda: [(body, given.get("footnote-event", "")) for body, given in webhook.posted]


class TestMemoryDeliveries(DeliveriesSuite):
    @pytest.fixture
    def deliveries(self):
        return MemoryDeliveries()

    @pytest.fixture
    def buried(self, deliveries):
        return lambda: deliveries.buried

    @pytest.fixture
    def receipt(self):
        return "r1"

    @pytest.fixture
    def hidden(self, deliveries, receipt):
        return lambda: deliveries.held[receipt]


@pytest.fixture
def receiver():
    with run_receiver() as running:
        yield running


class TestHttpWebhook(WebhookSuite):
    @pytest.fixture
    def webhook(self, receiver):
        return HttpWebhook(receiver.hook)

    @pytest.fixture
    def answer(self, receiver):
        return lambda status: setattr(receiver, "statuses", [status])

    @pytest.fixture
    def received(self, receiver):
        return lambda: receiver.bodies

    def test_the_query_of_the_url_is_kept_and_the_host_named(self, webhook, receiver):
        webhook.post(b"{}", {})
        [(path, headers, _)] = receiver.requests
        assert path == "/hook?from=footnote"
        assert headers["host"] == receiver.hook.split("/")[2]
        assert headers["content-type"] == "application/json"

    def test_a_receiver_that_is_down_is_unavailable(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))  # nobody listens
            url = f"http://127.0.0.1:{taken.getsockname()[1]}/"
            with pytest.raises(UnavailableError):
                HttpWebhook(url).post(b"{}", {})

    def test_a_host_without_an_address_is_unavailable(self):
        with pytest.raises(UnavailableError):
            HttpWebhook("https://nowhere.invalid/").post(b"{}", {})

    def test_a_receiver_without_tls_is_never_told_anything(self, receiver):
        """The name is resolved to a public address elsewhere; here only TLS is of interest."""
        port = receiver.server_address[1]
        with pytest.raises(UnavailableError):
            HttpWebhook(f"https://localhost:{port}/").post(b"{}", {})
        assert receiver.requests == []

    def test_a_receiver_that_says_nothing_is_given_up(self, monkeypatch):
        monkeypatch.setattr("footnote.adapters.http_webhook.READ_SECONDS", 0.3)
        with socket.socket() as silent:
            silent.bind(("127.0.0.1", 0))
            silent.listen()
            with pytest.raises(UnavailableError):
                HttpWebhook(f"http://127.0.0.1:{silent.getsockname()[1]}/").post(b"{}", {})


# -- TLS -----------------------------------------------------------------------------------------


def certificate(folder, name):
    """Makes a certificate for a name; returns the file with it and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(who)
        .issuer_name(who)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / "receiver.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(private + made.public_bytes(Encoding.PEM))
    return file


@pytest.mark.parametrize(("name", "taken"), [("hooks.example", 1), ("other.example", 0)])
def test_the_certificate_must_be_of_the_name_though_the_address_is_connected_to(
    receiver, tmp_path, monkeypatch, name, taken
):
    file = certificate(tmp_path, name)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    asked = []
    context.sni_callback = lambda _, told, __: asked.append(told)
    receiver.socket = context.wrap_socket(receiver.socket, server_side=True)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    monkeypatch.setattr("footnote.adapters.http_webhook.is_public", lambda _: True)
    port = receiver.server_address[1]
    webhook = HttpWebhook(f"https://hooks.example:{port}/", lambda *_: ["127.0.0.1"])
    with nullcontext() if taken else pytest.raises(UnavailableError):
        webhook.post(b"{}", {})
    assert (len(receiver.requests), asked) == (taken, ["hooks.example"])


# -- where nothing is posted to ------------------------------------------------------------------

INSIDE = [
    "0.0.0.0",  # noqa: S104 - nothing listens there
    "10.0.0.8",
    "100.64.0.1",
    "127.0.0.1",
    "169.254.169.254",  # who a machine is, and its credentials
    "169.254.170.2",
    "172.16.0.1",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "239.1.2.3",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:10.0.0.8",
    "::ffff:169.254.169.254",
    "::169.254.169.254",  # IPv4-compatible
    "::ffff:0:a9fe:a9fe",  # IPv4-translated
    "64:ff9b::a00:8",
    "64:ff9b:1::a9fe:a9fe",  # NAT64 within a network
    "64:ff9b:1::5db8:d822",
    "100::1",
    "2001::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",  # Teredo
    "2001:0:a9fe:a9fe:8000:63bf:a247:27dd",
    "2001:10::1",
    "2001:db8::1",
    "2002:a00:8::1",
    "2002:5db8:d822::1",  # 6to4, which nobody serves from
    "2606:2800:220:1:0:5efe:a9fe:a9fe",  # ISATAP
    "2606:2800:220:1:200:5efe:a00:8",
    "3fff::1",
    "4000::1",
    "5f00::1",
    "fec0::1",  # site-local
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1%eth0",
    "ff02::1",
]


@pytest.mark.parametrize("address", INSIDE)
def test_an_address_inside_a_network_is_not_public(address):
    assert not is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "93.184.216.34",
        "2606:2800:220:1::1",
        "64:ff9b::5db8:d822",
        "::ffff:93.184.216.34",
        "2a00:1450:4001:80b::200e",
        "2606:2800:220:1:0:5efe:5db8:d822",
    ],
)
def test_an_address_of_the_internet_is_public(address):
    assert is_public(address)


@pytest.mark.parametrize("inside", ["10.0.0.8", "127.0.0.1", "169.254.169.254", "192.168.1.1"])
def test_no_form_of_ipv6_hides_an_address_inside_a_network(inside):
    """Each way of RFC 4291, 5214, 6052, 3056, 4380 and 2765 to write an IPv4 address into one."""
    low = int(ipaddress.IPv4Address(inside))
    forms = {
        "compatible": low,
        "mapped": 0xFFFF << 32 | low,
        "translated": 0xFFFF << 48 | low,
        "nat64": 0x64FF9B << 96 | low,
        "local nat64": 0x64FF9B0001 << 80 | low,
        "6to4": 0x2002 << 112 | low << 80 | 1,
        "teredo server": 0x20010000 << 96 | low << 64,
        "teredo client": 0x20010000 << 96 | (low ^ 0xFFFFFFFF),
        "isatap": 0x2606280002200001 << 64 | 0x5EFE << 32 | low,
        "isatap, unique": 0x2606280002200001 << 64 | 0x2005EFE << 32 | low,
    }
    passed = [name for name, one in forms.items() if is_public(str(ipaddress.IPv6Address(one)))]
    assert passed == []


@pytest.mark.parametrize("address", INSIDE)
def test_nothing_is_posted_to_a_name_that_leads_inside(address, receiver):
    port = receiver.server_address[1]
    for found in ([address], ["93.184.216.34", address], [address, "93.184.216.34"]):
        webhook = HttpWebhook(f"https://hooks.example:{port}/", lambda *_, found=found: found)
        with pytest.raises(ConfigurationError) as raised:
            webhook.post(b"{}", {})
        assert raised.value.code == "webhook_refused"
    assert receiver.requests == []


def test_a_name_is_looked_up_once_for_each_post(receiver):
    looked = []

    def resolve(host, port):
        looked.append((host, port))
        return ["127.0.0.1"]

    HttpWebhook(receiver.hook, resolve).post(b"{}", {})
    assert looked == [("127.0.0.1", receiver.server_address[1])]


def test_localhost_must_be_this_machine(receiver):
    webhook = HttpWebhook("http://localhost:9/", lambda *_: ["93.184.216.34"])
    with pytest.raises(ConfigurationError):
        webhook.post(b"{}", {})


@pytest.mark.parametrize(
    "url",
    [
        "",
        "hooks.example/x",
        "http://hooks.example/x",
        "http://127.0.0.2/x",
        "ftp://hooks.example/x",
        "file:///etc/passwd",
        "https:///x",
        "https://me:secret@hooks.example/x",
        "https://@hooks.example/x",
        "https://hooks.example/x#part",
        "https://hooks.example:0/x",
        "https://hooks.example:99999/x",
        "https://[::1/x",
    ],
)
def test_a_url_that_is_not_plain_https_is_refused(url):
    def never(*_):
        raise AssertionError("a name was looked up")

    with pytest.raises(ConfigurationError) as raised:
        HttpWebhook(url, never).post(b"{}", {})
    assert raised.value.code == "webhook_refused"
    assert "secret" not in raised.value.message
