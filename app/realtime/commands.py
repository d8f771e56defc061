"""What a person may command at a table, as the wire carries it: the part `c` of a `cmd` frame."""

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

CardName = Annotated[str, Field(pattern=r"^[789TJQKA][SHDC]$")]
TrumpName = Literal["S", "H", "D", "C", "NT", "AT"]
Declarations = Annotated[
    tuple[Annotated[tuple[CardName, ...], Field(min_length=3, max_length=8)], ...],
    Field(max_length=6),
]
"""Each as its cards; no hand holds more than a few."""


class Frame(BaseModel):
    """What comes in: nothing but what is named."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class PassCommand(Frame):
    """`{"type":"pass"}`"""

    type: Literal["pass"]


class TakeCommand(Frame):
    """`{"type":"take"}`: the turned-up card and its suit as trump."""

    type: Literal["take"]


class NameCommand(Frame):
    """`{"type":"name","trump":"H"}`"""

    type: Literal["name"]
    trump: TrumpName


class BidCommand(Frame):
    """`{"type":"bid","value":90,"trump":"H"}`, `"value":"capot"`, or no value: a contract."""

    type: Literal["bid"]
    trump: TrumpName
    value: Annotated[int, Field(ge=1, le=1000)] | Literal["capot"] | None = None


class DoubleCommand(Frame):
    """`{"type":"double"}`: in turn, or answering an `also` of the turn."""

    type: Literal["double"]


class RedoubleCommand(Frame):
    """`{"type":"redouble"}`"""

    type: Literal["redouble"]


class ThirdCommand(Frame):
    """`{"type":"third"}`: after a redouble, for the match."""

    type: Literal["third"]


class AnnulCommand(Frame):
    """`{"type":"annul"}`: the dealer throws the deal in."""

    type: Literal["annul"]


class DeclareCommand(Frame):
    """`{"type":"declare","declarations":[["9H","TH","JH"]]}` before the lead; null: all."""

    type: Literal["declare"]
    declarations: Declarations | None = None


class PlayCommand(Frame):
    """`{"type":"play","card":"AH","declare":[["9H","TH","JH"]],"belote":false}`; what is left out
    or null is said: every declaration with the first card, belote with its card."""

    type: Literal["play"]
    card: CardName
    declare: Declarations | None = None
    belote: bool | None = None


class ContinueCommand(Frame):
    """`{"type":"continue"}` at the score sheet."""

    type: Literal["continue"]


class ReclaimCommand(Frame):
    """`{"type":"reclaim"}`: take one's seat back from the bot; needs no decision."""

    type: Literal["reclaim"]


class ReadyCommand(Frame):
    """`{"type":"ready","yes":true}` where everybody is asked before a match starts."""

    type: Literal["ready"]
    yes: bool = True


class RematchCommand(Frame):
    """`{"type":"rematch","yes":true}`: offers one (no decision), or answers the offer."""

    type: Literal["rematch"]
    yes: bool = True


class ResignCommand(Frame):
    """`{"type":"resign","yes":true}`: offers to resign (no decision), or answers the partner."""

    type: Literal["resign"]
    yes: bool = True


class ClaimCommand(Frame):
    """`{"type":"claim"}`: on lead, the rest of the tricks are mine whatever the others hold."""

    type: Literal["claim"]


WireCommand = Annotated[
    PassCommand
    | TakeCommand
    | NameCommand
    | BidCommand
    | DoubleCommand
    | RedoubleCommand
    | ThirdCommand
    | AnnulCommand
    | DeclareCommand
    | PlayCommand
    | ContinueCommand
    | ReclaimCommand
    | ReadyCommand
    | RematchCommand
    | ResignCommand
    | ClaimCommand,
    Field(discriminator="type"),
]

COMMANDS: Final = (
    "pass", "take", "name", "bid", "double", "redouble", "third", "annul", "declare", "play",
    "continue", "reclaim", "ready", "rematch", "resign", "claim",
)  # fmt: skip
