"""The board view, against a fake session."""

import math
import time

from browser import SIZES, Fingers, box_of, centre, tap_slider_twice, until, wait, wait_text
from fake_session import chain, rig

CARD = ".card-button[data-node='{}']"
#: The sizes on which everything that can be seen is checked.
SCREENS = ["small phone", "phone, landscape", "laptop"]


def opened(browser, size="laptop", songs=None, **options):
    """Opens the board of the rig, and waits for its drawing."""
    session = browser.fake(songs or [rig()])
    session.parts["status"]["nodes"] = [
        {"id": "tone", "load_mean": 0.012, "load_worst": 0.03, "latency_frames": 0},
        {"id": "amp", "load_mean": 0.2, "load_worst": 0.41, "latency_frames": 96}]
    page = browser.open(session.url, size, view="board", **options)
    page.wait_for_selector(".plane > svg", state="attached")
    return session, page


def sent(session, address):
    return [each["value"] for each in session.sent("set") if each["address"] == address]


def open_sheet(page, node):
    page.focus(CARD.format(node))
    page.keyboard.press("Enter")
    wait_text(page, ".sheet h2", node)


def test_the_board_shows_nodes_wires_and_ports(browser):
    session, page = opened(browser)
    facts = page.evaluate("""() => ({
        nodes: [...document.querySelectorAll("g[data-node]")].map((each) => each.dataset.node),
        wires: [...document.querySelectorAll("g.wire")]
            .map((each) => `${each.dataset.from}>${each.dataset.to}`),
        labels: [...document.querySelectorAll(".plane .meter")].map((each) => each.ariaLabel),
        hidden: document.querySelector(".plane > svg").getAttribute("aria-hidden"),
    })""")
    assert sorted(facts["nodes"]) == ["amp", "desk", "echo", "secret", "tone"], facts
    assert {"mic>tone", "tone>echo", "echo>amp", "desk>main"} <= set(facts["wires"]), facts
    assert facts["labels"] == ["Input mic", "Input line_1", "Input line_2", "Output main_1",
                               "Output main_2"], facts
    # The meters move with the session.
    session.peak = lambda channel, now: -30.0
    wait(page, "() => document.querySelector('.plane .meter .cover').style.transform "
               "=== 'scaleX(0.5)'")


#: The colors of the canvas at a quarter and three quarters of the height of a node's meters.
METERS = """(node) => {
    const canvas = document.querySelector(".node-meters"), pane = canvas.getBoundingClientRect();
    const card = document.querySelector(`.card-button[data-node="${node}"]`).getBoundingClientRect();
    const scale = Number(document.querySelector(".pane").dataset.scale);
    const pixel = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const color = (column, share) => {
        pixel.drawImage(canvas,
            Math.floor(devicePixelRatio * (card.right - pane.left + (5.5 + 6 * column) * scale)),
            Math.floor(devicePixelRatio * (card.bottom - pane.top - share * card.height)),
            1, 1, 0, 0, 1, 1);
        return [...pixel.getImageData(0, 0, 1, 1).data].join(" ");
    };
    return [0, 1].map((column) => [color(column, 0.25), color(column, 0.75)]);
}"""
#: The colors of a meter of the dark look.
LOW, EMPTY = "34 197 94 255", "31 39 48 255"


def test_each_channel_of_a_node_has_a_meter_that_moves(browser):
    # On a small phone, the node is beyond the edge.
    for size in ["phone, landscape", "laptop"]:
        session, page = opened(browser, size)
        ports = len(session.song.meters)
        first = next(index for index, each in enumerate(session.song.node_meters)
                     if each["node"] == "tone")
        # Only the second channel of the first node has a level.
        session.peak = lambda channel, now: -30.0 if channel == ports + first + 1 else -200.0
        wait(page, f"(wanted) => JSON.stringify(({METERS})('tone')) === JSON.stringify(wanted)",
             [[EMPTY, EMPTY], [LOW, EMPTY]])
        # The meters move with the drawing.
        before = box_of(page, CARD.format("tone"))
        page.focus(".pane")
        page.keyboard.press("ArrowRight")
        assert box_of(page, CARD.format("tone"))["x"] < before["x"] - 40
        wait(page, f"(wanted) => JSON.stringify(({METERS})('tone')) === JSON.stringify(wanted)",
             [[EMPTY, EMPTY], [LOW, EMPTY]])
    # The sheet has them in words.
    open_sheet(page, "tone")
    wait(page, """() => JSON.stringify([...document.querySelectorAll(
        ".sheet .meter[aria-label='Level of tone']")].map((each) => each.ariaValueText))
        === '["silent","−30.0 dB"]'""")
    # A page whose view shows no nodes asks for none.
    assert any(client.wants_nodes for client in session.clients)
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    until(lambda: not any(client.wants_nodes for client in session.clients[-1:]), "no more levels")


def test_loads_latencies_bypass_and_problems_are_words(browser):
    session, page = opened(browser)
    label = f"document.querySelector({CARD.format('amp')!r}).ariaLabel"
    wait(page, f"() => {label} === 'amp, Amplifier of Urn, ⚠ does not work, load 20.0 %, "
               "latency 2.0 ms'")
    for words in ["⚠ does not work", "load 20.0 % · 2.0 ms", "load 1.2 %"]:
        wait_text(page, ".card-words span", words)
    assert page.locator(".card-words .bypassed:visible").count() == 0
    session.change({"tone.bypass": True})
    wait_text(page, ".card-words .bypassed", "BYPASSED")
    opacity = "getComputedStyle(document.querySelector(\"g[data-node='tone']\")).opacity"
    assert float(page.evaluate(opacity)) < 0.6
    assert "bypassed" in page.get_attribute(CARD.format("tone"), "aria-label")
    session.change({"tone.bypass": False})
    wait(page, f"() => {opacity} === '1'")
    session.happen({"event": "plugin_stopped", "node": "echo", "plugin": "urn:x", "periods": 3})
    wait_text(page, ".card-words .problem", "⚠ problem")
    open_sheet(page, "echo")
    wait_text(page, ".node-problems", "The plugin of “echo” took too long and was stopped")
    session.set_part("problems", [
        {"song": "Rig", "node": "amp", "consequence": "dry", "file": "rig.json", "line": 12,
         "message": "the plugin urn:amp is not installed"}])
    open_sheet(page, "amp")
    wait_text(page, ".node-problems", "“amp” does not work and passes its input: the plugin "
                                      "urn:amp is not installed")
    wait_text(page, ".sheet-body", "Load 20.0 %, worst 41.0 % · latency 2.0 ms")


def test_values_in_the_drawing_follow_the_session(browser):
    session, page = opened(browser)
    row = "g[data-address='tone.gain']"
    value = f"document.querySelector(\"{row} .value\").textContent"
    pointer = f"document.querySelector(\"{row} path\").getAttribute('d')"
    wait(page, f"() => {value} === '+6 dB'")
    before = page.evaluate(pointer)
    session.change({"tone.gain": -12})
    wait(page, f"() => {value} === '−12 dB'")
    assert page.evaluate(pointer) != before
    strip = "document.querySelector(\"g[data-strip='desk.secret'] .value\").textContent"
    wait(page, f"() => {strip} === '−3 dB'")
    session.change({"desk.secret.pan": -0.5, "desk.secret.mute": True})
    wait(page, f"() => {strip} === '−3 dB · left 50 % · muted'")


def test_the_drawing_is_fetched_again_when_the_pipeline_or_a_latency_changes(browser):
    session, page = opened(browser, songs=[rig(), chain(8)])
    assert session.drawings == 1
    session.change({"tone.gain": 1})
    session.set_part("status", dict(session.parts["status"], xruns=1))
    time.sleep(0.3)
    assert session.drawings == 1
    nodes = [dict(each) for each in session.parts["status"]["nodes"]]
    nodes[1]["latency_frames"] = 480
    session.set_part("status", dict(session.parts["status"], nodes=nodes))
    wait(page, "() => document.querySelector(\"g[data-node='amp'] .latency\")?.textContent "
               "=== '10.00 ms'")
    assert session.drawings == 2
    session.begin(1)
    page.wait_for_selector(CARD.format("f7"))
    assert page.locator(CARD.format("amp")).count() == 0
    # A hidden board fetches nothing until it is shown.
    page.keyboard.press("1")
    count = session.drawings
    session.begin(0)
    time.sleep(0.3)
    assert session.drawings == count
    page.keyboard.press("3")
    page.wait_for_selector(CARD.format("amp"))


def test_a_drawing_that_fails_is_said_and_tried_again(browser):
    session = browser.fake([rig()])
    session.drawing_status = 504
    page = browser.open(session.url, "phone", view="board")
    wait_text(page, ".drawing-state", "The drawing could not be fetched: the server answers 504.")
    browser.faults = [each for each in browser.faults if "504" not in each]
    session.drawing_status = 200
    page.click(".again")
    page.wait_for_selector(CARD.format("amp"), state="attached")
    wait(page, "() => document.querySelector('.drawing-state').textContent === ''")


def test_nodes_have_the_focus_in_the_order_of_the_signal(browser):
    session, page = opened(browser)
    page.focus(".pane")
    order = []
    for _ in range(5):
        page.keyboard.press("Tab")
        order.append(page.evaluate("document.activeElement.dataset.node"))
    assert order == ["tone", "echo", "amp", "secret", "desk"], order


def test_the_focus_is_always_visible(browser):
    session, page = opened(browser, "small phone", songs=[chain(40)])
    page.focus(".pane")
    for _ in range(40):
        page.keyboard.press("Tab")
        inside = page.evaluate("""() => new Promise((done) => requestAnimationFrame(() =>
            requestAnimationFrame(() => {
                const box = document.activeElement.getBoundingClientRect();
                const pane = document.querySelector(".pane").getBoundingClientRect();
                done(box.left >= pane.left && box.right <= pane.right && box.top >= pane.top
                    && box.bottom <= pane.bottom);
            })))""")
        assert inside, page.evaluate("document.activeElement.outerHTML")


def scale(page):
    return page.evaluate("""() => new Promise((done) => requestAnimationFrame(() =>
        requestAnimationFrame(() => done(new DOMMatrix(
            document.querySelector('.plane').style.transform).a))))""")


def test_fingers_wheel_and_keys_move_and_scale_the_drawing(browser):
    session, page = opened(browser, "tablet")
    place = "new DOMMatrix(document.querySelector('.plane').style.transform).e"
    first, x = scale(page), page.evaluate(place)
    fingers = Fingers(page)
    # On the ground, and on a card: a movement presses nothing.
    for start in [(200, 900), centre(page, CARD.format("tone"))]:
        before = page.evaluate(place)
        fingers.down(0, *start)
        fingers.drag({0: (start[0] + 60, start[1])})
        fingers.up(0)
        wait(page, f"(before) => Math.abs({place} - before) > 30", before)
    assert not page.locator(".sheet").is_visible()
    fingers.down(0, 300, 600)
    fingers.down(1, 400, 600)
    fingers.drag({0: (200, 600), 1: (500, 600)})
    fingers.up()
    until(lambda: scale(page) > 1.5 * first)
    pinched = scale(page)
    page.mouse.move(400, 600)
    page.mouse.wheel(0, 240)
    until(lambda: scale(page) < pinched)
    page.focus(".pane")
    page.keyboard.press("0")
    whole = scale(page)
    box = box_of(page, ".plane > svg")
    assert box["x"] >= -1 and box["x"] + box["width"] <= 821, box
    page.keyboard.press("+")
    until(lambda: math.isclose(scale(page), 1.25 * whole, rel_tol=0.01))
    page.keyboard.press("-")
    until(lambda: math.isclose(scale(page), whole, rel_tol=0.01))
    before = page.evaluate(place)
    page.keyboard.press("ArrowLeft")
    wait(page, f"(before) => {place} > before + 40", before)
    for name, grows in [("Larger", True), ("Smaller", False)]:
        before = scale(page)
        page.click(f"[aria-label='{name}']")
        until(lambda: (scale(page) > before) == grows)
        time.sleep(0.35)
    # None of these keys reached the song.
    assert session.sent("perform") == []
    assert x is not None


def test_a_key_of_the_song_does_not_move_the_drawing(browser):
    session, page = opened(browser)
    overview = session.overview
    overview["keys"] = ["up"]
    session.set_part("overview", overview)
    page.focus(".pane")
    place = "document.querySelector('.plane').style.transform"
    before = page.evaluate(place)
    page.keyboard.press("ArrowUp")
    until(lambda: [each["key"] for each in session.sent("key")] == ["up"])
    assert page.evaluate(place) == before


def test_a_touch_opens_the_sheet_of_a_node_and_closing_returns_the_focus(browser):
    for size in SCREENS:
        session, page = opened(browser, size)
        fingers = Fingers(page)
        # The card is beyond the edge of a narrow window, so move the drawing first.
        fingers.down(0, 290, 90)
        fingers.drag({0: (130, 90)})
        fingers.up(0)
        until(lambda: centre(page, CARD.format("tone"))[0] < 250)
        # At once: browsers make no click from a touch that soon follows a movement.
        fingers.tap(*centre(page, CARD.format("tone")))
        wait_text(page, ".sheet h2", "tone")
        for words in ["Filter", "One filter of seven shapes.", "Shape", "Frequency", "2 kHz",
                      "Gain", "+6 dB", "Q", "Order", "Bypass", "Mix", "Node", "Parameters",
                      "Load 1.2 %, worst 3.0 %",
                      "peak at 2 kHz. Gain: +6.0 dB there, 0.0 dB at 50 Hz"]:
            until(lambda: words in page.locator(".sheet").inner_text(), (size, words))
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), size
        wide = page.evaluate("""() => [...document.querySelectorAll(".sheet *")]
            .filter((each) => each.checkVisibility() && !each.closest("svg, .slider, .meter"))
            .filter((each) => each.getBoundingClientRect().right > innerWidth + 0.5
                || each.getBoundingClientRect().left < -0.5).map((each) => each.className)""")
        assert wide == [], (size, wide)
        page.keyboard.press("Escape")
        page.wait_for_selector(".sheet", state="hidden")
        wait(page, "() => document.activeElement.dataset.node === 'tone'")


def control(name, node):
    return f".sheet [role=slider][aria-label='{name} of {node}']"


def test_the_sheet_of_a_filter_shows_the_spectrum(browser):
    session, page = opened(browser)
    # One band at -48 dB, which is half of the height.
    session.spectrum = lambda band: -48 if band == 95 else -96
    open_sheet(page, "tone")
    until(lambda: [client.spectrum for client in session.clients] == ["tone"], "a spectrum is asked for")
    wait(page, "() => (document.querySelector('.spectrum')?.getAttribute('d') ?? '')"
               ".endsWith('L352.0 63.0L352 118Z')")
    page.keyboard.press("Escape")
    until(lambda: [client.spectrum for client in session.clients] == [None], "it ends")


def test_numbers_follow_their_taper_and_reset_by_two_taps(browser):
    session, page = opened(browser)
    open_sheet(page, "tone")
    slider = control("Frequency", "tone")
    until(lambda: page.get_attribute(slider, "aria-valuetext") == "2 kHz")
    assert page.get_attribute(slider, "aria-valuemin") == "10"
    page.focus(slider)
    # A hundredth of the way of a logarithmic control is a ratio.
    page.keyboard.press("ArrowRight")
    until(lambda: math.isclose(session.song.values["tone.frequency"], 2000 * 2000 ** 0.01,
                               rel_tol=1e-3))
    page.keyboard.press("Shift+ArrowLeft")
    until(lambda: math.isclose(session.song.values["tone.frequency"],
                               2000 * 2000 ** 0.009, rel_tol=1e-3))
    page.keyboard.press("Home")
    until(lambda: session.song.values["tone.frequency"] == 10)
    page.keyboard.press("End")
    until(lambda: session.song.values["tone.frequency"] == 20000)
    page.keyboard.press("Delete")
    until(lambda: session.song.values["tone.frequency"] == 1000)
    order = control("Order", "tone")
    page.focus(order)
    page.keyboard.press("Shift+ArrowUp")
    until(lambda: session.song.values["tone.order"] == 3)
    until(lambda: page.get_attribute(order, "aria-valuetext") == "3")
    session.change({"tone.gain": 6})
    gain = control("Gain", "tone")
    page.locator(gain).scroll_into_view_if_needed()
    fingers = Fingers(page)
    x, y = centre(page, gain)
    fingers.down(0, x, y)
    fingers.drag({0: (x - 60, y)})
    fingers.up(0)
    until(lambda: session.song.values["tone.gain"] < 0)
    tap_slider_twice(page, x, y)
    until(lambda: session.song.values["tone.gain"] == 0)


def test_a_value_can_be_typed(browser):
    session, page = opened(browser)
    open_sheet(page, "tone")
    field = ".sheet input"
    for words, expected in [("2,5 kHz", 2500), ("440", 440), ("1k", 1000)]:
        page.click("[aria-label='Type a value: Frequency of tone']")
        page.fill(field, words)
        page.keyboard.press("Enter")
        until(lambda: session.song.values["tone.frequency"] == expected)
        page.wait_for_selector("[aria-label='Type a value: Frequency of tone']:is(button)")
        time.sleep(0.35)
    page.click("[aria-label='Type a value: Frequency of tone']")
    for words in ["5", "30000", "loud", "3 dB"]:
        page.fill(field, words)
        page.keyboard.press("Enter")
        wait_text(page, ".message",
                  f"Not sent: “{words}” is no value from 10 Hz through 20 kHz")
    # A digit in the field is no change of the view, and Escape keeps the value.
    assert page.locator("main.board").is_visible()
    page.keyboard.press("Escape")
    assert page.locator(".sheet").is_visible() and page.locator(field).count() == 0
    assert session.song.values["tone.frequency"] == 1000


def test_switches_menus_triggers_and_reports_have_the_names_of_the_plugin(browser):
    for size in SCREENS:
        session, page = opened(browser, size)
        open_sheet(page, "amp")
        for words in ["Amplifier of Urn", "Drive", "0.5 (−6.0 dB)", "Reports", "Reduction"]:
            until(lambda: words in page.locator(".sheet").inner_text(), (size, words))
        session.change(reports={"amp.reduction": -2.5})
        until(lambda: "−2.5 dB" in page.locator(".reports").inner_text())
        menu = "[aria-label='Character of amp']"
        assert page.locator(menu).input_value() == "warm"
        page.select_option(menu, "dark")
        until(lambda: session.song.values["amp.character"] == "dark")
        session.change({"amp.character": "bright"})
        until(lambda: page.locator(menu).input_value() == "bright")
        switch = "[aria-label='Boost of amp']"
        page.click(switch)
        until(lambda: session.song.values["amp.boost"] is True)
        wait(page, "(name) => document.querySelector(name).ariaPressed === 'true'", switch)
        assert page.inner_text(switch) == "on"
        page.click("[aria-label='Reset of amp']")
        until(lambda: sent(session, "amp.reset") == [True])
        page.click("[aria-label='Bypass of amp']")
        until(lambda: session.song.values["amp.bypass"] is True)
        page.focus(control("Mix", "amp"))
        page.keyboard.press("Home")
        until(lambda: session.song.values["amp.mix"] == 0)


def test_a_node_that_is_closed_to_remote_control_shows_its_values_only(browser):
    session, page = opened(browser)
    open_sheet(page, "secret")
    until(lambda: "−6 dB" in page.locator(".sheet").inner_text())
    wait_text(page, ".sheet", "The file closes this to remote control")
    assert page.locator(".sheet [role=slider], .sheet .learn").count() == 0


def test_a_mixer_has_its_strips_in_groups(browser):
    session, page = opened(browser)
    open_sheet(page, "desk")
    legends = page.locator(".sheet legend").all_inner_texts()
    assert legends == ["Node", "Parameters", "Strip amp", "Strip secret"], legends
    page.focus(control("gain", "desk secret"))
    page.keyboard.press("Delete")
    until(lambda: session.song.values["desk.secret.gain"] == 0)


def test_learn_shows_that_it_runs_and_can_be_cancelled(browser):
    session, page = opened(browser, "phone")
    open_sheet(page, "tone")
    learn = "[aria-label='Learn a MIDI control for Frequency of tone']"
    page.click(learn)
    until(lambda: session.master["learn"] == "tone.frequency")
    cancel = "[aria-label='Cancel learning for Frequency of tone']"
    wait_text(page, ".learning", "Move a MIDI control: it will be bound to tone.frequency.")
    assert page.get_attribute(cancel, "aria-pressed") == "true"
    time.sleep(0.35)
    page.click(cancel)
    until(lambda: session.master["learn"] == "")
    wait(page, "() => document.querySelector('.learning').hidden")
    time.sleep(0.35)
    page.click(learn)
    until(lambda: session.master["learn"] == "tone.frequency")
    page.click(".learning button")
    until(lambda: session.master["learn"] == "")
    session.happen({"event": "learned", "address": "tone.frequency", "control": "cc 7",
                    "file": "rig.json"})
    wait_text(page, ".message", "tone.frequency is now bound to cc 7")


def test_the_response_of_a_filter_has_its_known_points(browser):
    session, page = opened(browser)

    def gain(hertz, rate=48000, **values):
        return page.evaluate("""async ([filter, rate, hertz]) =>
            (await import("/response.js")).filterGain(filter, rate, hertz)""",
            [{"shape": "lowpass", "frequency": 1000, "gain": 0, "q": 0.7071, "order": 2,
              **values}, rate, hertz])

    for order in range(1, 9):
        for shape in ["lowpass", "highpass"]:
            # Butterworth: -3 dB at the corner, and 6 dB per octave and order beyond.
            assert abs(gain(1000, shape=shape, order=order) + 3.0103) < 2e-3, (shape, order)
        steep = gain(62.5, shape="highpass", order=order) - gain(31.25, shape="highpass",
                                                                 order=order)
        assert abs(steep - 6.0206 * order) < 0.1 * order, (order, steep)
    for decibels in [-12, 9]:
        assert abs(gain(1000, shape="peak", gain=decibels) - decibels) < 1e-6
        assert abs(gain(1e-3, shape="lowshelf", gain=decibels) - decibels) < 1e-6
        assert abs(gain(23999.9, shape="highshelf", gain=decibels) - decibels) < 1e-3
        for shape in ["lowshelf", "highshelf"]:
            assert abs(gain(1000, shape=shape, gain=decibels) - decibels / 2) < 1e-6
    assert abs(gain(1000, shape="bandpass", q=5)) < 1e-6
    assert gain(1000, shape="notch", q=5) < -200
    assert abs(gain(1000, shape="lowpass", q=2) - 20 * math.log10(2 / 0.7071 * math.sqrt(0.5))) < 2e-3
    open_sheet(page, "tone")
    curve = "document.querySelector('.curve').getAttribute('d')"
    before = page.evaluate(curve)
    session.change({"tone.shape": "highpass", "tone.frequency": 80})
    wait(page, f"(before) => {curve} !== before", before)
    wait_text(page, ".response", "highpass at 80 Hz. Gain: −3.0 dB there, −8.8 dB at 50 Hz")


def test_the_echoes_of_a_delay_are_drawn(browser):
    session, page = opened(browser)
    open_sheet(page, "echo")
    # 0.5 to the power of 9 is above -60 dB, to the power of 10 it is not.
    wait_text(page, ".response", "10 echoes, one each 400 ms; the last audible one after 4 s.")
    assert page.locator(".response .echo").count() == 10
    session.change({"echo.mix": 0.5})
    wait(page, "() => document.querySelectorAll('.response .dry').length === 1")
    session.change({"echo.feedback": 0, "echo.beats": 2})
    # Two beats at 96 bpm.
    wait_text(page, ".response", "1 echo, after 1.25 s.")
    session.change({"tempo": 120})
    wait_text(page, ".response", "1 echo, after 1 s.")


def test_a_new_structure_keeps_the_sheet_of_a_node_that_remains(browser):
    other = rig()
    other.name = "Other"
    session, page = opened(browser, songs=[rig(), other, chain(8)])
    open_sheet(page, "tone")
    session.begin(1)
    session.change({"tone.frequency": 300})
    wait_text(page, ".sheet", "300 Hz")
    page.focus(control("Frequency", "tone"))
    page.keyboard.press("Delete")
    until(lambda: other.values["tone.frequency"] == 1000)
    session.begin(2)
    wait(page, "() => document.querySelector('.sheet').hidden")


def test_a_stale_and_a_late_press_change_nothing(browser):
    session, page = opened(browser)
    open_sheet(page, "amp")
    switch = "[aria-label='Boost of amp']"
    # Two presses at once are one.
    page.evaluate("""(name) => { for (let n = 0; n < 2; n += 1)
        document.querySelector(name).click(); }""", switch)
    until(lambda: sent(session, "amp.boost") == [True])
    assert all(each["revision"] >= 100 for each in session.sent("set"))
    session.is_closed = True
    session.drop()
    wait_text(page, ".away", "No connection to Stompline")
    assert page.get_attribute(switch, "aria-disabled") == "true"
    time.sleep(0.4)
    page.click(switch, force=True)
    page.focus("[aria-label='Character of amp']")
    page.keyboard.press("ArrowDown")
    wait_text(page, ".message", "Not sent: there is no connection")
    until(lambda: page.locator("[aria-label='Character of amp']").input_value() == "warm")
    time.sleep(0.2)
    assert sent(session, "amp.boost") == [True] and sent(session, "amp.character") == []


def test_200_nodes_stay_usable(browser):
    session, page = opened(browser, "tablet", songs=[chain(200)])
    until(lambda: page.locator(".card-button").count() == 201)
    session.set_part("status", dict(session.parts["status"], nodes=[
        {"id": f"f{n}", "load_mean": 0.001, "load_worst": 0.002, "latency_frames": 0}
        for n in range(200)]))
    wait(page, "() => [...document.querySelectorAll('.card-words .load')].filter("
               "(each) => each.textContent === 'load 0.1 %').length === 200")
    # What a press costs does not grow with each frame: no layout or long task while levels move.
    page.evaluate("""() => { window.long = 0; new PerformanceObserver((list) => {
        window.long += list.getEntries().length; }).observe({entryTypes: ["longtask"]}); }""")
    page.focus(".pane")
    page.keyboard.press("0")
    box = box_of(page, ".plane > svg")
    assert box["width"] <= 821 and box["height"] <= 1181, box
    page.focus(CARD.format("f150"))
    page.keyboard.press("Enter")
    wait_text(page, ".sheet h2", "f150")
    page.focus(control("Gain", "f150"))
    page.keyboard.press("ArrowRight")
    until(lambda: session.song.values["f150.gain"] > 0)
    value = "document.querySelector(\"g[data-address='f150.frequency'] .value\").textContent"
    session.change({"f150.frequency": 123})
    wait(page, f"() => {value} === '123 Hz'")
    # A meter changes no element of the drawing: the number of frames with layout stays small.
    shifts = page.evaluate("""() => new Promise((done) => {
        let changes = 0;
        const watch = new MutationObserver((list) => { changes += list.filter((each) =>
            each.target.closest?.("svg") && each.target.closest(".plane")).length; });
        watch.observe(document.querySelector(".plane"), {subtree: true, attributes: true,
            childList: true, characterData: true});
        setTimeout(() => { watch.disconnect(); done(changes); }, 1000);
    })""")
    assert shifts == 0, shifts


def test_the_drawing_follows_the_look(browser):
    session, page = opened(browser)
    read = """() => {
        const style = (selector) => getComputedStyle(document.querySelector(selector));
        return [style("g[data-node='tone'] text").fill, style("g[data-node='tone'] > rect").fill,
                style("g.wire path").stroke, style(".pane").backgroundColor];
    }"""
    dark = page.evaluate(read)
    page.click("header .look")
    light = page.evaluate(read)
    assert all(first != second for first, second in zip(dark, light)), (dark, light)


def test_every_screen_has_the_board_and_its_buttons(browser):
    session, page = opened(browser)
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        facts = page.evaluate("""() => ({
            wide: document.documentElement.scrollWidth > innerWidth,
            out: [...document.querySelectorAll(".zoom button, header button")]
                .filter((each) => each.checkVisibility()).filter((each) => {
                    const box = each.getBoundingClientRect();
                    return box.left < 0 || box.right > innerWidth || box.bottom > innerHeight;
                }).map((each) => each.outerHTML.slice(0, 80)),
        })""")
        assert not facts["wide"] and not facts["out"], (size, facts)
    page.set_viewport_size({"width": 1180, "height": 820})
    right = centre(page, ".zoom")[0]
    left = browser.open(session.url, "tablet, landscape", view="board", hand="left")
    left.wait_for_selector(CARD.format("tone"))
    assert centre(left, ".zoom")[0] < 590 < right
    open_sheet(left, "tone")
    assert centre(left, ".sheet")[0] < centre(left, ".pane")[0]
