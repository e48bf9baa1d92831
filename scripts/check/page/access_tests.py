"""Access for everybody: axe-core, names, sizes and the keyboard, against a fake session."""

import re
from collections import Counter

from axe_playwright_python.sync_playwright import Axe

from browser import ASSETS, until, until_still, wait_text
from fake_files import FileSession, pedalboard, setlist
from fake_session import rig

#: All controls.
CONTROLS = "button, select, input, textarea, [role=slider]"

#: The rules of WCAG 2.2, levels A and AA, and the good practice of axe-core.
OPTIONS = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


def check(page, what):
    result = Axe().run(page, options=OPTIONS)
    violations = [(each["id"], [node["html"][:160] for node in each["nodes"]][:3])
                  for each in result.response["violations"]]
    assert not violations, (what, violations)


def busy(browser):
    session = browser.fake()
    session.master["tuner"] = "mic"
    session.master["mute"] = True
    session.pitch = 440.0
    session.song.values["desk.mic.solo"] = True
    session.song.values["desk.guitar.mute"] = True
    session.parts["status"]["xruns"] = 3
    session.parts["status"]["limiter_gain_db"] = -2.5
    session.peak = lambda channel, now: 0.0
    return session


def test_axe_finds_no_violation(browser):
    session = busy(browser)
    for size, look in [("phone", "dark"), ("laptop", "light")]:
        page = browser.open(session.url, size, look=look)
        wait_text(page, ".problems", "interrupted 3 times")
        check(page, f"stage, {size}, {look}")
        page.keyboard.press("2")
        check(page, f"mixer, {size}, {look}")
        page.keyboard.press("4")
        check(page, f"setlist, {size}, {look}")
        page.keyboard.press("5")
        check(page, f"connections, {size}, {look}")
        page.click("header [aria-label=Settings]")
        check(page, f"settings, {size}, {look}")


def with_rig(browser):
    """Returns a session with everything that the board can show."""
    session = busy(browser)
    session.songs.insert(0, rig())
    session.parts["status"]["nodes"] = [
        {"id": "tone", "load_mean": 0.012, "load_worst": 0.03, "latency_frames": 96}]
    session.song.values["secret.bypass"] = True
    session.song.values["desk.amp.mute"] = True
    session.parts["connections"] = {"ports": [
        {"port": "mic", "direction": "input", "kind": "audio", "connected": False, "to": [],
         "unmatched": [{"rule": "system:capture_9", "nearest": "system:capture_1"}]},
        {"port": "main_1", "direction": "output", "kind": "audio", "connected": True,
         "to": ["system:playback_1"], "unmatched": []}], "changed": []}
    return session


def open_sheet(page, node):
    page.focus(f".card-button[data-node='{node}']")
    page.keyboard.press("Enter")
    wait_text(page, ".sheet h2", node)


def test_axe_finds_no_violation_on_the_board_and_in_its_sheets(browser):
    session = with_rig(browser)
    for size, look, nodes in [("small phone", "dark", ["tone", "amp", "desk"]),
                              ("laptop", "light", ["echo", "secret", "desk"])]:
        page = browser.open(session.url, size, view="board", look=look)
        page.wait_for_selector(".card-button", state="attached")
        wait_text(page, ".card-words .bypassed", "BYPASSED")
        check(page, f"board, {size}, {look}")
        for node in nodes:
            open_sheet(page, node)
            check(page, f"sheet of {node}, {size}, {look}")
        page.click("[aria-label='Type a value: gain of desk']")
        check(page, f"typing, {size}, {look}")
        page.keyboard.press("Escape")
        page.keyboard.press("5")
        check(page, f"connections, {size}, {look}")
        if size == "small phone":
            page.click(".view-menu")
            check(page, f"views, {size}, {look}")


def with_files(browser):
    session = FileSession({"a": pedalboard(), "b": pedalboard()}, ASSETS, setlist()).start()
    browser.sessions.append(session)
    return session


def focus_and_press(page, selector):
    page.focus(selector)
    page.keyboard.press("Enter")


def test_axe_finds_no_violation_in_the_edit_modes(browser):
    for size, look in [("small phone", "dark"), ("laptop", "light")]:
        session = with_files(browser)
        page = browser.open(session.url, size, view="board", look=look)
        page.wait_for_selector(".card-button", state="attached")
        focus_and_press(page, ".edit-toggle")
        page.wait_for_selector(".cable-button", state="attached")
        check(page, f"edit mode, {size}, {look}")
        bar = ".board .edit-bar button:text-is('{}')"
        for tool, ready in [("Add a node", ".type-choice"), ("Scenes", ".song-parts"),
                            ("Controls", ".song-parts"), ("Inputs, outputs", ".song-parts")]:
            focus_and_press(page, bar.format(tool))
            page.wait_for_selector(f".panel {ready}")
            check(page, f"{tool}, {size}, {look}")
        focus_and_press(page, ".out-handle[data-source='mic']")
        check(page, f"connect, {size}, {look}")
        focus_and_press(page, ".cable-button")
        check(page, f"cable, {size}, {look}")
        focus_and_press(page, ".card-button[data-node='echo']")
        page.wait_for_selector(".node-tools")
        check(page, f"tools of a node, {size}, {look}")
        focus_and_press(page, ".node-tools button:text-is('Move')")
        check(page, f"choosing a cable, {size}, {look}")
        with session.lock:
            session.files["/songs/a.json"] += " "
        focus_and_press(page, ".cable-button")
        wait_text(page, ".edit-report", "Somebody else was faster")
        check(page, f"conflict, {size}, {look}")
        page.keyboard.press("Escape")
        page.keyboard.press("4")
        focus_and_press(page, ".setlist-toggle")
        focus_and_press(page, "[aria-label='Details of Ballad']")
        check(page, f"setlist, {size}, {look}")


def test_the_keyboard_reaches_every_control_of_the_edit_modes(browser):
    session = with_files(browser)
    for view, toggle in [("board", ".edit-toggle"), ("setlist", ".setlist-toggle")]:
        page = browser.open(session.url, view=view)
        if view == "board":
            page.wait_for_selector(".card-button")
        focus_and_press(page, toggle)
        if view == "board":
            focus_and_press(page, ".board .edit-bar button:text-is('Scenes')")
            page.wait_for_selector(".panel .song-parts")
        else:
            focus_and_press(page, "[aria-label='Details of Ballad']")
        reach_all(page, view, None)


def test_axe_finds_no_violation_without_a_connection(browser):
    session = busy(browser)
    page = browser.open(session.url, "phone")
    session.is_closed = True
    session.drop()
    wait_text(page, ".away", "Nothing you press is sent")
    check(page, "offline")


def reach_all(page, view, node):
    """Fails unless the Tab key reaches every control that can act."""
    count = until_still(lambda: page.evaluate("""(controls) =>
        [...document.querySelectorAll(controls)]
            .filter((each) => each.checkVisibility() && !each.disabled).length""", CONTROLS))
    reached = page.evaluate("() => { window.reached = new Set(); return 0; }")
    for _ in range(count + 6):
        page.keyboard.press("Tab")
        reached = page.evaluate("""(controls) => {
            const at = document.activeElement;
            if (at.matches(controls)) reached.add(at);
            return reached.size;
        }""", CONTROLS)
    assert reached == count, (view, node, reached, count)


def test_the_keyboard_reaches_every_control(browser):
    session = with_rig(browser)
    for view, node in [("stage", None), ("mixer", None), ("board", "amp"), ("board", "desk"),
                       ("setlist", None), ("connections", None)]:
        page = browser.open(session.url, view=view)
        if node:
            page.wait_for_selector(".card-button")
            open_sheet(page, node)
        reach_all(page, view, node)


def test_every_control_has_a_name_and_a_size_for_a_thumb(browser):
    session = with_rig(browser)
    page = browser.open(session.url, "phone")
    for view in ["1", "2", "3", "amp", "tone", "desk", "4", "5"]:
        if len(view) == 1:
            page.keyboard.press(view)
        else:
            page.wait_for_selector(".card-button", state="attached")
            open_sheet(page, view)
        bad = page.evaluate("""(controls) => [...document.querySelectorAll(controls)]
            .filter((each) => each.checkVisibility())
            .filter((each) => !(each.ariaLabel || each.innerText.trim())
                || each.offsetHeight < 40 || each.offsetWidth < 35)
            .map((each) => each.outerHTML.slice(0, 120))""", CONTROLS)
        assert bad == [], (view, bad)


def test_sliders_say_their_value_with_its_unit(browser):
    session = browser.fake()
    page = browser.open(session.url, view="mixer")
    sliders = page.locator("[role=slider]").evaluate_all("""all => all.map((each) => [
        each.ariaLabel, each.ariaValueText, each.ariaValueNow, each.ariaValueMin,
        each.ariaValueMax, each.ariaOrientation])""")
    assert len(sliders) == 5 * 2 + 1 + 2 * 2 + 1 + 1, len(sliders)
    for name, words, now, low, high, direction in sliders:
        assert name and float(low) <= float(now) <= float(high), name
        assert direction == ("horizontal" if name.startswith("Pan") else "vertical")
        assert words.endswith(" dB") or words in ["silent", "centre"], (name, words)


def test_the_sliders_of_a_sheet_say_their_value_with_its_unit(browser):
    session = with_rig(browser)
    page = browser.open(session.url, view="board")
    page.wait_for_selector(".card-button")
    for node, spoken in [("tone", {"Frequency of tone": "2 kHz", "Gain of tone": "+6 dB"}),
                         ("amp", {"Level of amp": "0.5 (−6.0 dB)", "Voices of amp": "4"}),
                         ("echo", {"Time of echo": "400 ms", "Beats of echo": "0 beats"})]:
        open_sheet(page, node)
        until(lambda: spoken.items() <= page.locator(".sheet [role=slider]").evaluate_all(
            "all => Object.fromEntries(all.map((each) => [each.ariaLabel, each.ariaValueText]))").items(), node)
        ranges = page.locator(".sheet [role=slider]").evaluate_all("""all => all.every((each) =>
            Number(each.ariaValueMin) <= Number(each.ariaValueNow)
            && Number(each.ariaValueNow) <= Number(each.ariaValueMax))""")
        assert ranges, node


def test_a_state_is_never_a_colour_alone(browser):
    session = busy(browser)
    page = browser.open(session.url)
    for selector, words in [(".mute.pad", "Muted"), (".choice[aria-pressed=true]", "mic"),
                            (".clip", "CLIP"), (".connection", "Live"), (".verdict", "in tune")]:
        wait_text(page, selector, words)
    page.keyboard.press("2")
    until(lambda: page.locator(".strip.is-muted .state").first.inner_text() == "muted")


def test_every_text_has_one_key(browser):
    source = (ASSETS / "texts.js").read_text()
    keys = re.findall(r"^  (\w+):", source, flags=re.M)
    assert len(keys) > 300, len(keys)
    assert [key for key, count in Counter(keys).items() if count > 1] == []
    # Nobody asks for a text that does not exist.
    for path in ASSETS.glob("*.js"):
        for key in re.findall(r'\btext\("(\w+)"[,)]', path.read_text()):
            assert re.search(rf"\b{key}: ", source), (path.name, key)
