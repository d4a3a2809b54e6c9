"""Commands declared as frozen classes: the docstring is the help, every field an option.

It is here because the commands are at both ends of the wire, which do not import each other. What a
command needs to run is imported when it runs. So ``--help`` is quick, and a command whose
extra is not installed still has its help.
"""

import inspect
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from pkgutil import resolve_name
from typing import (
    Annotated,
    Any,
    NamedTuple,
    TypeVar,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

import click
from click.core import ParameterSource
from click.types import OptionHelpExtra

Values = TypeVar("Values")

HELP = {"help_option_names": ["-h", "--help"]}  # the settings of every command
MOST = 1024
"""The help does not say that a number may not be greater than a greater one."""


class FiniteRange(click.FloatRange):
    """Numbers from a range, without the infinite ones and NaN, which no range keeps out."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Check that the number is finite."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a finite number.", param, ctx)
        return number


class Given(NamedTuple):
    """How a field is given on the command line, beside what its name and its type say already."""

    kind: type[click.Parameter]
    declarations: tuple[str, ...]
    settings: Mapping[str, Any]

    def parameter(self, field: str, annotation: Any) -> click.Parameter:
        """Return the parameter of a field, whose annotation says flag or repeatable.

        In ``Annotated`` are its click type, and what the help calls its value.
        """
        settings = dict(self.settings)
        for said in _annotated(annotation):
            settings.setdefault("metavar" if isinstance(said, str) else "type", said)
        repeatable = get_origin(annotation) is tuple
        if self.kind is click.Argument:
            return click.Argument([field], nargs=-1 if repeatable else 1, **settings)
        if annotation is bool:
            settings["is_flag"] = True
        elif repeatable:
            settings |= {"multiple": True, "help": f"{settings['help']}  [repeatable]"}
        elif settings.get("default") is not None:
            settings["show_default"] = True
        return _Option([field, *(self.declarations or [dashed(field)])], **settings)


class _Option(click.Option):
    """An option whose help says in words which numbers it takes, where that is not clear."""

    def get_help_extra(self, ctx: click.Context) -> OptionHelpExtra:
        extra = super().get_help_extra(ctx)
        numbers = self.type
        if extra.pop("range", None) and isinstance(numbers, click.IntRange | click.FloatRange):
            most = numbers.max
            extra |= {} if most is None or most > MOST else {"range": f"{numbers.min} to {most}"}
        return extra


def _annotated(annotation: Any) -> Iterator[Any]:
    if get_origin(annotation) is Annotated:
        yield from annotation.__metadata__
    for part in get_args(annotation):
        yield from _annotated(part)


def option(help: str, *declarations: str, **settings: Any) -> Any:  # noqa: A002  # as click has it
    """Declare the option of a field, named after it unless there are ``declarations``."""
    return field(metadata={Given: Given(click.Option, declarations, {"help": help, **settings})})


def argument(**settings: Any) -> Any:
    """Declare that a field is an argument."""
    return field(metadata={Given: Given(click.Argument, (), settings)})


def dashed(field: str) -> str:
    """Return the option of a field.

    >>> dashed("file_size")
    '--file-size'
    """
    return f"--{field.replace('_', '-')}"


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(option, argument))
def option_group(group: type[Values]) -> type[Values]:
    """Make a class the values of its options: a frozen dataclass."""
    return dataclass(frozen=True, slots=True, kw_only=True)(group)


def parameters(group: type) -> Iterator[click.Parameter]:
    """Yield the parameters of a group's fields; a field that is a group has its own."""
    annotations = get_type_hints(group, include_extras=True)
    for each in fields(group):
        annotation = annotations[each.name]
        if is_dataclass(annotation):
            yield from parameters(cast(type, annotation))
        else:
            yield each.metadata[Given].parameter(each.name, annotation)


def made(group: type[Values], given: Mapping[str, Any]) -> Values:
    """Return the values of a group that were given on the command line."""
    return group(
        **{
            name: made(cast(type, annotation), given) if is_dataclass(annotation) else given[name]
            for name, annotation in get_type_hints(group).items()
        }
    )


class DeclaredCommand(click.Command):
    """A command whose options are the fields of a group."""

    def __init__(
        self,
        name: str,
        group: type,
        run: str,
        *,
        verify: Callable[[], None] = lambda: None,
        interspersed: bool = True,
    ) -> None:
        """``run`` is a module beside the group's, and the function that is called with the values.

        ``verify`` is called before the module is imported. Unless options are ``interspersed``,
        what follows the first argument is no option.
        """
        text = inspect.cleandoc(group.__doc__ or "")
        super().__init__(
            name,
            {**HELP, "allow_interspersed_args": interspersed},
            params=[*parameters(group)],
            help=text,
            short_help=text.partition("\n")[0],
        )
        self.group = group
        self._run = run
        self._verify = verify

    @property
    def run(self) -> Callable[[Any], None]:
        """The function, which is imported."""
        found: Callable[[Any], None] = resolve_name(
            f"{self.group.__module__.rpartition('.')[0]}.{self._run}"
        )
        return found

    def invoke(self, ctx: click.Context) -> None:
        """Run the command."""
        self._verify()
        self.run(made(self.group, ctx.params))


def on_command_line() -> list[str]:
    """Return the fields whose options are on the command line that runs."""
    context = click.get_current_context()
    return [
        each.name
        for each in context.command.params
        if isinstance(each, click.Option)
        and each.name is not None
        and context.get_parameter_source(each.name) is ParameterSource.COMMANDLINE
    ]
