"""The mixer view, against a fake session."""

import time

from browser import Fingers, box_of, centre, tap_slider_twice, until, until_still, wait, wait_text


def fader(strip, mixer="desk"):
    return f"[aria-label='Gain of {strip} in {mixer}']"


def shown(page, strip):
    return page.get_attribute(fader(strip), "aria-valuetext")


def values(session, address):
    return [each["value"] for each in session.sent("set") if each["address"] == address]


def test_each_strip_of_each_mixer_has_its_controls(browser):
    session = browser.fake()
    page = browser.open(session.url, view="mixer")
    for name in ["mic", "guitar", "harmonies", "echo", "band"]:
        strip = f".group[aria-label=desk] .strip:has(h3:text-is('{name}'))"
        assert page.locator(f"{strip} [role=slider]").count() == 2, name
        assert page.locator(f"{strip} button").count() == 2, name
        # A strip has a meter if its source is an input or a node.
        sources = {"mic", "guitar"} | {node["id"] for node in session.song.nodes}
        assert page.locator(f"{strip} [role=meter]").count() == (name in sources), name
    assert page.locator(".group[aria-label=desk] .sum [role=meter]").count() == 1
    assert page.locator(".group[aria-label=phones] .strip").count() == 3
    assert page.locator(".master [role=slider]").count() == 1
    assert page.locator(".master [role=meter]").count() == 2
    assert shown(page, "harmonies") == "−4.5 dB"
    assert shown(page, "echo") == "silent"


def test_a_dragged_fader_is_heard_and_seen_in_another_page(browser):
    session = browser.fake()
    first = browser.open(session.url, "phone", view="mixer")
    second = browser.open(session.url, view="mixer")
    fingers = Fingers(first)
    x, y = centre(first, fader("mic"))
    fingers.down(0, x, y)
    fingers.drag({0: (x, y + 80)})
    fingers.up(0)
    # The fader moves from its current position, however far from the knob the finger is.
    until(lambda: values(session, "desk.mic.gain"))
    def agree():
        expected = f"−{abs(session.song.values['desk.mic.gain']):.1f} dB"
        return shown(first, "mic") == shown(second, "mic") == expected
    until(agree)
    assert -40 < session.song.values["desk.mic.gain"] < -3, session.song.values["desk.mic.gain"]
    assert all(each["revision"] >= 100 for each in session.sent("set"))


def test_a_touch_alone_moves_nothing(browser):
    session = browser.fake()
    page = browser.open(session.url, "phone", view="mixer")
    x, y = centre(page, fader("mic"))
    Fingers(page).tap(x, y + 60)
    time.sleep(0.3)
    assert session.sent("set") == []


def test_two_fingers_move_two_faders(browser):
    session = browser.fake()
    page = browser.open(session.url, "tablet", view="mixer")
    fingers = Fingers(page)
    places = [centre(page, fader(name)) for name in ["mic", "guitar"]]
    for finger, place in enumerate(places):
        fingers.down(finger, *place)
    fingers.drag({0: (places[0][0], places[0][1] + 100), 1: (places[1][0], places[1][1] - 40)})
    fingers.up()
    until(lambda: session.song.values["desk.mic.gain"] < -3)
    until(lambda: session.song.values["desk.guitar.gain"] > 1)


def test_a_finger_is_not_fought_and_the_newest_value_wins(browser):
    session = browser.fake()
    page = browser.open(session.url, "tablet", view="mixer")
    fingers = Fingers(page)
    x, y = centre(page, fader("mic"))
    fingers.down(0, x, y)
    fingers.drag({0: (x, y + 60)})
    # The last value of the drag has arrived; a later one would replace the change below.
    until_still(lambda: session.song.values["desk.mic.gain"])
    until(lambda: f"−{abs(session.song.values['desk.mic.gain']):.1f} dB" == shown(page, "mic"))
    held = shown(page, "mic")
    session.change({"desk.mic.gain": 10})
    session.change({"desk.guitar.gain": 3})
    # The other fader follows, the one under the finger does not.
    until(lambda: shown(page, "guitar") == "3.0 dB")
    assert shown(page, "mic") == held
    fingers.up(0)
    until(lambda: shown(page, "mic") == "10.0 dB")


def test_values_of_a_drag_are_sent_at_most_60_times_per_second(browser):
    session = browser.fake()
    page = browser.open(session.url, view="mixer")
    x, y = centre(page, fader("mic"))
    sent = page.evaluate("""([x, y]) => {
        const slider = document.elementFromPoint(x, y).closest("[role=slider]");
        slider.setPointerCapture = () => {};
        const send = (type, offset) => slider.dispatchEvent(new PointerEvent(type, {
            bubbles: true, button: 0, pointerId: 7, clientX: x, clientY: y + offset}));
        send("pointerdown", 0);
        for (let step = 1; step <= 500; step += 1) send("pointermove", step / 5);
        send("pointerup", 100);
        return slider.getAttribute("aria-valuenow");
    }""", [x, y])
    until(lambda: values(session, "desk.mic.gain"))
    time.sleep(0.2)
    # 500 movements within one task are one or two requests, and the last one is among them.
    assert len(values(session, "desk.mic.gain")) <= 2
    until(lambda: shown(page, "mic") == f"−{abs(session.song.values['desk.mic.gain']):.1f} dB")
    assert sent is not None


def test_sliding_sideways_makes_fine_steps(browser):
    session = browser.fake()
    page = browser.open(session.url, view="mixer")
    fingers = Fingers(page)
    x, y = centre(page, fader("mic"))
    fingers.down(0, x, y)
    fingers.drag({0: (x, y + 8)}, steps=4)
    coarse = until(lambda: session.song.values["desk.mic.gain"])
    fingers.drag({0: (x + 140, y + 8)}, steps=4)
    fingers.drag({0: (x + 140, y + 108)}, steps=10)
    until(lambda: "fine" in shown(page, "mic"))
    fingers.up(0)
    until(lambda: "fine" not in shown(page, "mic"))
    moved = coarse - session.song.values["desk.mic.gain"]
    # 100 px are a quarter of the travel; a twentieth of it is less than 1 dB.
    assert 0.1 <= moved < 1, moved


def test_two_taps_reset_a_fader_and_a_pan(browser):
    session = browser.fake()
    session.change({"desk.mic.gain": -9, "desk.mic.pan": -0.5})
    page = browser.open(session.url, "tablet", view="mixer")
    pan = "[aria-label='Pan of mic in desk']"
    assert page.get_attribute(pan, "aria-valuetext") == "left 50"
    for selector, address in [(fader("mic"), "desk.mic.gain"), (pan, "desk.mic.pan")]:
        x, y = centre(page, selector)
        tap_slider_twice(page, x, y)
        until(lambda: session.song.values[address] == 0, address)
    until(lambda: page.get_attribute(pan, "aria-valuetext") == "centre")


def test_keys_move_a_fader_in_known_steps(browser):
    session = browser.fake()
    page = browser.open(session.url, view="mixer")
    page.focus(fader("mic"))
    for keys, expected in [(["ArrowDown"], -1), (["Shift+ArrowUp"], -0.9), (["PageDown"], -6.9),
                           (["Delete"], 0), (["Home"], -120), (["End"], 0), (["ArrowUp"], 1)]:
        for key in keys:
            page.keyboard.press(key)
        until(lambda: abs(session.song.values["desk.mic.gain"] - expected) < 1e-6, (keys, expected))
        until(lambda: float(page.get_attribute(fader("mic"), "aria-valuenow")) == expected)
    assert shown(page, "mic") == "1.0 dB"
    # PageDown on a fader is no change of the song.
    assert session.sent("perform") == []


def test_solo_and_mute_are_values_of_the_session(browser):
    session = browser.fake()
    first = browser.open(session.url, "phone", view="mixer")
    second = browser.open(session.url, view="mixer")
    Fingers(first).tap(*centre(first, "[aria-label='Solo mic in desk']"))
    until(lambda: session.song.values["desk.mic.solo"] is True)
    for page in [first, second]:
        wait_text(page, ".strip:has([aria-label='Solo guitar in desk']) .state", "solo elsewhere")
        # The other mixer is not affected.
        text = page.locator(".strip:has([aria-label='Solo click in phones']) .state")
        assert text.text_content() == ""
        assert page.get_attribute("[aria-label='Solo mic in desk']", "aria-pressed") == "true"
    second.click("[aria-label='Mute guitar in desk']")
    wait_text(first, ".strip:has([aria-label='Solo guitar in desk']) .state", "muted")


def test_the_master_has_gain_and_mute(browser):
    session = browser.fake()
    page = browser.open(session.url, view="mixer")
    page.focus("[aria-label='Master gain']")
    page.keyboard.press("PageDown")
    until(lambda: session.master["gain"] == -6)
    page.click(".master .switch.mute")
    until(lambda: session.master["mute"] is True)
    wait_text(page, ".master .state", "MUTED")


def test_a_refused_value_goes_back(browser):
    session = browser.fake()
    page = browser.open(session.url, view="mixer")
    session.answer = refuse(session)
    page.focus(fader("band"))
    page.keyboard.press("ArrowUp")
    wait_text(page, ".message", "Not done: it is locked")
    until(lambda: shown(page, "band") == "−6.0 dB")


def refuse(session):
    def answer(client, message):
        client.send({"type": "answer", "id": message["id"], "revision": session.revision,
                     "answer": "refused", "message": "it is locked", "suggestion": None})
    return answer


def test_every_strip_can_be_reached_on_a_phone(browser):
    session = browser.fake()
    for size in ["phone", "phone, landscape", "small phone"]:
        page = browser.open(session.url, size, view="mixer")
        page.locator(fader("click", "phones")).scroll_into_view_if_needed()
        box = box_of(page, fader("click", "phones"))
        master = box_of(page, ".master")
        assert box["x"] + box["width"] <= master["x"], size
        assert box["height"] > 140, (size, box)
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), size
        for selector in [".switch", "[role=slider]"]:
            boxes = page.locator(f".mixer {selector}").evaluate_all(
                "all => all.map((each) => [each.offsetWidth, each.offsetHeight])")
            assert all(min(pair) >= 32 and max(pair) >= 44 for pair in boxes), (size, boxes)


def test_a_drag_survives_a_snapshot_with_the_same_addresses(browser):
    session = browser.fake()
    page = browser.open(session.url, "tablet", view="mixer")
    fingers = Fingers(page)
    x, y = centre(page, fader("mic"))
    fingers.down(0, x, y)
    fingers.drag({0: (x, y + 40)})
    until(lambda: session.song.values["desk.mic.gain"] < 0)
    before = len(values(session, "desk.mic.gain"))
    session.begin(0)
    fingers.drag({0: (x, y + 90)})
    fingers.up(0)
    until(lambda: len(values(session, "desk.mic.gain")) > before)


def test_another_song_brings_its_own_mixers(browser):
    session = browser.fake()
    page = browser.open(session.url, view="mixer")
    session.begin(1)
    wait(page, "() => document.querySelector('.group')?.getAttribute('aria-label') === 'sounds'")
    assert page.locator(".group").count() == 1
    page.focus(fader("rain", "sounds"))
    page.keyboard.press("ArrowDown")
    until(lambda: session.song.values["sounds.rain.gain"] == -1)
