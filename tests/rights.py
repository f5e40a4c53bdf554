"""Works out which AWS calls each function's step can make, from the code and nothing else.

mypy reads the project and gives each expression its type. From a function's handler the calls are
followed through steps, ports, services and adapters, down to the methods of boto3's clients and of
OpenSearch's. What is found is an over-estimate in one way only: all branches count.
"""

from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import boto3
from botocore import xform_name
from mypy import build, nodes, types
from mypy.modulefinder import BuildSource
from mypy.options import Options

ROOT = Path(__file__).resolve().parents[1]
LAYER = ROOT / "shared"
NOT_DEPLOYED = {"cli", "client", "endpoint.py", "local_workflow.py", "pipeline.py"}
FACES = {
    "api": "footnote.api",
    "authorize": "footnote.api.authorize",
    "deliver": "footnote.wiring.deliver",
    "draw": "footnote.api.draw_routes",
    "fetch": "footnote.wiring.fetch",
    "notify": "footnote.wiring.notify",
    "mcp": "footnote.mcp",
    "serve": "footnote.api.serve",
    "stream": "footnote.api.stream_routes",
    "vouch": "footnote.wiring.vouch",
}
"""Functions whose handler is a module's of the package; `api` has all modules but the others'."""
ALSO = {"stream": ("footnote.api.chat_routes", "footnote.api.event_routes")}
"""Routes of `api` that another function has too."""


class Right(NamedTuple):
    """An IAM action on what a setting names, such as a table. "" stands for all resources."""

    action: str
    resource: str


class Call(NamedTuple):
    """A request that an adapter makes: the SDK's method, and what is given with it by name."""

    service: str
    method: str
    resource: str
    given: frozenset[str]


# -- what a request needs (IAM's service authorization reference, by service) ----------------------

NEEDS: dict[tuple[str, str], tuple[str, ...]] = {
    ("s3", "head_object"): ("s3:GetObject", "s3:ListBucket"),
    ("s3", "get_object"): ("s3:GetObject", "s3:ListBucket"),
    ("s3", "list_objects_v2"): ("s3:ListBucket",),
    ("s3", "list_object_versions"): ("s3:ListBucketVersions",),
    ("s3", "delete_objects"): ("s3:DeleteObject",),
    ("s3", "generate_presigned_post"): ("s3:PutObject",),  # whoever signs it needs the right
    ("s3", "generate_presigned_url"): ("s3:GetObject",),  # likewise; only `get_object` is signed
    ("sqs", "send_message_batch"): ("sqs:SendMessage",),
    ("sqs", "change_message_visibility_batch"): ("sqs:ChangeMessageVisibility",),
    ("apigateway", "get_api_key"): ("apigateway:GET",),
    ("lambda", "invoke"): ("lambda:InvokeFunction",),
    ("bedrock-mantle", "create_inference"): ("bedrock-mantle:CreateInference",),
    # https://docs.aws.amazon.com/bedrock/latest/userguide/rerank-prereq.html
    ("bedrock-agent-runtime", "rerank"): ("bedrock:Rerank", "bedrock:InvokeModel"),
}
"""Requests whose action has another name, or needs more. Without `s3:ListBucket`, S3 answers 403
and not 404 for what is not there."""
OF_A_VERSION = {
    "s3:GetObject": "s3:GetObjectVersion",
    "s3:DeleteObject": "s3:DeleteObjectVersion",
    "s3:GetObjectTagging": "s3:GetObjectVersionTagging",
}
PREFIX = {
    "stepfunctions": "states",
    "bedrock-runtime": "bedrock",
    "bedrock-agent-runtime": "bedrock",
}
SERVICES = "footnote.wiring.services.Services"
PORTS = "footnote.ports"
KEYS = {
    f"footnote.wiring.provider_keys.ProviderKeys.{name}": f"{name}_key_parameter"
    for name in ("anthropic", "bedrock", "chat", "cohere", "voyage", "openai")
}
KEYS[f"{SERVICES}.webhook_secret"] = "webhook_secret_parameter"
"""Who reads a key → the setting that names its parameter."""
SIGNED = {"footnote.adapters.llm.anthropic.bedrock_client": ("bedrock-mantle", "create_inference")}
"""Who makes a client that is not boto3's and signs requests all the same → what it asks for.

https://docs.aws.amazon.com/service-authorization/latest/reference/list_bedrock-mantle.html
"""
OPENSEARCH = {
    "bulk": "Post",
    "cat.allocation": "Get",
    "cluster.get_settings": "Get",
    "cluster.health": "Get",
    "count": "Post",
    "delete_by_query": "Post",
    "indices.create": "Put",
    "indices.delete": "Delete",
    "indices.exists": "Head",
    "indices.get": "Get",
    "indices.get_alias": "Get",
    "indices.get_mapping": "Get",
    "indices.refresh": "Post",
    "indices.stats": "Get",
    "indices.update_aliases": "Post",
    "msearch": "Post",
    "search": "Post",
    "update_by_query": "Post",
}
"""OpenSearch's methods → the HTTP method, which IAM goes by."""


def rights_of(call: Call) -> set[Right]:
    """Returns what IAM asks for a request."""
    if call.service == "opensearch":
        return {Right(f"es:ESHttp{call.method}", call.resource)}
    if call.service == "ssm":
        return {Right("ssm:GetParameter", call.resource)}
    actions = NEEDS.get((call.service, call.method), ())
    if not actions:
        operation = operations(call.service).get(call.method, "")
        actions = (f"{PREFIX.get(call.service, call.service)}:{operation}",)
    is_link = call.method == "generate_presigned_url"
    if "VersionId" in call.given or (is_link and call.resource == "uploads_bucket"):
        actions = tuple(OF_A_VERSION.get(action, action) for action in actions)
    return {Right(action, call.resource) for action in actions}


@cache
def operations(service: str) -> dict[str, str]:
    """Returns the methods of boto3's client of a service, with the operation that each sends."""
    client = boto3.client(
        service,  # type: ignore[call-overload]
        region_name="us-east-1",
        aws_access_key_id="none",
        aws_secret_access_key="none",  # nothing is sent
    )
    named = {xform_name(name): name for name in client.meta.service_model.operation_names}
    signed = {"generate_presigned_post": "PutObject", "generate_presigned_url": "GetObject"}
    return named | (signed if service == "s3" else {})


# -- the code --------------------------------------------------------------------------------------


class Code:
    """The deployed code as mypy understands it."""

    def __init__(self) -> None:
        options = Options()
        options.export_types = options.preserve_asts = options.ignore_missing_imports = True
        options.incremental, options.cache_dir = False, "/dev/null"
        options.follow_imports, options.no_site_packages = "skip", True  # SDKs are not looked into
        options.python_version, options.mypy_path = (3, 13), [str(LAYER)]
        built = build.build([*self._sources()], options)
        self.types = built.types
        self.modules = {
            name: state.tree
            for name, state in built.graph.items()
            if state.tree and name.startswith(("footnote", "function_"))
        }
        self.functions = dict(self._functions())
        self.classes = {
            node.info.fullname: node.info
            for tree in self.modules.values()
            for node in tree.defs
            if isinstance(node, nodes.ClassDef)
        }
        self.heirs: dict[str, list[nodes.TypeInfo]] = {}
        for one in self.classes.values():
            for base in one.mro:
                self.heirs.setdefault(base.fullname, []).append(one)

    def _sources(self) -> Any:
        for path in (LAYER / "footnote").rglob("*.py"):
            if not NOT_DEPLOYED & set(path.relative_to(LAYER).parts):
                name = ".".join(path.relative_to(LAYER).with_suffix("").parts)
                yield BuildSource(str(path), name.removesuffix(".__init__"))
        for path in ROOT.glob("functions/*/app.py"):
            yield BuildSource(str(path), f"function_{path.parent.name}")

    def _functions(self) -> Any:
        for tree in self.modules.values():
            for node in tree.defs:
                yield from functions_in(node)

    @cache  # noqa: B019  # lives as long as the tests
    def implements(self, name: str, port: str) -> bool:
        """Tells whether a class has all methods of a port, with the same arguments."""
        wanted = self.classes[port].names
        return name in self.classes and all(
            signature(self.classes[name].get(member)) == signature(wanted[member])
            for member in wanted
        )

    def method_of(self, name: str, member: str) -> str:
        """Returns the full name of a class's method, which a base may define."""
        named = [f"{base.fullname}.{member}" for base in self.classes[name].mro]
        return next((one for one in named if one in self.functions), named[0])

    def service_of(self, module: str) -> str:
        """Returns the AWS service whose client a module imports for its types, or ""."""
        if module.startswith("footnote.adapters.aws.lambda_"):  # by a protocol of our own
            return "lambda"
        if module == "footnote.adapters.aws.cloudwatch_audit":  # likewise
            return "logs"
        if module == "footnote.adapters.dynamodb.catalog":  # its client is that of its base
            return "dynamodb"
        for node in self.modules[module].imports:
            if isinstance(node, nodes.ImportFrom) and node.id.startswith("mypy_boto3_"):
                name = node.id.removeprefix("mypy_boto3_").partition(".")[0]
                service = name.replace("_", "-")
                if module != "footnote.adapters.aws.clients":  # it makes the clients of all
                    return service
            if isinstance(node, nodes.ImportFrom) and node.id == "opensearchpy":
                return "opensearch"
        return ""


def functions_in(node: nodes.Node) -> Any:
    """Yields the functions that a statement of a module defines, methods too, by full name."""
    if isinstance(node, nodes.FuncDef):
        yield node.fullname, node
    elif isinstance(node, nodes.Decorator):
        yield node.func.fullname, node
    elif isinstance(node, nodes.OverloadedFuncDef) and node.impl:
        yield from functions_in(node.impl)
    elif isinstance(node, nodes.ClassDef):
        for inner in node.defs.body:
            yield from functions_in(inner)
    elif isinstance(node, nodes.IfStmt):
        for body in node.body:
            for inner in body.body:
                yield from functions_in(inner)


def signature(symbol: nodes.SymbolTableNode | None) -> tuple[str | None, ...] | None:
    """Returns the names of a method's arguments, () for a property, None where there is neither."""
    if symbol is None:
        return None
    node = symbol.node
    if isinstance(node, nodes.Decorator) and node.func.is_property:
        return ()
    if isinstance(node, nodes.Decorator):
        node = node.func
    return tuple(node.arg_names[1:]) if isinstance(node, nodes.FuncDef) else ()


class Uses(NamedTuple):
    """Everything that the body of one function names."""

    functions: frozenset[str]
    classes: frozenset[str]
    port_methods: frozenset[tuple[str, str]]
    requests: frozenset[tuple[str, str, frozenset[str]]]  # service, method, keywords
    made: frozenset[str]  # classes that are called


NOT_INSIDE = {"node", "info", "original_def", "definition", "analyzed", "type", "expanded"}
"""Attributes of mypy's nodes that lead to other places than the inside of a node."""


def inside(node: nodes.Node) -> Iterator[nodes.Node]:
    """Yields a node and all statements and expressions inside it."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        yield one
        for name in attributes_of(type(one)):
            waiting += flat(getattr(one, name, None))


@cache
def attributes_of(kind: type[nodes.Node]) -> frozenset[str]:
    names = (name for one in kind.__mro__ for name in getattr(one, "__mypyc_attrs__", ()))
    return frozenset(names) - NOT_INSIDE


def flat(value: object) -> Iterator[nodes.Node]:
    if isinstance(value, nodes.Statement | nodes.Expression):
        yield value
    elif isinstance(value, list | tuple):
        for one in value:
            yield from flat(one)
    elif isinstance(value, nodes.Argument):
        yield from flat(value.initializer)


class Reader:
    """Collects what the body of one function uses. A name that is only passed on counts too."""

    def __init__(self, code: Code, module: str) -> None:
        self.code, self.module = code, module
        self.service = code.service_of(module)
        self.functions: set[str] = set()
        self.classes: set[str] = set()
        self.port_methods: set[tuple[str, str]] = set()
        self.requests: set[tuple[str, str, frozenset[str]]] = set()
        self.made: set[str] = set()
        self.read: set[int] = set()

    def uses(self) -> Uses:
        return Uses(
            frozenset(self.functions),
            frozenset(self.classes),
            frozenset(self.port_methods),
            frozenset(self.requests),
            frozenset(self.made),
        )

    def read_all(self, node: nodes.Node) -> None:
        for one in inside(node):
            match one:
                case nodes.NameExpr():
                    self._refer(one.node)
                case nodes.CallExpr():
                    self._call(one)
                case nodes.MemberExpr():
                    self._member(one)

    def _call(self, o: nodes.CallExpr) -> None:
        given = frozenset(name for name in o.arg_names if name)
        if isinstance(o.callee, nodes.MemberExpr):
            self._request(o.callee, given, o)
        if isinstance(o.callee, nodes.RefExpr) and isinstance(o.callee.node, nodes.TypeInfo):
            self.made.add(o.callee.node.fullname)

    def _member(self, o: nodes.MemberExpr) -> None:
        if o.node is not None:
            self._refer(o.node)
        self._request(o, frozenset(), None)
        for owner in instances(self.code.types.get(o.expr)):
            self._method(owner, o.name)

    def _method(self, owner: nodes.TypeInfo, name: str) -> None:
        if owner.fullname.startswith(PORTS + "."):
            self.port_methods.add((owner.fullname, name))
            return
        for known in self.code.heirs.get(owner.fullname, ()):
            named = (f"{base.fullname}.{name}" for base in known.mro)
            self.functions |= {*islice((one for one in named if one in self.code.functions), 1)}

    def _refer(self, node: nodes.SymbolNode | None) -> None:
        """Notes a function, a class, or a table of functions that the body names."""
        if isinstance(node, nodes.Decorator):
            node = node.func
        if isinstance(node, nodes.FuncDef | nodes.OverloadedFuncDef):
            self.functions.add(node.fullname)
        elif isinstance(node, nodes.TypeInfo):
            self.classes.add(node.fullname)
        elif isinstance(node, nodes.Var) and id(node) not in self.read:
            self.read.add(id(node))
            module, _, name = node.fullname.rpartition(".")
            for value in values_of(self.code.modules.get(module), name):
                self.read_all(value)

    def _request(self, o: nodes.MemberExpr, given: frozenset[str], call: Any) -> None:
        if self.service == "opensearch":
            self._search(o, call)
        elif self.service:
            name = o.name
            if name == "get_paginator" and call:
                name = call.args[0].value
            if name in operations(self.service):
                known = {one for one in self.requests if one[1] == name and one[2]}
                if given or not known:
                    self.requests.add((self.service, name, given))
                    self.requests.discard((self.service, name, frozenset()) if given else None)

    def _search(self, o: nodes.MemberExpr, call: Any) -> None:
        path = o.name
        if isinstance(o.expr, nodes.MemberExpr) and o.expr.name in {
            "cat",
            "indices",
            "cluster",
            "tasks",
        }:
            path = f"{o.expr.name}.{o.name}"
        if path == "perform_request":
            if call:
                self.requests.add(("opensearch", call.args[0].value.title(), frozenset()))
        elif is_client(o, path):
            if path not in OPENSEARCH:
                message = f"{self.module} uses {path}: name its HTTP method in tests/rights.py"
                raise AssertionError(message)
            self.requests.add(("opensearch", OPENSEARCH[path], frozenset()))


def is_client(o: nodes.MemberExpr, path: str) -> bool:
    """Tells whether an expression is a method of OpenSearch's client."""
    inner = o.expr.expr if "." in path and isinstance(o.expr, nodes.MemberExpr) else o.expr
    named = isinstance(inner, nodes.MemberExpr | nodes.NameExpr) and inner.name
    return named in {"_client", "client"} and o.name not in {
        "cat",
        "indices",
        "cluster",
        "tasks",
        "transport",
    }


def instances(given: types.Type | None) -> list[nodes.TypeInfo]:
    """Returns the classes that an expression's value may be of."""
    match types.get_proper_type(given):
        case types.Instance(type=info):
            return [info]
        case types.UnionType(items=items):
            return [one for item in items for one in instances(item)]
        case types.TypeType(item=item):
            return instances(item)
        case types.CallableType() as called if called.is_type_obj():
            return [called.type_object()]
        case types.TypeVarType(upper_bound=bound):
            return instances(bound)
    return []


def values_of(tree: nodes.MypyFile | None, name: str) -> Any:
    """Yields what a module assigns to a name."""
    for node in tree.defs if tree else ():
        if isinstance(node, nodes.AssignmentStmt):
            for target in node.lvalues:
                if isinstance(target, nodes.NameExpr) and target.name == name:
                    yield node.rvalue


# -- the calls of a function ---------------------------------------------------------------------


class Graph:
    """Follows calls from a function's handler."""

    def __init__(self) -> None:
        self.code = Code()
        self._uses: dict[str, Uses] = {}
        self.owners = dict(self._owners())

    def uses(self, function: str) -> Uses:
        if function not in self._uses:
            node = self.code.functions[function]
            reader = Reader(self.code, module_of(function, self.code))
            reader.read_all(node)
            self._uses[function] = reader.uses()
        return self._uses[function]

    def _owners(self) -> Any:
        """Yields each adapter that `Services` makes, with the setting that names its resource."""
        for name in self.code.functions:
            if name.startswith(SERVICES + "."):
                yield from settings_of(self.code.functions[name])

    def calls(self, verb: str) -> tuple[set[Call], set[str]]:
        """Returns the requests of a function, and the classes that it makes."""
        seen: set[tuple[str, str]] = set()
        classes: set[str] = set()
        methods: set[tuple[str, str]] = set()
        found: set[Call] = set()
        made: set[str] = set()
        waiting = [(name, "") for name in self._roots(verb)]
        while waiting or (waiting := self._through_ports(methods, classes, seen)):
            name, owner = waiting.pop()
            if (name, owner) in seen:
                continue
            seen.add((name, owner))
            if name not in self.code.functions:
                continue
            uses = self.uses(name)
            made |= uses.made
            found |= {Call(*one[:2], owner, one[2]) for one in uses.requests}
            if name in SIGNED:
                found.add(Call(*SIGNED[name], "", frozenset()))
            if name in KEYS:
                found.add(Call("ssm", "get_parameter", KEYS[name], frozenset()))
            waiting += [(one, self._owner(one, owner)) for one in uses.functions]
            classes |= uses.classes
            methods |= uses.port_methods
            for one in uses.classes:
                waiting += [
                    (f"{one}.{method}", self._owner(f"{one}.{method}", owner))
                    for method in ("__init__", "__post_init__", "__call__")
                ]
        return found, made

    def _through_ports(
        self, methods: set[tuple[str, str]], classes: set[str], seen: set[tuple[str, str]]
    ) -> list[tuple[str, str]]:
        """Returns the methods behind ports: of adapters that any code so far has named."""
        behind = (
            (self.code.method_of(one, method), self._owner(f"{one}.{method}", ""))
            for port, method in methods
            for one in classes
            if self.code.implements(one, port)
        )
        return [one for one in behind if one not in seen]

    def _roots(self, verb: str) -> list[str]:
        module = FACES.get(verb, f"function_{verb}")
        others = [one for one in FACES.values() if one.startswith(f"{module}.")]
        own = tuple(f"{one}." for one in (module, *ALSO.get(verb, ())))
        mine = [name for name in self.code.functions if name.startswith(own)]
        return [name for name in mine if not name.startswith(tuple(f"{one}." for one in others))]

    def _owner(self, function: str, before: str) -> str:
        known = function.rpartition(".")[0]
        if known.endswith("StepFunctionsWorkflow"):
            machines = {"ask": "ask_machine", "fill": "grid_machine"}
            return machines.get(function.rpartition(".")[2], "reindex_machine")
        if known.endswith("SqsDeliveries"):
            return "deliver_dead_letters" if function.endswith(".bury") else "deliver_queue"
        return self.owners.get(known, before)


def settings_of(node: nodes.Node) -> Any:
    """Yields the classes that a property of `Services` calls with a setting among the arguments."""

    for one in inside(node):
        if isinstance(one, nodes.CallExpr) and isinstance(one.callee, nodes.RefExpr):
            for given in one.args if isinstance(one.callee.node, nodes.TypeInfo) else ():
                inner = given.expr if isinstance(given, nodes.MemberExpr) else None
                if isinstance(inner, nodes.MemberExpr) and inner.name == "settings":
                    yield one.callee.node.fullname, given.name
                    break


def module_of(function: str, code: Code) -> str:
    name = function
    while name not in code.modules:
        name = name.rpartition(".")[0]
    return name
