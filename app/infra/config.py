"""Settings, read once at start and cross-checked: the only place that looks at the environment.

Variables begin with ``REBELOTE_``; nested ones use two underscores
(``REBELOTE_TIMING__FAST_TURN=5000``). Tests build the records directly with tiny numbers. A wrong
setting stops the start with a sentence; it is never repaired in silence.
"""

import hashlib
import os
import re
import secrets
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, PositiveInt, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

PREFIX = "REBELOTE_"
TESTS_OWN = frozenset({"REBELOTE_FULL", "REBELOTE_WRITE"})
"""Variables that the tests read, not the server."""
_PUBLIC = re.compile(r"https?://([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?")

CHECKOUT = Path(__file__).resolve().parents[2]
"""The folder that holds ``app``, ``migrations`` and ``static``."""

FIRST_PORT = 8000
LAST_PORT = 8019
"""Where ``play`` looks for a free port when none was asked for."""

DAY = 24 * 3600 * 1000


class Timing(BaseModel):
    """Every duration of the house, **in milliseconds**, in one record so that tests run fast.

    The numbers come from the pages *Absence*, *Store*, *Socket and hub* of the architecture.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    # A turn's clock, by the table's speed. Relaxed shows no clock but has this limit.
    fast_turn: PositiveInt = 10_000
    normal_turn: PositiveInt = 20_000
    relaxed_turn: PositiveInt = 180_000
    # A bot's pace, drawn between the two; a forced card too, so that speed tells nothing.
    bot_min: NonNegativeInt = 500
    bot_max: NonNegativeInt = 900
    # Time that the screen needs, added to the first turn after it.
    trick_pause: NonNegativeInt = 1_300
    deal_pause: NonNegativeInt = 1_800
    # Between two deals (or until everybody pressed Continue), and after a passed-out deal.
    next_deal: NonNegativeInt = 8_000
    passed_out_pause: NonNegativeInt = 2_500
    # Bots take the seats that are left when no person came within this time after Play now.
    fill: NonNegativeInt = 5_000
    # Who looks for a game: how often the matchmaker looks, how long one may choose to wait for
    # people, and how long a ticket outlives the process that kept it.
    queue_tick: PositiveInt = 250
    queue_longest: PositiveInt = 120_000
    ticket_life: PositiveInt = 6_000
    # The lobby's list: the least time between two frames, the look for what other processes did,
    # and how long a table is listed that nobody is connected to.
    lobby_tick: PositiveInt = 500
    lobby_poll: PositiveInt = 3_000
    lobby_unattended: PositiveInt = 30_000
    # A party that nobody has joined or left for so long is over.
    party_life: PositiveInt = DAY
    # How long people have to say that they are ready (0: nobody is asked, the host's word is
    # enough), and to answer the offer of a rematch.
    ready_check: NonNegativeInt = 20_000
    rematch: PositiveInt = 30_000
    # Pauses from rated play, by how many of a player's newest rated matches were left or missed:
    # the first is free, the last holds for all that come after it.
    rated_pauses: tuple[NonNegativeInt, ...] = (0, 600_000, 3_600_000, 6 * 3_600_000, DAY)
    # Absence: away at one's turn → a bot sits in; last connection gone → the table pauses; then the
    # match is abandoned where several people play, or waits where one person plays with bots.
    away: PositiveInt = 60_000
    pause_grace: NonNegativeInt = 5_000
    abandon: PositiveInt = 600_000
    alone_keep: PositiveInt = 7 * DAY
    # A waiting table without people goes.
    idle_table: PositiveInt = 600_000
    # Deadlines (D9): the sweeper's rhythm, how late it steps in, its jitter; the heads' poll (D8).
    sweep: PositiveInt = 2_000
    sweep_late: NonNegativeInt = 2_000
    sweep_jitter: NonNegativeInt = 500
    head_poll: PositiveInt = 3_000
    # Outage: the heartbeat's rhythm, the gap that counts as one, the bonus all deadlines get, and
    # how old a process's own last beat may be when it commits an expiry.
    heartbeat: PositiveInt = 5_000
    outage_gap: PositiveInt = 15_000
    outage_bonus: NonNegativeInt = 20_000
    expiry_beat_max: PositiveInt = 10_000
    # A command, or a search that begins, that is not done by then is answered `unavailable`.
    answer: PositiveInt = 8_000
    # Sockets.
    hello: PositiveInt = 5_000
    silent: PositiveInt = 30_000
    session_recheck: PositiveInt = 60_000
    send: PositiveInt = 5_000
    slow_close: PositiveInt = 1_000

    @model_validator(mode="after")
    def _agree(self) -> Self:
        if self.bot_min > self.bot_max:
            raise ValueError("timing.bot_min is longer than timing.bot_max")
        if self.heartbeat >= self.expiry_beat_max:
            raise ValueError("timing.expiry_beat_max must be longer than timing.heartbeat")
        if self.expiry_beat_max >= self.outage_gap:
            raise ValueError("timing.outage_gap must be longer than timing.expiry_beat_max")
        return self


class Limits(BaseModel):
    """Every bound of the house; each has a metric where it can be hit."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    # A socket: frames and bytes waiting to be sent; a frame; commands and other messages; how many
    # sockets a player may have; the longest gap answered with events instead of a snapshot.
    outbox_messages: PositiveInt = 64
    outbox_bytes: PositiveInt = 262_144
    frame_bytes: PositiveInt = 4_096
    messages_per_window: PositiveInt = 40
    window_ms: PositiveInt = 10_000
    sockets_per_player: PositiveInt = 5
    resume_gap: PositiveInt = 64
    # People who watch a table without a seat, by process.
    onlookers_per_table: PositiveInt = 100
    # Loading tables from the log.
    loads_at_once: PositiveInt = 4
    event_page: PositiveInt = 500
    # The group committer: the batches that one statement may carry, and those that may wait.
    group_batches: PositiveInt = 200
    waiting_batches: PositiveInt = 4_000
    # Transactions that bring rows along (match starts and ends, seats) under way at once. Few, for
    # they go before the moves of all others; with two a wave of match ends waited for seconds.
    row_transactions: PositiveInt = 4
    # Sockets and commands, by player (all its sockets together) and by address; windows as above.
    sockets_per_address: PositiveInt = 200
    handshakes_per_address_per_minute: PositiveInt = 120
    commands_per_player: PositiveInt = 60
    commands_per_address: PositiveInt = 1_000
    # REST, by address and by player.
    guests_per_address_per_hour: PositiveInt = 60
    requests_per_minute: PositiveInt = 600
    requests_per_player_per_minute: PositiveInt = 300
    tables_per_player_per_hour: PositiveInt = 30
    tables_per_address_per_hour: PositiveInt = 200
    searches_per_player_per_minute: PositiveInt = 30
    questions_per_address_per_minute: PositiveInt = 120
    body_bytes: PositiveInt = 65_536
    # Codes that do not exist: so many may be tried, then only public tables and one's own are told.
    code_misses_per_player: PositiveInt = 15
    code_misses_per_address: PositiveInt = 40
    code_misses_window_ms: PositiveInt = 600_000
    # The lobby's list over the socket.
    lobby_rows: PositiveInt = 100
    # Database connections of a process: the ORM's pool, and the committer's.
    pool_size: PositiveInt = 10
    committer_connections: PositiveInt = 2


def checkout_hash(checkout: Path = CHECKOUT) -> str:
    """Eight hex digits that tell one checkout from another."""
    return hashlib.sha256(str(checkout).encode()).hexdigest()[:8]


class Settings(BaseSettings):
    """What a process is told. Read it once (`Settings()`), then pass it down."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter="__",
        env_ignore_empty=True,  # `NAME=` in a file of variables means: not set
        frozen=True,
        extra="forbid",
    )

    database_url: str | None = None
    """Another Postgres (16 or later); without it the embedded one in `data_dir` is used (D15)."""
    data_dir: Path | None = None
    """None is `./data` of the checkout, which may move when its account can't reach it."""
    host: str = Field(default="127.0.0.1", min_length=1)
    """An empty one would mean every network there is."""
    port: int = Field(default=FIRST_PORT, ge=0, le=65_535)
    public_url: str | None = None
    """How people reach this server; used in links. None: derived from host and port."""
    cookie_name: str = Field(
        default_factory=lambda: f"rebelote_{checkout_hash()}", pattern=r"^[A-Za-z0-9_]{1,64}$"
    )
    """Cookies ignore ports: a second checkout on one machine needs a name of its own."""
    secure_cookies: bool | None = None
    """None: secure when `public_url` is https."""
    trusted_proxies: str = ""
    """Addresses, comma-separated, whose X-Forwarded-For and -Proto are believed; `*` for all."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["console", "json"] = "console"
    instance: str = Field(default_factory=lambda: secrets.token_hex(8))
    """Tells this process from any other; `/api/health` answers it."""
    timing: Timing = Timing()
    limits: Limits = Limits()

    @model_validator(mode="after")
    def _agree(self) -> Self:
        if self.public_url is not None:
            if not self.public_url.startswith(("http://", "https://")):
                raise ValueError("public_url must begin with http:// or https://")
            if self.public_url.endswith("/"):
                raise ValueError("public_url must not end with a slash")
            if not _PUBLIC.fullmatch(self.public_url):
                raise ValueError("public_url is a scheme, a host and perhaps a port, no more")
        if self.secure_cookies and (self.public_url or "").startswith("http://"):
            raise ValueError("secure_cookies needs an https public_url: browsers would drop them")
        if self.database_url is not None and not self.database_url.startswith(
            ("postgres://", "postgresql://", "postgresql+asyncpg://")
        ):
            raise ValueError("database_url must begin with postgresql:// (D15: one dialect)")
        return self

    @property
    def cookies_are_secure(self) -> bool:
        """Whether cookies carry `Secure`."""
        if self.secure_cookies is not None:
            return self.secure_cookies
        return (self.public_url or "").startswith("https://")

    @property
    def base_url(self) -> str:
        """The address for links, without a slash at its end."""
        if self.public_url is not None:
            return self.public_url
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"


def unknown_variables() -> list[str]:
    """Variables with our prefix that are no setting: a slip of the pen would change nothing and
    say nothing."""
    return sorted(
        name
        for name in os.environ
        if name.startswith(PREFIX)
        and name not in TESTS_OWN
        and name[len(PREFIX) :].lower().partition("__")[0] not in Settings.model_fields
    )
