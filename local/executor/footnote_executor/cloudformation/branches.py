"""Reads a branch of Fn::If for the side of an update that takes it, and for no other.

An update compares a template before and after it. Where the two take different branches (a
parameter changed, or a list gained an `Fn::If` before others), stock LocalStack reads each branch
for both sides. What the other side has left out of the stack then ends the update with
"Unresolved resource dependencies". CloudFormation reads what a condition chooses, and no more.
"""

from typing import Any

from localstack.runtime import hooks

from footnote_executor.patching import original_of

SIDE = "_side_that_is_read"
"""Of a preprocessor: "before" or "after", while it reads a branch for that alone."""


@hooks.on_infra_start()
def install_branches() -> None:
    from localstack.services.cloudformation.engine.v2 import (  # noqa: PLC0415
        change_set_model_preproc as module,
    )

    owner = module.ChangeSetModelPreproc
    read_both = original_of(owner, "visit_node_intrinsic_function_fn_if", "da07f22a02a9")
    resolve = original_of(owner, "_resolve_attribute", "807a84fbcb4a")

    def read_if(self: Any, node: Any) -> Any:
        condition, *branches = node.arguments.array
        named, taken = self.visit(condition), {}
        for side in ("before", "after"):
            found = self._get_node_condition_if_exists(getattr(named, side))
            if module.is_nothing(found):  # made or deleted, or no such condition: as stock says
                return read_both(self, node)
            taken[side] = branches[0 if getattr(self.visit(found), side) else 1]
        if taken["before"] is taken["after"]:
            return read_both(self, node)
        delta, outer = module.PreprocEntityDelta(), getattr(self, SIDE, None)
        for side, branch in taken.items():
            setattr(self, SIDE, side)
            try:
                setattr(delta, side, getattr(self.visit(branch), side))
            finally:
                setattr(self, SIDE, outer)
        return delta

    def resolve_attribute(self: Any, arguments: Any, select_before: bool) -> Any:  # noqa: FBT001
        try:
            return resolve(self, arguments=arguments, select_before=select_before)
        except module.ValidationError:
            if getattr(self, SIDE, None) in (None, "before" if select_before else "after"):
                raise
            return module.Nothing

    owner.visit_node_intrinsic_function_fn_if = read_if
    owner._resolve_attribute = resolve_attribute  # noqa: SLF001
