"""The stubs state what the compiled module has, and everything is documented."""

import ast
import inspect
from importlib import metadata
from pathlib import Path

import broadphase
from broadphase import _broadphase

FOLDER = Path(broadphase.__file__).parent


def parameters(item):
    """The names of the parameters of a stub, or of what it stands for."""
    if not isinstance(item, ast.FunctionDef):
        signature = getattr(item, "__text_signature__", None) or "()"
        item = ast.parse(f"def function{signature.replace('$', '')}: ...").body[0]
    names = [argument.arg for argument in item.args.posonlyargs + item.args.args + item.args.kwonlyargs]
    return [name for name in names if name not in ("self", "cls")]


def test_stubs_have_the_names_and_parameters_of_the_module():
    stated, compiled = {}, {}
    for node in ast.parse((FOLDER / "_broadphase.pyi").read_text()).body:
        if isinstance(node, ast.FunctionDef):
            stated[node.name] = parameters(node)
        elif isinstance(node, ast.ClassDef):
            stated.update({f"{node.name}.{method.name}": parameters(method) for method in node.body})
    for name, item in vars(_broadphase).items():
        if inspect.isclass(item):
            compiled.update({f"{name}.{n}": parameters(m) for n, m in vars(item).items() if n[0] != "_"})
            # Python 3.9 does not know the parameters of classes.
            new = parameters(item) if item.__text_signature__ else stated.get(f"{name}.__new__")
            compiled.update({f"{name}.__new__": new} if new is not None else {})
        elif not name.startswith("_"):
            compiled[name] = parameters(item)
    assert stated == compiled and "BroadPhase.pairs" in stated


def test_functions_in_python_are_annotated():
    functions = [item for item in vars(broadphase).values() if inspect.isfunction(item)]
    assert broadphase.join in functions and broadphase.read_trace in functions
    for function in functions:
        assert set(inspect.signature(function).parameters) | {"return"} == set(function.__annotations__), function


def test_package_has_its_licences():
    files = {file.name: file.read_text() for file in metadata.files("broadphase") if "licenses" in file.parts}
    assert set(files) == {"LICENSE-APACHE", "LICENSE-MIT"}
    assert "Apache License" in files["LICENSE-APACHE"] and "Permission is hereby granted" in files["LICENSE-MIT"]


def test_everything_public_is_documented():
    assert (FOLDER / "py.typed").exists()
    for name in broadphase.__all__:
        item = getattr(broadphase, name)
        members = vars(item).items() if inspect.isclass(item) else []
        undocumented = [member for member, value in members if member[0] != "_" and not value.__doc__]
        assert item.__doc__ and not undocumented, (name, undocumented)


def test_list_of_algorithms_describes_each_with_its_parameters():
    listed = broadphase.algorithms()
    assert listed[0].id == "brute-force" and listed[-1].id == "auto" and len(listed) > 20
    assert all(a.name and a.summary and a.name != a.id for a in listed)
    parameters = {a.id: a.parameters for a in listed}
    assert parameters["bsp"].keys() == {"depth"} and parameters["auto"] == {}
    cell_side = parameters["grid-hashed"]["cell_side"]
    assert cell_side == "a number from 0.5 to 32, by default 4: Side of a cell, in sides of most objects"
