"""What a person would not pay for: errors in the console, jumps, raw keys, things cut off."""

import json
import re
from typing import Any, Final

from playwright.async_api import ConsoleMessage, Page, Request, Response

from app.infra.config import CHECKOUT

TEXTS: Final = """() => {
  const out = [document.title];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const parent = walk.currentNode.parentElement;
    if (parent.closest("script, style, svg")) continue;
    const text = walk.currentNode.nodeValue.trim();
    if (text) out.push(text);
  }
  for (const name of ["aria-label", "title", "placeholder", "alt"])
    for (const one of document.querySelectorAll(`[${name}]`)) out.push(one.getAttribute(name));
  return out;
}"""
# Runs in every document before its own scripts. Shifts that answer a press are expected: those
# `hadRecentInput`, for half a second, and those of what was sent, however late its answer comes.
SPY: Final = """
(() => {
  window.seen = { refused: [], shifts: [] };
  let since = 0;  // what has moved before is forgotten, though it be told later
  const frame = () => new Promise((then) => requestAnimationFrame(then));
  window.forgetShifts = async () => {
    await frame(); // what is about to move
    await frame(); // has been painted
    since = performance.now();
    window.seen.shifts = [];
  };
  const sent = [];
  const plainFetch = window.fetch;
  window.fetch = async (what, how) => {
    if ((how?.method ?? "GET") === "GET") return plainFetch(what, how);
    const one = { begin: performance.now(), end: Infinity };
    sent.push(one);
    try {
      return await plainFetch(what, how);
    } finally {
      one.end = performance.now();
    }
  };
  const answers = (at) => sent.some(({ begin, end }) => at >= begin && at <= end + 500);
  document.addEventListener("securitypolicyviolation", (e) =>
    window.seen.refused.push(`${e.violatedDirective} ${e.blockedURI} ${e.sourceFile}`));
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const at = entry.startTime;
      if (at <= since || entry.hadRecentInput || answers(at)) continue;
      const who = entry.sources.map((s) => s.node && (s.node.className || s.node.nodeName));
      window.seen.shifts.push([entry.value, at, who.join(" ")]);
    }
  }).observe({ type: "layout-shift", buffered: true });
})();
"""
RAW_KEY: Final = re.compile(r"\b[a-z][a-z_]+(?:\.[a-z0-9_]+)+\b|\{\w+\}")
GOOD_SHIFT: Final = 0.1
"""Cumulative layout shift that browsers' makers call good."""


def catalogue(language: str) -> dict[str, Any]:
    """A language's texts by key."""
    path = CHECKOUT / "static" / "i18n" / f"{language}.json"
    texts: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return texts


class Watch:
    """Listens to a page from its first moment; `problems` is what it has to say."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.problems: list[str] = []
        self.expected: list[str] = []
        """Parts of console lines that the test itself provoked (an address that is down)."""
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("response", self._response)
        page.on("requestfailed", self._failed)

    async def install(self) -> None:
        """Before the first address is opened."""
        await self.page.add_init_script(SPY)

    def _note(self, text: str) -> None:
        if not any(part in text for part in self.expected):
            self.problems.append(text)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._note(f"console: {message.text} ({message.location.get('url', '')})")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self._note(f"{response.status}: {response.request.method} {response.url}")

    def _failed(self, request: Request) -> None:
        if "ERR_ABORTED" not in (request.failure or ""):  # the page went on: that is no failure
            self._note(f"failed: {request.url} {request.failure}")

    async def look(self) -> None:
        """Read the screen as it is now: texts, and whether it fits."""
        texts: list[str] = await self.page.evaluate(TEXTS)
        for text in texts:
            if (found := RAW_KEY.search(text)) is not None:
                self.problems.append(f"raw text {found[0]!r} in {text!r}")
        wide = await self.page.evaluate(
            "() => [document.documentElement.scrollWidth, window.innerWidth]"
        )
        if wide[0] > wide[1]:
            self.problems.append(f"{self.page.url} is {wide[0]} wide in a window of {wide[1]}")
        await self.collect()

    async def collect(self, *, jumps: bool = True) -> None:
        """What the document noted of itself; before it is left.

        Without `jumps`, what moved is forgotten: nobody watches a match at a program's speed.
        """
        if not jumps:
            await self.page.evaluate("() => window.forgetShifts?.()")
        seen = await self.page.evaluate(
            "() => { const s = window.seen; window.seen = {refused: [], shifts: []}; return s; }"
        ) or {"refused": [], "shifts": []}  # a window that was never opened
        self.problems += [f"refused by the CSP: {one}" for one in seen["refused"]]
        if not jumps:
            return
        worst = _worst_window([(at, value, who) for value, at, who in seen["shifts"]])
        if worst[0] > GOOD_SHIFT:
            self.problems.append(f"{self.page.url} jumps by {worst[0]:.2f}: {worst[1]}")


def _worst_window(shifts: list[tuple[float, float, str]]) -> tuple[float, list[str]]:
    """Cumulative layout shift as it is defined: shifts less than 1 s apart, within 5 s."""
    worst, total, names = (0.0, [""]), 0.0, []
    begin = last = float("-inf")
    for at, value, who in sorted(shifts):
        if at - last > 1_000 or at - begin > 5_000:
            begin, total, names = at, 0.0, []
        last, total = at, total + value
        names.append(f"{value:.3f} {who}")
        if total > worst[0]:
            worst = total, list(names)
    return worst
