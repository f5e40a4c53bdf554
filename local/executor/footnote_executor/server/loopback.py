"""LocalStack's own server, twisted, bound to the given address; stock binds it to every one.

GATEWAY_SERVER=loopback chooses it. LocalStack's other server, hypercorn, hands each request through
an event loop several times, which takes longer than the request.
"""

from typing import Any

from localstack.runtime.server.core import RuntimeServer, RuntimeServerPlugin


class LoopbackServerPlugin(RuntimeServerPlugin):
    name = "loopback"

    def load(self, *_args: object, **_kwargs: object) -> RuntimeServer:
        from localstack.runtime.server.twisted import TwistedRuntimeServer  # noqa: PLC0415
        from rolo.serving.twisted import TwistedGateway  # noqa: PLC0415
        from twisted.internet import reactor  # noqa: PLC0415 - installed when first imported

        class LoopbackServer(TwistedRuntimeServer):
            """Serves plain HTTP on the host and port of each address."""

            def register(self, gateway: Any, listen: list[Any], _ssl_creds: object = None) -> None:
                site = TwistedGateway(gateway)
                for address in listen:
                    reactor.listenTCP(address.port, site, interface=address.host)

        return LoopbackServer()
