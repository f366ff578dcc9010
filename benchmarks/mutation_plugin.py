"""Plugin of pytest: runs tests once, then again in a forked process for each mutant.

The first run tells which functions of the modules each test enters and how long it takes. A
mutant is judged by the quick tests that enter its function, the likeliest to fail first; what
these let pass may be judged again by slower ones, and by those of other files.
"""

import ast
import importlib
import inspect
import json
import os
import random
import resource
import signal
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import cosmic_ray.plugins
import joblib
import pytest
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code

SLOWEST = 0.4  # seconds of CPU after which a test is left out
LONGEST = 8.0  # and of all tests of a mutant
COMPILING = 60.0  # the same where kernels are compiled in the test
AGAIN = 2.5  # how many times as long both are when it is tried again
PATIENCE = 10.0  # how many times as long as usual a test may take, or PATIENCE / 10 seconds
MEMORY = 8 * 2**30
# comparisons by identity are no mistakes that anybody makes with numbers; without decorators
# kernels are what they are when nothing is compiled
LEFT_OUT = ("_Is", "_IsNot", "RemoveDecorator", "VariableReplacer", "VariableInserter")


class Watched:
    """Which functions of some files are entered."""

    def __init__(self, files):
        self._files = files
        self.entered = set()

    def __call__(self, frame, event, argument):
        if event == "call" and frame.f_code.co_filename in self._files:
            self.entered.add(f"{frame.f_code.co_filename}:{frame.f_code.co_firstlineno}")

    def __enter__(self):
        self.entered = set()
        threading.setprofile(self)
        sys.setprofile(self)
        return self

    def __exit__(self, *error):
        sys.setprofile(None)
        threading.setprofile(None)


class Mutation:
    """The plugin."""

    def __init__(self, options):
        self._options = options
        more = AGAIN if options["again"] else 1.0
        self._slowest, self._longest = more * SLOWEST, more * LONGEST
        self._failed = False
        self._kills = Counter()
        self._known = {}
        if Path(options["out"]).exists():
            entries = map(json.loads, Path(options["out"]).read_text().splitlines())
            self._known = {entry["id"]: entry["outcome"] for entry in entries}

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report):
        self._failed |= not report.passed

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        signal.signal(signal.SIGPROF, _stop)
        joblib.parallel_config("threading")  # forks would wait for their parent's workers
        modules = [importlib.import_module(name) for name in self._options["modules"]]
        mutants = [mutant for module in modules for mutant in self._drawn(module)]
        if not mutants:
            return True
        found = self._first_run(session.items, modules)
        by_name = {item.nodeid: item for item in session.items}
        items = [
            (by_name[name], seconds, entered)
            for name, seconds, entered in found
            if seconds > SLOWEST or not name.startswith(tuple(self._options["tried"]))
        ]
        items.sort(key=lambda test: test[1])
        print(f"\n{len(items)} of {len(by_name)} tests are quick and enter these modules")
        end = time.monotonic() + self._options["seconds"]
        for mutant in mutants:
            if time.monotonic() > end:
                break
            self._judge(mutant, items)
        session.testsfailed = 0
        return True

    def _first_run(self, items, modules):
        """Names, seconds and functions of the tests that pass in time.

        They pass in a forked process, whose code has been replaced by itself. Before, all are
        run in this process, so that kernels are compiled for those that are forked from it, and
        again without the time that takes.
        """
        if not os.environ.get("NUMBA_DISABLE_JIT"):
            for seconds in (COMPILING, self._slowest):
                pairs = zip(items, [*items[1:], None], strict=True)
                items = [
                    item for item, following in pairs if not self._run(item, following, seconds)
                ]

        def again():
            for module in modules:
                replace_code(module, Path(module.__file__).read_text())
            return self._tried(items, modules)

        found = _in_a_fork(again, seconds=1000)
        if found and found[0] in ("killed", "time"):
            raise RuntimeError(f"the tests cannot be run as they are: {found}")
        return found

    def _tried(self, items, modules):
        files = {module.__file__: module.__name__ for module in modules}
        found, watched = [], Watched(files)
        for item, following in zip(items, [*items[1:], None], strict=True):
            started = time.process_time()
            with watched:
                failed = self._run(item, following, self._slowest)
            if not failed and watched.entered:
                found.append((item.nodeid, time.process_time() - started, [*watched.entered]))
        return found

    def _run(self, item, following, seconds):
        """Whether a test fails, too long a time included."""
        self._failed = False
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        except pytest.skip.Exception:  # time was up between tests
            self._failed = True
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0.0)
        return self._failed

    def _drawn(self, module):
        """Mutants of a module: at most one at a place, in an order that the seed fixes."""
        source = Path(module.__file__).read_text()
        plain = _meaning(source)
        places = {}
        for name in cosmic_ray.plugins.operator_names():
            if name.endswith(LEFT_OUT) or "_Is_" in name or "_IsNot_" in name:
                continue
            operator = cosmic_ray.plugins.get_operator(name)()
            positions = (
                start
                for node in ast_nodes(get_ast(source))
                for start, _ in operator.mutation_positions(node)
            )
            for occurrence, start in enumerate(positions):
                places.setdefault(start, []).append((name, occurrence))
        rng = random.Random(f"{module.__name__} {self._options['seed']}")
        order = sorted(places)
        rng.shuffle(order)
        n_drawn = 0
        for start in order:
            if n_drawn == self._options["most"]:
                break
            name, occurrence = rng.choice(places[start])
            operator = cosmic_ray.plugins.get_operator(name)()
            mutated = mutate_code(source, operator, occurrence)
            if mutated is None or _meaning(mutated) in (plain, None):
                continue
            n_drawn += 1
            entry = _entry(module, name, occurrence, source, mutated)
            entry["places"] = len(places)
            outcome = self._known.get(entry["id"])
            if outcome == ("survived" if self._options["again"] else None):
                yield module, mutated, start[0], entry

    def _judge(self, mutant, items):
        module, mutated, line, entry = mutant
        chosen, total = [], 0.0
        function = _function_at(module.__file__, line)
        for item, seconds, entered in items:
            if function is None or f"{module.__file__}:{function}" in entered:
                total += seconds
                if total > self._longest and chosen:
                    break
                chosen.append((item, seconds))
        chosen.sort(key=lambda test: (-self._kills[test[0].nodeid], test[1]))
        started = time.monotonic()
        outcome, killer = _in_a_fork(
            lambda: self._fate(module, mutated, chosen), seconds=4.0 * self._longest
        )
        if outcome == "killed" and killer is not None:
            self._kills[killer] += 1
        entry |= {"outcome": outcome, "killer": killer, "tests": len(chosen)}
        entry["seconds"] = round(time.monotonic() - started, 2)
        with open(self._options["out"], "a") as file:
            file.write(json.dumps(entry) + "\n")

    def _fate(self, module, mutated, chosen):
        """What becomes of a mutant in this process, and by which test."""
        try:
            replace_code(module, mutated)
        except Exception:
            return "killed", None
        for place, (item, seconds) in enumerate(chosen, 1):
            next_item = chosen[place][0] if place < len(chosen) else None
            limit = PATIENCE * max(seconds, 0.1)
            started = time.process_time()
            if self._run(item, next_item, limit):
                is_late = time.process_time() - started >= limit
                return ("time" if is_late else "killed"), item.nodeid
        return "survived", None


def _stop(number, frame):
    if _is_compiling(frame):  # which an exception may leave in pieces
        signal.setitimer(signal.ITIMER_PROF, 0.05)
        return
    pytest.skip("takes too long")  # which hypothesis does not try again


def _is_compiling(frame):
    """Whether code is being compiled, or compiled code loaded."""
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith(("llvmlite.", "numba.")):
            return True
        frame = frame.f_back
    return False


def _in_a_fork(function, seconds):
    """What a function returns in a process of its own that has some seconds of CPU."""
    reading, writing = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.close(reading)
        silence = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silence, stream)
        seconds = int(seconds + time.process_time())
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(2 * seconds)  # who waits for what never comes uses no CPU
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        try:
            answer = function()
        except BaseException as error:
            answer = ("killed", f"{type(error).__name__}")
        os.write(writing, json.dumps(answer).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        answer = pipe.read()
    _, status = os.waitpid(child, 0)
    if answer:
        return json.loads(answer)
    ended = (signal.SIGXCPU, signal.SIGKILL, signal.SIGALRM)
    is_late = os.WIFSIGNALED(status) and os.WTERMSIG(status) in ended
    return ("time" if is_late else "killed"), None


def _meaning(source):
    """The code without annotations, which change nothing, as a string; None if it is none."""
    try:
        tree = ast.parse(source)
    except SyntaxError:  # the mark before options that are keywords is no product
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
    return ast.dump(tree)


def _function_at(path, line):
    """First line, decorators included, of the outermost function around a line."""
    for node in ast.walk(ast.parse(Path(path).read_text())):
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= node.end_lineno:
            return min([node.lineno, *(mark.lineno for mark in node.decorator_list)])
    return None


def _entry(module, operator, occurrence, source, mutated):
    before, after = source.splitlines(), mutated.splitlines()
    line = next(
        i for i, pair in enumerate(zip(before, after, strict=True)) if len({*pair}) == 2
    )
    return {
        "id": f"{module.__name__} {operator} {occurrence}",
        "module": module.__name__,
        "line": line + 1,
        "before": before[line].strip(),
        "after": after[line].strip(),
    }


# --- a module becomes its mutant -----------------------------------------------------------


def replace_code(module, source):
    """Let the functions and constants of a module be those of another source.

    Functions stay the same objects, with other code: whoever has imported them has the mutant.
    """
    namespace = {"__name__": module.__name__, "__file__": module.__file__}
    exec(compile(source, module.__file__, "exec"), namespace)
    for name, new in namespace.items():
        if name.startswith("__") and name.endswith("__"):
            continue
        old = vars(module).get(name)
        if _is_of(old, module):
            _replace(old, new)
        elif not inspect.ismodule(new) and not callable(new):
            for other in [other for other in sys.modules.values() if other is not None]:
                is_ours = getattr(other, "__name__", "").startswith("skvus")
                if is_ours and name in vars(other) and vars(other)[name] is old:
                    vars(other)[name] = new
    for other in list(sys.modules.values()):  # what the first run has computed
        if getattr(other, "__name__", "").startswith("skvus"):
            for value in list(vars(other).values()):
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def _is_of(thing, module):
    return callable(thing) and getattr(thing, "__module__", None) == module.__name__


def _replace(old, new):
    if inspect.isclass(old):
        for name, value in vars(new).items():
            if name in vars(old) and name not in ("__dict__", "__weakref__", "__doc__"):
                _replace_attribute(old, name, vars(old)[name], value)
        return
    while old is not None:
        if inspect.isfunction(old):
            old.__code__ = new.__code__
            old.__defaults__ = new.__defaults__
            old.__kwdefaults__ = new.__kwdefaults__
        old, new = getattr(old, "__wrapped__", None), getattr(new, "__wrapped__", None)


def _replace_attribute(owner, name, old, new):
    inner = next((part for part in ("fget", "__func__", "func") if hasattr(old, part)), None)
    if inner is not None:
        _replace(getattr(old, inner), getattr(new, inner))
    elif inspect.isfunction(old):
        _replace(old, new)
    elif not (name.startswith("__") and name.endswith("__")) and not hasattr(old, "__get__"):
        setattr(owner, name, new)


if "SKVUS_MUTANTS" in os.environ:

    def pytest_configure(config):
        """Register the plugin."""
        config.pluginmanager.register(Mutation(json.loads(os.environ["SKVUS_MUTANTS"])))
