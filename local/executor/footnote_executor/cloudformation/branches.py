"""Reads what a condition chooses for the side of an update that has it, and for no other.

An update compares a template before and after it. Where the two take different branches of an
`Fn::If` (a parameter changed, or a list gained one before others), or only one of them has a
resource or an output, stock LocalStack reads it for both. What the other side has left out of the
stack then ends the update: "Unresolved resource dependencies", or "Undefined variable name in
Fn::Sub". CloudFormation reads what a condition chooses, and no more.

Conditions compare parameters with numbers. Stock has a `Number` as a text before the update, and
on both sides where it describes a change set; then "0" is not 0, and resources seem to be there
that are not. CloudFormation compares texts.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from localstack.runtime import hooks

from footnote_executor.patching import original_of

SIDE = "_side_that_is_read"
"""Of a preprocessor: "before" or "after" while it reads for that alone, None for both."""
SIDES = ("before", "after")


@contextmanager
def reading(preprocessor: Any, side: str | None) -> Iterator[None]:
    outer = getattr(preprocessor, SIDE, None)
    setattr(preprocessor, SIDE, side)
    try:
        yield
    finally:
        setattr(preprocessor, SIDE, outer)


@hooks.on_infra_start()
def install_branches() -> None:
    from localstack.services.cloudformation.engine.v2 import (  # noqa: PLC0415
        change_set_model_preproc as module,
    )

    owner = module.ChangeSetModelPreproc
    visit = original_of(owner, "visit", "8277fffe3543")
    visit_if = original_of(owner, "visit_node_intrinsic_function_fn_if", "da07f22a02a9")
    visit_resource = original_of(owner, "visit_node_resource", "6dd4ef95492e")
    visit_output = original_of(owner, "visit_node_output", "fd75a2bcb4c0")
    original_of(owner, "visit_node_intrinsic_function_fn_equals", "bb331a2dcbdd")
    resolve = original_of(owner, "_resolve_attribute", "807a84fbcb4a")
    condition_of = original_of(owner, "_resolve_resource_condition_reference", "9a2433901ffe")
    owner.visit = one_side(visit)
    owner.visit_node_intrinsic_function_fn_if = branch_of_each_side(visit_if)
    owner.visit_node_resource = side_that_has_it(visit_resource)
    owner.visit_node_output = side_that_has_it(visit_output)
    owner.visit_node_intrinsic_function_fn_equals = visit_equals
    owner._resolve_attribute = both_sides(resolve)  # noqa: SLF001
    owner._resolve_resource_condition_reference = both_sides(condition_of)  # noqa: SLF001


def one_side(stock: Any) -> Any:
    """Visits a node, and leaves out the side that is not read: nothing is worked out of it."""
    from localstack.services.cloudformation.engine.v2 import (  # noqa: PLC0415
        change_set_model as models,
    )
    from localstack.services.cloudformation.engine.v2.change_set_model_preproc import (  # noqa: PLC0415
        PreprocEntityDelta,
    )

    kinds = (models.NodeCondition, models.NodeMapping, models.NodeParameter, models.NodeResource)
    whole = both_sides(stock)

    def visit(self: Any, change_set_entity: Any) -> Any:
        if isinstance(change_set_entity, kinds):  # others may refer to it
            return whole(self, change_set_entity)
        delta, side = stock(self, change_set_entity), getattr(self, SIDE, None)
        if side is None or not isinstance(delta, PreprocEntityDelta):
            return delta
        return PreprocEntityDelta(**{side: getattr(delta, side)})

    return visit


def both_sides(stock: Any) -> Any:
    def read(self: Any, *given: Any, **named: Any) -> Any:
        with reading(self, None):
            return stock(self, *given, **named)

    return read


def side_that_has_it(stock: Any) -> Any:
    """Visits a resource or an output for the side on which its condition is true, or for both."""

    def visit(self: Any, *given: Any, **named: Any) -> Any:
        [node] = (*given, *named.values())
        if not node.condition_reference:
            return stock(self, node)
        found = self._resolve_resource_condition_reference(node.condition_reference)
        having = [side for side in SIDES if getattr(found, side) is not False]
        with reading(self, having[0] if len(having) == 1 else None):
            return stock(self, node)

    return visit


def branch_of_each_side(stock: Any) -> Any:
    """Visits of an Fn::If the branch that each side takes."""
    from localstack.services.cloudformation.engine.v2.change_set_model_preproc import (  # noqa: PLC0415
        PreprocEntityDelta,
        is_nothing,
    )

    def visit(self: Any, node_intrinsic_function: Any) -> Any:
        condition, *branches = node_intrinsic_function.arguments.array
        named, taken = self.visit(condition), {}
        for side in SIDES:
            found = self._get_node_condition_if_exists(getattr(named, side))
            if is_nothing(found):  # made or deleted, or no such condition: as stock says
                return stock(self, node_intrinsic_function)
            taken[side] = branches[0 if getattr(self.visit(found), side) else 1]
        if taken["before"] is taken["after"]:
            return stock(self, node_intrinsic_function)
        delta = PreprocEntityDelta()
        for side, branch in taken.items():
            with reading(self, side):
                setattr(delta, side, getattr(self.visit(branch), side))
        return delta

    return visit


def visit_equals(self: Any, node_intrinsic_function: Any) -> Any:
    return self._cached_apply(
        scope=node_intrinsic_function.scope,
        arguments_delta=self.visit(node_intrinsic_function.arguments),
        resolver=lambda two: str(two[0]) == str(two[1]),
    )
