"""Lost connections, sleep and restarts, against a fake session."""

import time

from browser import Fingers, centre, until, until_still, wait_live, wait_text
from mixer_tests import fader, shown


def asked(session):
    """The requests from pages that would change something."""
    return [each for each in session.requests
            if each["request"] not in ["watch", "ping", "snapshot", "get"]]


def test_a_lost_connection_is_plain_and_nothing_is_sent_later(browser):
    session = browser.fake()
    page = browser.open(session.url, "phone")
    session.is_closed = True
    session.drop()
    wait_text(page, ".away", "No connection to Stompline")
    wait_text(page, ".away", "Nothing you press is sent")
    assert page.get_attribute(".go.pad", "aria-disabled") == "true"
    fingers = Fingers(page)
    for pad in [".go.pad", ".mute.pad", ".panic.pad"]:
        fingers.tap(*centre(page, pad))
    page.keyboard.press("n")
    wait_text(page, ".message", "Not sent: there is no connection")
    # The session continues without the page.
    session.change({"scene": "bridge", "tempo": 88})
    session.is_closed = False
    # The page may come back by itself meanwhile, and hides the button then.
    page.locator(".retry").dispatch_event("click")
    wait_live(page)
    wait_text(page, ".scene", "bridge")
    wait_text(page, ".tap.pad", "88.0")
    time.sleep(0.3)
    assert asked(session) == [], asked(session)
    assert page.get_attribute(".go.pad", "aria-disabled") is None
    assert not page.locator(".away").is_visible()


def test_the_page_comes_back_by_itself(browser):
    session = browser.fake()
    page = browser.open(session.url)
    session.drop()
    until(lambda: len(session.clients) == 1)
    wait_live(page)
    # The pause grows while the session is away.
    session.is_closed = True
    session.drop()
    wait_text(page, ".away", "Next attempt in 2 s")
    session.is_closed = False
    until(lambda: len(session.clients) == 1)
    wait_live(page)


def test_a_machine_without_a_network_stays_connected(browser):
    session = browser.fake()
    page = browser.open(session.url)
    page.evaluate("dispatchEvent(new Event('offline'))")
    session.change({"tempo": 77})
    wait_text(page, ".tap.pad", "77.0")
    assert len(session.clients) == 1
    page.focus(".go.pad")
    page.keyboard.press("Enter")
    until(lambda: [each["action"] for each in asked(session)] == ["go"])


def test_a_hidden_page_gets_the_present_state_when_it_is_shown(browser):
    session = browser.fake()
    page = browser.open(session.url)
    page.evaluate("""() => {
        window.hide = (isHidden) => {
            Object.defineProperty(document, "hidden", {value: isHidden, configurable: true});
            document.dispatchEvent(new Event("visibilitychange"));
        };
        hide(true);
    }""")
    time.sleep(2.5)
    first = session.clients[0]
    page.evaluate("hide(false)")
    until(lambda: session.clients and session.clients[0] is not first)
    wait_live(page)


def test_the_age_of_the_picture_is_shown(browser):
    session = browser.fake()
    page = browser.open(session.url)
    session.is_closed = True
    session.drop()
    wait_text(page, ".away", "This picture is 2 s old")


def test_a_finger_that_was_down_moves_nothing_after_a_new_connection(browser):
    session = browser.fake()
    page = browser.open(session.url, "tablet", view="mixer")
    fingers = Fingers(page)
    x, y = centre(page, fader("mic"))
    fingers.down(0, x, y)
    fingers.drag({0: (x, y + 40)})
    until(lambda: session.song.values["desk.mic.gain"] < 0)
    until_still(lambda: len(asked(session)))
    session.drop()
    session.change({"desk.mic.gain": 5})
    until(lambda: len(session.clients) == 1)
    wait_live(page)
    before = len(asked(session))
    fingers.drag({0: (x, y + 120)})
    fingers.up(0)
    time.sleep(0.3)
    assert len(asked(session)) == before
    until(lambda: shown(page, "mic") == "5.0 dB")


def test_a_silent_session_counts_as_lost(browser):
    session = browser.fake()
    page = browser.open(session.url)
    session.is_silent = True
    session.is_closed = True
    wait_text(page, ".away", "No connection to Stompline")
    session.is_silent = False
    session.is_closed = False
    until(lambda: len(session.clients) == 1)
    wait_live(page)


def test_a_page_that_slept_overwrites_nothing(browser):
    session = browser.fake()
    page = browser.open(session.url, "tablet", view="mixer")
    devtools = page.context.new_cdp_session(page)
    fingers = Fingers(page)
    x, y = centre(page, fader("mic"))
    fingers.down(0, x, y)
    fingers.drag({0: (x, y + 40)})
    until(lambda: session.song.values["desk.mic.gain"] < 0)
    time.sleep(0.5)
    before = len(asked(session))
    # A page whose script stands still hears nothing, as on a machine that sleeps.
    devtools.send("Debugger.enable")
    page.evaluate("setTimeout(() => { debugger; }, 0)")
    session.change({"desk.mic.gain": 7, "desk.band.gain": -20})
    time.sleep(6)
    devtools.send("Debugger.resume")
    fingers.drag({0: (x, y + 120)})
    fingers.up(0)
    until(lambda: shown(page, "mic") == "7.0 dB" and shown(page, "band") == "−20.0 dB")
    assert len(asked(session)) == before, asked(session)[before:]
    assert session.song.values["desk.mic.gain"] == 7


def test_a_press_after_the_machine_slept_is_not_sent(browser):
    session = browser.fake()
    # The wall clock jumps by a minute, as it does while a laptop is closed.
    page = browser.open(session.url, script="""
        const now = Date.now; let jump = 0; Date.now = () => now() + jump;
        window.sleepFor = (seconds) => { jump += 1000 * seconds; };""")
    session.is_silent = True
    page.evaluate("""() => {
        sleepFor(60);
        document.querySelector(".go.pad").dispatchEvent(
            new PointerEvent("pointerdown", {bubbles: true, button: 0}));
    }""")
    session.is_silent = False
    until(lambda: len(session.clients) == 1)
    wait_live(page)
    time.sleep(0.3)
    assert asked(session) == [], asked(session)
    time.sleep(0.4)
    page.keyboard.press(" ")
    until(lambda: [each["action"] for each in asked(session)] == ["go"])


def test_a_stale_answer_shows_the_value_of_the_session(browser):
    session = browser.fake()
    page = browser.open(session.url, view="mixer")
    normal = session.answer

    def stale(client, message):
        if message["request"] != "set":
            return normal(client, message)
        client.send({"type": "answer", "id": message["id"], "answer": "stale",
                     "revision": session.revision, "message": "too old", "value": -30})
    session.answer = stale
    page.focus(fader("mic"))
    page.keyboard.press("ArrowUp")
    wait_text(page, ".message", "Not sent: it was changed elsewhere meanwhile")
    until(lambda: shown(page, "mic") == "−30.0 dB")


def test_a_restarted_program_is_said(browser):
    session = browser.fake()
    page = browser.open(session.url)
    session.run = "2"
    session.drop()
    wait_text(page, ".message", "Stompline was started again")


def test_an_unknown_message_is_ignored(browser):
    session = browser.fake()
    page = browser.open(session.url)
    session.broadcast({"type": "weather", "revision": 999, "value": 1})
    session.set_part("stars", [1, 2])
    session.happen({"event": "comet"})
    session.change({"tempo": 101})
    wait_text(page, ".tap.pad", "101.0")
    # Two messages are of a later version of the protocol.
    errors, browser.protocol.errors = browser.protocol.errors, []
    assert len(errors) == 2 and "weather" in errors[0] and "stars" in errors[1], errors
