"""Pages in a browser, and what a hand does to them."""

import contextlib
import json
import re
import time
from pathlib import Path

from fake_session import FakeSession, night
from protocol import Protocol

ROOT = Path(__file__).resolve().parent.parent.parent.parent
ASSETS = ROOT / "Sources" / "CPage" / "Assets"
#: The longest wait in seconds; the machine may be busy.
PATIENCE = 30

SIZES = {
    "phone": (360, 740), "tablet": (820, 1180), "laptop": (1440, 900),
    "phone, landscape": (740, 360), "tablet, landscape": (1180, 820),
    "laptop, portrait": (900, 1440), "small phone": (320, 568),
}


class Browser:
    """The browser, and what the current test has opened."""

    def __init__(self, playwright, chromium, slow=1):
        self.slow = slow
        # Without a display and as root; the page itself comes from this machine.
        self.browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        self.contexts, self.sessions, self.faults = [], [], []
        self.protocol = Protocol()

    @contextlib.contextmanager
    def session(self):
        """Closes everything that a test opens, and fails if a page reported an error, or if a
        message does not follow the protocol."""
        self.faults = []
        self.protocol.errors = []
        try:
            yield
            assert not self.faults, self.faults
            assert not self.protocol.errors, self.protocol.errors[:3]
        except Exception as error:
            for page in [page for context in self.contexts for page in context.pages]:
                with contextlib.suppress(Exception):
                    error.add_note(f"{page.url} shows:\n{page.inner_text('body')[:1500]}")
            raise
        finally:
            for context in self.contexts:
                context.close()
            for session in self.sessions:
                session.end()
            self.contexts, self.sessions = [], []

    def close(self):
        self.browser.close()

    def fake(self, songs=None, **options):
        """Starts a fake session."""
        session = FakeSession(songs or night(), ASSETS, **options).start()
        self.sessions.append(session)
        return session

    def open(self, url, size="laptop", view="stage", is_live=True, script=None, **preferences):
        """Opens a page and waits until it shows the session."""
        width, height = SIZES[size]
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, has_touch=True,
            # A certificate that the program has made.
            ignore_https_errors=True,
            reduced_motion=preferences.pop("motion", "no-preference"))
        self.contexts.append(context)
        context.set_default_timeout(PATIENCE * 1000)
        stored = {"view": view, **preferences}
        context.add_init_script(
            "if (location.protocol.startsWith('http') && !localStorage.getItem('stompline')) "
            f"localStorage.setItem('stompline', JSON.stringify({json.dumps(stored)}))")
        if script:
            context.add_init_script(script)
        page = context.new_page()
        if self.slow > 1:
            context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate",
                                               {"rate": self.slow})
        self.protocol.watch(page)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda message: self.note(message))
        page.goto(url)
        if is_live:
            wait_live(page)
        return page

    def note(self, message):
        # Some tests end the server, and others send files that it refuses.
        is_lost = any(words in message.text for words in
                      ["WebSocket", "ERR_CONNECTION_REFUSED", "ERR_EMPTY_RESPONSE"])
        is_refusal = re.search(r"responded with a status of (409|412|415|422) ", message.text)
        if message.type in ["error", "warning"] and not is_lost and not is_refusal:
            self.faults.append(message.text)


def wait_live(page):
    page.wait_for_selector(".connection[data-state=live]")


def until(fact, what=""):
    """Waits until a fact holds."""
    end = time.monotonic() + PATIENCE
    while True:
        value = fact()
        if value:
            return value
        assert time.monotonic() < end, f"it does not happen: {what}"
        time.sleep(0.02)


def until_still(value):
    """Waits until a value stays the same for 0.3 s, and returns it."""
    end = time.monotonic() + PATIENCE
    last, since = value(), time.monotonic()
    while time.monotonic() < since + 0.3:
        assert time.monotonic() < end, f"it does not come to rest: {last}"
        time.sleep(0.05)
        now = value()
        if now != last:
            last, since = now, time.monotonic()
    return last


def wait(page, expression, argument=None):
    """Waits until an expression of the page is true."""
    page.wait_for_function(expression, arg=argument)


def wait_text(page, selector, words):
    """Waits until an element contains words."""
    wait(page, """([selector, words]) => [...document.querySelectorAll(selector)].some(
        (element) => element.checkVisibility() && element.innerText.includes(words))""",
         [selector, words])


def box_of(page, selector):
    """Returns where an element is, with "x", "y", "width" and "height" in px.

    The page draws movements in its next frame, and replaces drawings; this waits for both.
    """
    page.evaluate("""() => new Promise((done) => requestAnimationFrame(
        () => requestAnimationFrame(done)))""")
    # A drawing may be replaced between the search and the measurement.
    return until(lambda: page.locator(selector).count()
                 and page.locator(selector).first.bounding_box(), f"{selector} has a place")


def centre(page, selector):
    box = box_of(page, selector)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def tap_slider_twice(page, x, y):
    """Taps the slider at a point twice; the events have no real pointer, so they come at once."""
    page.evaluate("""([x, y]) => {
        const slider = document.elementFromPoint(x, y).closest("[role=slider]");
        slider.setPointerCapture = () => {};
        for (const type of ["pointerdown", "pointerup", "pointerdown", "pointerup"]) {
            slider.dispatchEvent(new PointerEvent(type, {bubbles: true, button: 0,
                pointerId: 3, clientX: x, clientY: y}));
        }
    }""", [x, y])


class Fingers:
    """Fingers on a touch screen, each with a number."""

    def __init__(self, page):
        self.session = page.context.new_cdp_session(page)
        self.points = {}

    def down(self, finger, x, y):
        self.points[finger] = (x, y)
        self.send("touchStart")

    def drag(self, targets, steps=8):
        """Moves fingers to their targets at the same time."""
        starts = {finger: self.points[finger] for finger in targets}
        for step in range(1, steps + 1):
            for finger, (x, y) in targets.items():
                start = starts[finger]
                share = step / steps
                self.points[finger] = (start[0] + (x - start[0]) * share,
                                       start[1] + (y - start[1]) * share)
            self.send("touchMove")

    def up(self, *fingers):
        for finger in fingers or list(self.points):
            del self.points[finger]
        self.send("touchEnd")

    def tap(self, x, y):
        self.down(0, x, y)
        self.up(0)

    def send(self, kind):
        self.session.send("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [{"x": x, "y": y, "id": finger}
                                          for finger, (x, y) in self.points.items()]})
