"""The stubs state what the compiled module has, and everything is documented."""

import ast
import inspect
from pathlib import Path

import broadphase
from broadphase import _broadphase

FOLDER = Path(broadphase.__file__).parent


def parameters(item):
    if isinstance(item, ast.FunctionDef):
        names = [argument.arg for argument in item.args.args + item.args.kwonlyargs]
    else:
        names = list(inspect.signature(item).parameters) if callable(item) else []
    return [name for name in names if name not in ("self", "cls", "parameters")]


def test_stubs_have_the_names_and_parameters_of_the_module():
    stated, compiled = {}, {}
    for node in ast.parse((FOLDER / "_broadphase.pyi").read_text()).body:
        for member in getattr(node, "body", []) if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(member, ast.FunctionDef):
                name = node.name if member in (node,) or member.name == "__new__" else f"{node.name}.{member.name}"
                stated[name] = parameters(member)
    for name, item in vars(_broadphase).items():
        if not name.startswith("_"):
            if name != "Algorithm":
                compiled[name] = parameters(item)
            methods = vars(item) if inspect.isclass(item) else {}
            compiled.update({f"{name}.{n}": parameters(m) for n, m in methods.items() if n[0] != "_"})
    assert stated == compiled and len(stated) > 10


def test_everything_public_is_documented():
    assert (FOLDER / "py.typed").exists()
    for name in broadphase.__all__:
        item = getattr(broadphase, name)
        members = vars(item).items() if inspect.isclass(item) else []
        undocumented = [member for member, value in members if member[0] != "_" and not value.__doc__]
        assert item.__doc__ and not undocumented, (name, undocumented)


def test_list_of_algorithms_has_ids_names_and_summaries():
    listed = broadphase.algorithms()
    assert listed[0].id == "brute-force" and listed[-1].id == "auto" and len(listed) > 20
    assert all(a.name and a.summary and a.name != a.id for a in listed)
