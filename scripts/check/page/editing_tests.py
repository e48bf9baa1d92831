"""The edit modes of the board and of the setlist view, against a fake session with files."""

import json
import time

from browser import ASSETS, SIZES, Fingers, centre, until, until_still, wait, wait_live, wait_text
from fake_files import FileSession, patched, pedalboard, setlist

CARD = ".card-button[data-node='{}']"
CABLE = ".cable-button[data-from='{}'][data-to='{}']"
#: The sizes on which everything that can be edited is edited.
SCREENS = ["small phone", "tablet", "laptop"]


def opened(browser, size="laptop", files=None, **options):
    """Opens the board in its edit mode."""
    session = FileSession(files or {"a": pedalboard()}, ASSETS, options.pop("setlist", None)).start()
    browser.sessions.append(session)
    page = browser.open(session.url, size, view="board", **options)
    page.wait_for_selector(".plane > svg", state="attached")
    press(page, ".edit-toggle")
    page.wait_for_selector(".cable-button", state="attached")
    return session, page


#: The time in seconds in which a button ignores a second press, and a little more.
GUARD = 0.35
#: When each button was pressed last, by page and selector.
pressed = {}


def press(page, selector):
    """Presses a button by the keyboard, wherever the drawing shows it."""
    page.wait_for_selector(selector)
    time.sleep(max(0, pressed.get((page, selector), 0) + GUARD - time.monotonic()))
    page.focus(selector)
    page.keyboard.press("Enter")
    pressed[page, selector] = time.monotonic()


def ids(session, name="a"):
    return [node["id"] for node in session.root(name)["nodes"]]


def node(session, id, name="a"):
    return next(each for each in session.root(name)["nodes"] if each["id"] == id)


def has_focus(page, selector):
    wait(page, "(selector) => document.activeElement?.matches(selector)", selector)


#: Stops the script of the page, and presses "Remove" in the same moment in which it continues.
WAKE = """setTimeout(() => { debugger; [...document.querySelectorAll(".node-tools button")]
    .find((each) => each.textContent === "Remove").click(); }, 0)"""


def fall_asleep(page):
    """Stops the page; returns the session whose `Debugger.resume` wakes it."""
    devtools = page.context.new_cdp_session(page)
    paused = []
    devtools.on("Debugger.paused", lambda event: paused.append(event))
    devtools.send("Debugger.enable")
    page.evaluate(WAKE)
    # Events arrive during commands.
    until(lambda: devtools.send("Debugger.setAsyncCallStackDepth", {"maxDepth": 0}) is not None and paused,
          "the page stops")
    return devtools


def choose(page, words, type):
    """Searches the palette, and chooses a type."""
    # The first list of plugins takes long on a busy machine.
    page.wait_for_selector(".type-choice", timeout=120_000)
    page.fill(".type-search input", words)
    press(page, f".type-choice[data-type='{type}']")


def test_outside_the_edit_mode_nothing_edits(browser):
    session = FileSession({"a": pedalboard()}, ASSETS).start()
    browser.sessions.append(session)
    page = browser.open(session.url, "tablet", view="board")
    page.wait_for_selector(CARD.format("echo"), state="attached")
    assert page.locator(".cable-button, .out-handle").count() == 0
    assert not page.locator(".board .edit-bar").is_visible()
    press(page, CARD.format("echo"))
    wait_text(page, ".sheet h2", "echo")
    assert page.locator(".node-tools").count() == 0
    session.undos.append(("x", "/songs/a.json", session.files["/songs/a.json"]))
    session.reload()
    page.keyboard.press("Control+z")
    time.sleep(0.3)
    assert session.undos and session.edits == []


def test_a_node_is_added_on_a_cable_undone_and_redone(browser):
    for size in SCREENS:
        session, page = opened(browser, size)
        before = session.root("a")
        assert page.get_attribute(".undo", "aria-disabled") == "true"
        press(page, CABLE.format("tone", "echo"))
        wait_text(page, ".panel h2", "Cable from tone to echo")
        press(page, ".panel button:text-is('Add a node here')")
        choose(page, "warm", "urn:warm")
        until(lambda: session.edits)
        assert session.edits[-1]["operations"] == [
            {"op": "add", "path": "/nodes/1",
             "value": {"id": "warm-tube", "type": "lv2", "uri": "urn:warm"}},
            # The other path still begins at the filter, and needs no word for it.
        ], session.edits[-1]
        assert session.edits[-1]["name"] == "add Warm Tube"
        has_focus(page, CARD.format("warm-tube"))
        wait_text(page, ".message", "Done: add Warm Tube")
        assert page.get_attribute(".undo", "aria-label") == "Undo add Warm Tube"
        page.keyboard.press("Control+z")
        until(lambda: session.root("a") == before)
        wait(page, "() => document.querySelector('.redo').ariaLabel === 'Redo add Warm Tube'")
        page.keyboard.press("Control+Shift+Z")
        until(lambda: "warm-tube" in ids(session))
        press(page, ".undo")
        until(lambda: session.root("a") == before)
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), size


def test_undo_acts_as_often_as_it_is_pressed(browser):
    session, page = opened(browser)
    before = session.root("a")
    for count, type in enumerate(["gain", "filter"], 1):
        press(page, CABLE.format("mic", type == "gain" and "tone" or "gain"))
        press(page, ".panel button:text-is('Add a node here')")
        choose(page, type, type)
        until(lambda: len(session.edits) == count)
        has_focus(page, CARD.format(type))
    wait(page, "() => document.querySelector('.undo').ariaLabel === 'Undo add Filter'")
    page.evaluate("() => { for (let i = 0; i < 2; i++) document.querySelector('.undo').click(); }")
    until(lambda: session.root("a") == before)


def test_the_palette_searches_marks_and_remembers(browser):
    for size in SCREENS:
        session, page = opened(browser, size)
        press(page, ".board .edit-bar button:text-is('Add a node')")
        page.wait_for_selector(".type-choice")
        names = page.locator(".type-choice strong").all_inner_texts()
        assert names[:6] == ["Gain", "Filter", "Delay", "Mixer", "Player", "Recorder"], names
        assert names[-1] == "Odd One", names
        has_focus(page, ".type-search input")
        wait_text(page, ".type-choice[data-type='urn:bomb']",
                  "Has crashed: an earlier run ended inside it, in its run")
        press(page, ".type-choice[data-type='urn:odd']")
        wait_text(page, ".message", "Cannot be used: it needs urn:feature")
        press(page, ".types li:has([data-type='urn:warm']) .star")
        page.fill(".type-search input", "somebody delay")
        wait_text(page, ".panel [role=status]", "1 type")
        page.fill(".type-search input", "")
        page.select_option(".type-search select", "*")
        wait_text(page, ".panel [role=status]", "1 type")
        assert page.locator(".type-choice").inner_text().startswith("Warm Tube")
        page.select_option(".type-search select", "=Filter")
        press(page, ".type-choice[data-type='filter']")
        # At the end: the sum goes through it.
        wait_text(page, ".placing", "Choose a cable for Filter.")
        press(page, ".placing button:text-is('At the end')")
        until(lambda: ids(session)[-1] == "filter")
        assert session.edits[-1]["operations"] == [
            {"op": "add", "path": "/nodes/-", "value": {"id": "filter", "type": "filter"}}]
        has_focus(page, CARD.format("filter"))
        press(page, ".board .edit-bar button:text-is('Add a node')")
        page.wait_for_selector(".type-choice")
        page.select_option(".type-search select", "<")
        wait_text(page, ".panel [role=status]", "1 type")
        press(page, ".type-choice[data-type='filter']")
        press(page, CABLE.format("tone", "side"))
        until(lambda: len(session.edits) == 2)
        assert node(session, "side")["from"] == "filter-2"


def test_a_source_is_mixed_in(browser):
    session, page = opened(browser)
    press(page, CABLE.format("desk", "main"))
    press(page, ".panel button:text-is('Add a node here')")
    choose(page, "player", "player")
    page.fill(".panel input", "band.wav")
    page.press(".panel input", "Enter")
    until(lambda: session.edits)
    assert session.root("a")["nodes"][-2:] == [
        {"id": "player", "type": "player", "settings": {"file": "band.wav"}},
        {"id": "mix", "type": "mixer", "from": ["desk", "player"]}], session.root("a")["nodes"]
    has_focus(page, CARD.format("player"))
    press(page, CABLE.format("side", "desk"))
    press(page, ".panel button:text-is('Add a node here')")
    choose(page, "player", "player")
    page.fill(".panel input", "click.wav")
    page.press(".panel input", "Enter")
    until(lambda: len(session.edits) == 2)
    assert node(session, "desk")["from"] == ["echo", "side", "player-2"]


def test_a_node_is_removed_and_the_gap_is_closed(browser):
    for size in SCREENS:
        session, page = opened(browser, size)
        press(page, CARD.format("echo"))
        press(page, ".node-tools button:text-is('Remove')")
        until(lambda: session.edits)
        root = session.root("a")
        assert ids(session) == ["tone", "side", "desk"]
        # The strip keeps its values under its new name; what named the node is gone.
        assert node(session, "desk") == {"id": "desk", "type": "mixer", "from": ["tone", "side"],
                                         "parameters": {"tone.gain": -3}}
        assert root["scenes"] == {"verse": {}, "solo": {}}
        assert [each["cc"] for each in root["midi"] if "cc" in each] == [12]
        wait(page, "(gone) => !document.querySelector(gone)", CARD.format("echo"))
        has_focus(page, ".pane")
        assert not page.locator(".sheet").is_visible()


def test_a_node_moves_to_another_cable_by_buttons_and_by_dragging(browser):
    for size in SCREENS:
        session, page = opened(browser, size)
        press(page, CARD.format("side"))
        press(page, ".node-tools button:text-is('Move')")
        wait_text(page, ".placing", "Choose a cable for side.")
        assert page.get_attribute(CABLE.format("mic", "tone"), "aria-label") == \
            "Put side between mic and tone"
        press(page, CABLE.format("mic", "tone"))
        until(lambda: session.edits)
        assert ids(session)[0] == "side", ids(session)
        assert "from" not in node(session, "tone")
        assert node(session, "desk")["from"] == ["echo", "tone"]
        has_focus(page, CARD.format("side"))
        press(page, ".undo")
        until(lambda: ids(session)[0] == "tone")
        wait(page, "() => document.querySelector('.undo').ariaLabel === 'Undo'")
        press(page, CARD.format("side"))
        press(page, ".node-tools button:text-is('Move')")
        page.keyboard.press("Escape")
        wait(page, "() => document.querySelector('.placing').hidden")
        has_focus(page, ".pane")
        press(page, CABLE.format("mic", "tone"))
        wait_text(page, ".panel h2", "Cable from mic to tone")


def test_a_card_is_dragged_to_a_cable(browser):
    for size in ["tablet, landscape", "laptop"]:
        session, page = opened(browser, size)
        press(page, ".zoom button:nth-child(2)")
        time.sleep(0.2)
        fingers = Fingers(page)
        fingers.down(0, *centre(page, CARD.format("side")))
        fingers.drag({0: centre(page, CABLE.format("mic", "tone"))})
        page.wait_for_selector(".drag-mark")
        page.wait_for_selector(CABLE.format("mic", "tone") + ".takes")
        fingers.up()
        until(lambda: session.edits)
        assert ids(session)[0] == "side"
        assert page.locator(".drag-mark").count() == 0
        # A drag that ends elsewhere, or is cancelled, edits nothing.
        wait(page, "(card) => document.querySelector(card)", CARD.format("side"))
        fingers.down(0, *centre(page, CARD.format("echo")))
        fingers.drag({0: (5, 300)})
        fingers.up()
        time.sleep(0.2)
        assert len(session.edits) == 1


def test_a_type_is_dragged_from_the_palette(browser):
    session, page = opened(browser)
    press(page, ".board .edit-bar button:text-is('Add a node')")
    page.wait_for_selector(".type-choice")
    press(page, ".zoom button:nth-child(2)")
    time.sleep(0.3)
    page.mouse.move(*centre(page, ".types li:has([data-type='gain']) .handle"))
    page.mouse.down()
    page.mouse.move(*centre(page, CABLE.format("tone", "echo")), steps=10)
    page.wait_for_selector(CABLE.format("tone", "echo") + ".takes")
    page.mouse.up()
    until(lambda: session.edits)
    assert ids(session)[:3] == ["tone", "gain", "echo"], ids(session)


def test_outputs_are_connected_and_disconnected(browser):
    for size in SCREENS:
        session, page = opened(browser, size)
        press(page, ".out-handle[data-source='line']")
        wait_text(page, ".panel h2", "Connect line with")
        page.select_option(".panel select", "line:2")
        press(page, "[aria-label='New strip in desk']")
        until(lambda: session.edits)
        assert session.edits[-1]["operations"] == [
            {"op": "add", "path": "/nodes/3/from/-", "value": "line:2"}]
        page.wait_for_selector(CABLE.format("line", "desk"), state="attached")
        has_focus(page, CARD.format("desk"))
        press(page, CABLE.format("line", "desk"))
        press(page, ".panel button:text-is('Disconnect')")
        until(lambda: len(session.edits) == 2)
        assert node(session, "desk")["from"] == ["echo", "side"]
        page.wait_for_selector(CABLE.format("line", "desk"), state="detached")
        has_focus(page, CARD.format("desk"))
        # Mixing into an effect makes a mixer.
        press(page, ".out-handle[data-source='line']")
        press(page, "[aria-label='Mix into what side receives']")
        until(lambda: len(session.edits) == 3)
        mix = node(session, "mix")
        assert mix["from"] == ["tone", "line"] and ids(session).index("mix") == 2, ids(session)
        has_focus(page, CARD.format("side"))
        # The only source of a node stays.
        page.wait_for_selector(CABLE.format("mic", "tone"), state="attached")
        press(page, CABLE.format("mic", "tone"))
        press(page, ".panel button:text-is('Disconnect')")
        wait_text(page, ".message", "“tone” must have a source")
        assert len(session.edits) == 3


def test_a_cable_is_drawn_from_a_handle_to_a_card(browser):
    session, page = opened(browser)
    press(page, ".zoom button:nth-child(2)")
    time.sleep(0.2)
    page.mouse.move(*centre(page, ".out-handle[data-source='line']"))
    page.mouse.down()
    page.mouse.move(*centre(page, CARD.format("desk")), steps=10)
    page.mouse.up()
    until(lambda: session.edits)
    assert node(session, "desk")["from"] == ["echo", "side", "line"]


def test_a_side_chain_is_connected_by_its_port(browser):
    root = pedalboard()
    root["nodes"][2] = {"id": "side", "type": "lv2", "uri": "urn:duck", "from": "line"}
    session, page = opened(browser, files={"a": root})
    press(page, ".out-handle[data-source='echo']")
    press(page, "[aria-label='Show the ports of side']")
    press(page, "[aria-label='side of side']")
    until(lambda: session.edits)
    assert node(session, "side")["ports"] == {"in_l": "line:1", "in_r": "line:2", "side": "echo"}
    assert "from" not in node(session, "side")


def test_a_node_is_renamed_duplicated_replaced_and_bypassed(browser):
    for size in SCREENS:
        session, page = opened(browser, size)
        press(page, CARD.format("echo"))
        press(page, ".node-tools button:text-is('Rename')")
        page.fill(".panel input", "1 wrong")
        page.press(".panel input", "Enter")
        wait_text(page, ".panel [role=status]", "A name begins with a letter")
        page.fill(".panel input", "slap")
        page.press(".panel input", "Enter")
        until(lambda: session.edits)
        root = session.root("a")
        assert node(session, "desk")["from"] == ["slap", "side"]
        assert node(session, "desk")["parameters"] == {"slap.gain": -3}
        assert root["scenes"]["solo"] == {"slap.feedback": 0.6}
        assert root["midi"][0]["to"] == "slap.feedback"
        has_focus(page, CARD.format("slap"))
        press(page, CARD.format("tone"))
        press(page, ".node-tools button:text-is('Duplicate')")
        until(lambda: "tone-2" in ids(session))
        assert node(session, "tone-2")["parameters"] == {"frequency": 200}
        assert node(session, "side")["from"] == "tone-2"
        assert "from" not in node(session, "slap")
        has_focus(page, CARD.format("tone-2"))
        press(page, CARD.format("tone"))
        press(page, ".node-tools button:text-is('Bypass at the start')")
        until(lambda: node(session, "tone").get("bypass") is True)
        page.wait_for_selector(".node-tools [aria-pressed=true]")
        has_focus(page, ".node-tools [aria-pressed]")
        press(page, ".node-tools button:text-is('Replace')")
        choose(page, "gain", "gain")
        until(lambda: node(session, "tone")["type"] == "gain")
        # The frequency is gone, and the control of the gain, which both have, stays.
        assert node(session, "tone") == {"id": "tone", "type": "gain", "bypass": True}
        assert session.root("a")["midi"][1] == {"cc": 12, "to": "tone.gain"}


def test_a_conflict_reads_the_new_text_and_asks_again(browser):
    for size in SCREENS:
        session, page = opened(browser, size)
        press(page, CARD.format("side"))
        page.wait_for_selector(".node-tools")
        # The page has read the file. Then an editor saves without a message to it.
        until(lambda: session.text_count > 0)
        # It draws the tools again when it knows the text; a key would go to the old ones.
        time.sleep(0.5)
        root = session.root("a")
        root["description"] = "by hand"
        with session.lock:
            session.files["/songs/a.json"] = json.dumps(root)
        press(page, ".node-tools button:text-is('Remove')")
        wait_text(page, ".edit-report", "Somebody else was faster: remove side")
        has_focus(page, ".edit-report .repeat")
        assert "side" in ids(session) and session.edits == []
        page.keyboard.press("Enter")
        until(lambda: "side" not in ids(session))
        assert session.root("a")["description"] == "by hand"


def test_an_edit_from_before_a_lost_connection_is_not_sent(browser):
    session, page = opened(browser)
    session.text_gate.clear()
    press(page, CARD.format("side"))
    press(page, ".node-tools button:text-is('Remove')")
    session.drop()
    until(lambda: len(session.clients) == 1)
    wait_live(page)
    # The page now reads the content that its user had not seen.
    session.text_gate.set()
    wait_text(page, ".message", "Not sent: the connection was lost meanwhile")
    assert "side" in ids(session) and session.edits == []


def test_a_refusal_names_the_place(browser):
    session, page = opened(browser, "small phone")
    session.songs_of_files = lambda: (_ for _ in ()).throw(AssertionError("the mixer is too wide"))
    press(page, CARD.format("side"))
    press(page, ".node-tools button:text-is('Duplicate')")
    wait_text(page, ".edit-report", "Not done: duplicate side")
    wait_text(page, ".edit-report", "The file is as it was.")
    wait_text(page, ".edit-report li", "the mixer is too wide.")
    wait_text(page, ".edit-report li", "a.json, line 3: nodes 2, from")
    page.keyboard.press("Escape")
    wait(page, "() => document.querySelector('.edit-report').hidden")


def test_a_page_that_slept_edits_nothing(browser):
    session, page = opened(browser)
    press(page, CARD.format("side"))
    page.wait_for_selector(".node-tools")
    devtools = fall_asleep(page)
    root = session.root("a")
    root["nodes"][2]["parameters"] = {"gain": -6}
    session.write("/songs/a.json", json.dumps(root))
    time.sleep(6)
    devtools.send("Debugger.resume")
    time.sleep(1)
    assert session.root("a") == root
    wait_text(page, ".connection", "Live")


def test_a_hand_edit_appears_and_two_pages_converge(browser):
    session, page = opened(browser)
    other = browser.open(session.url, "small phone", view="board")
    root = session.root("a")
    root["nodes"].insert(1, {"id": "hand", "type": "gain"})
    session.write("/songs/a.json", json.dumps(root))
    for each in [page, other]:
        each.wait_for_selector(CARD.format("hand"), state="attached")
    press(page, CARD.format("hand"))
    press(page, ".node-tools button:text-is('Remove')")
    other.wait_for_selector(CARD.format("hand"), state="detached")
    press(other, ".edit-toggle")
    wait(other, "() => document.querySelector('.undo').ariaLabel === 'Undo remove hand'")
    press(other, ".undo")
    page.wait_for_selector(CARD.format("hand"), state="attached")


def test_scenes_are_added_renamed_and_removed(browser):
    for size in SCREENS:
        session, page = opened(browser, size)
        session.change({"echo.feedback": 0.5})
        press(page, ".board .edit-bar button:text-is('Scenes')")
        page.wait_for_selector(".song-parts")
        page.fill(".panel form input", "verse")
        page.press(".panel form input", "Enter")
        wait_text(page, ".panel [role=status]", "There is a scene “verse” already.")
        page.fill(".panel form input", "bridge")
        page.press(".panel form input", "Enter")
        until(lambda: list(session.root("a")["scenes"]) == ["verse", "solo", "bridge"])
        assert session.root("a")["scenes"]["bridge"] == {"echo.feedback": 0.5}
        wait_text(page, ".song-parts", "bridge")
        press(page, "[aria-label='Rename solo']")
        page.fill(".panel form input", "lead")
        page.press(".panel form input", "Enter")
        until(lambda: list(session.root("a")["scenes"]) == ["verse", "lead", "bridge"])
        assert session.root("a")["midi"][2] == {"program": 1, "scene": "lead"}
        page.wait_for_selector("[aria-label='Remove lead']")
        press(page, "[aria-label='Remove lead']")
        until(lambda: list(session.root("a")["scenes"]) == ["verse", "bridge"])
        assert all("scene" not in each for each in session.root("a")["midi"])


def test_controls_are_listed_and_removed(browser):
    session, page = opened(browser, "small phone")
    press(page, ".board .edit-bar button:text-is('Controls')")
    wait_text(page, ".song-parts", "Controller 11")
    wait_text(page, ".song-parts", "→ echo.feedback")
    wait_text(page, ".song-parts", "→ scene solo")
    press(page, "[aria-label='Remove Controller 12, tone.gain']")
    until(lambda: [each.get("cc") for each in session.root("a")["midi"]] == [11, None])
    assert session.edits[-1]["operations"] == [{"op": "remove", "path": "/midi/1"}]


def test_the_settings_of_a_node_are_changed_in_the_file(browser):
    for size in SCREENS:
        session, page = opened(browser, size)
        press(page, CARD.format("echo"))
        press(page, ".node-tools button:text-is('Settings')")
        has_focus(page, "[aria-label='Setting maximum']")
        labels = page.locator(".setting-fields label > span:first-child").all_inner_texts()
        assert labels == ["maximum (s)", "taps", "tape", "sync", "title"], labels
        page.fill("[aria-label='Setting maximum']", "70")
        page.press("[aria-label='Setting maximum']", "Enter")
        wait_text(page, ".panel [role=status]", "maximum must be a number from 0.001 to 60")
        page.fill("[aria-label='Setting maximum']", "1,5")
        page.fill("[aria-label='Setting taps']", "2.5")
        page.press("[aria-label='Setting taps']", "Enter")
        wait_text(page, ".panel [role=status]", "taps must be a whole number from 1 to 8")
        page.fill("[aria-label='Setting taps']", "3")
        page.select_option("[aria-label='Setting tape']", label="worn")
        page.select_option("[aria-label='Setting sync']", label="Yes")
        page.fill("[aria-label='Setting title']", "slap")
        assert session.edits == []
        page.keyboard.press("Enter")
        until(lambda: session.edits)
        assert session.edits[-1]["name"] == "change the settings of echo"
        whole = {"maximum": 1.5, "taps": 3, "tape": "worn", "sync": True, "title": "slap"}
        assert node(session, "echo")["settings"] == whole, node(session, "echo")
        has_focus(page, CARD.format("echo"))
        # Only changed values are written, and an empty field removes the setting.
        press(page, CARD.format("echo"))
        press(page, ".node-tools button:text-is('Settings')")
        has_focus(page, "[aria-label='Setting maximum']")
        page.fill("[aria-label='Setting taps']", "")
        page.press("[aria-label='Setting taps']", "Enter")
        until(lambda: len(session.edits) == 2)
        assert session.edits[-1]["operations"] == [
            {"op": "remove", "path": "/nodes/1/settings/taps"}], session.edits[-1]
        has_focus(page, CARD.format("echo"))
        press(page, CARD.format("tone"))
        press(page, ".node-tools button:text-is('Settings')")
        wait_text(page, ".panel", "This type has no settings.")


def test_inputs_and_outputs_are_renamed(browser):
    for size in SCREENS:
        session, page = opened(browser, size)
        press(page, ".board .edit-bar button:text-is('Inputs, outputs')")
        page.wait_for_selector(".song-parts")
        press(page, "[aria-label='Rename mic']")
        wait_text(page, ".panel", "names of the JACK ports follow")
        page.fill("[aria-label='New name']", "a:b")
        page.press("[aria-label='New name']", "Enter")
        wait_text(page, ".panel [role=status]", "A name has up to 64 characters")
        page.fill("[aria-label='New name']", "echo")
        page.press("[aria-label='New name']", "Enter")
        wait_text(page, ".message", "“echo” exists already")
        page.fill("[aria-label='New name']", "voice")
        page.press("[aria-label='New name']", "Enter")
        until(lambda: "voice" in session.root("a")["inputs"])
        assert "mic" not in json.dumps(session.root("a")), session.root("a")
        page.wait_for_selector("[aria-label='Rename voice']")
        page.wait_for_selector(CABLE.format("voice", "tone"), state="attached")
    session, page = opened(browser, files={"a": {"version": 1, "nodes": [
        {"id": "tone", "type": "gain"}]}})
    press(page, ".board .edit-bar button:text-is('Inputs, outputs')")
    press(page, "[aria-label='Rename out']")
    page.fill("[aria-label='New name']", "main")
    page.press("[aria-label='New name']", "Enter")
    until(lambda: session.root("a").get("outputs") == {"main": {"channels": 2}})


def test_inputs_and_outputs_are_added_and_removed(browser):
    for size in SCREENS:
        session, page = opened(browser, size)
        press(page, ".board .edit-bar button:text-is('Inputs, outputs')")
        page.wait_for_selector(".song-parts")
        page.fill("[aria-label='New input']", "bass")
        page.press("[aria-label='New input']", "Enter")
        until(lambda: "bass" in session.root("a")["inputs"])
        wait_text(page, ".song-parts", "bass")
        page.fill("[aria-label='New output']", "phones")
        page.locator("form:has([aria-label='New output']) [aria-label='Channels']").select_option("2")
        page.select_option("[aria-label='What it sends']", "echo")
        page.focus("[aria-label='New output']")
        page.keyboard.press("Enter")
        until(lambda: session.root("a")["outputs"].get("phones") == {"channels": 2, "from": "echo"})
        wait_text(page, ".song-parts", "phones")
        press(page, "[aria-label='Remove line']")
        until(lambda: "line" not in session.root("a")["inputs"])
        wait(page, "() => !document.querySelector('[aria-label=\"Remove line\"]')")
        press(page, "[aria-label='Remove mic']")
        wait_text(page, ".message", "“tone” must have a source")
        assert "mic" in session.root("a")["inputs"]


# The setlist


def opened_setlist(browser, size="laptop"):
    session = FileSession({"a": pedalboard(), "b": pedalboard()}, ASSETS, setlist()).start()
    browser.sessions.append(session)
    page = browser.open(session.url, size, view="setlist")
    press(page, ".setlist-toggle")
    page.wait_for_selector(".song-edit")
    return session, page


def names(session):
    return [song["name"] for song in session.root("night")["songs"]]


def test_songs_are_ordered_by_buttons_and_by_dragging(browser):
    for size in SCREENS:
        session, page = opened_setlist(browser, size)
        press(page, "[aria-label='Move Ballad up']")
        until(lambda: names(session) == ["Ballad", "Opener", "Encore"])
        assert session.edits[-1]["operations"] == [
            {"op": "move", "from": "/songs/1", "path": "/songs/0"}]
        has_focus(page, "[aria-label='Details of Ballad'], [aria-label='Move Ballad up'], body")
        wait_text(page, ".song-edits li:first-child", "Ballad")
        fingers = Fingers(page)
        page.locator(".song-edits li:last-child .handle").scroll_into_view_if_needed()
        fingers.down(0, *centre(page, ".song-edits li:last-child .handle"))
        x, y = centre(page, ".song-edits li:first-child .handle")
        fingers.drag({0: (x, y - 20)})
        page.wait_for_selector(".takes-above")
        fingers.up()
        until(lambda: names(session) == ["Encore", "Ballad", "Opener"])
        # The focus moves with the list.
        wait_text(page, ".song-edits li:first-child", "Encore")
        press(page, ".setlist-edit .undo")
        until(lambda: names(session) == ["Ballad", "Opener", "Encore"])
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), size


def test_the_details_of_a_song_are_one_edit(browser):
    for size in SCREENS:
        session, page = opened_setlist(browser, size)
        press(page, "[aria-label='Details of Ballad']")
        page.fill(".song-form input[type=text]", "Slow one")
        page.fill(".song-form input[type=number]", "-3")
        page.fill(".song-form textarea", "Brushes")
        page.click(".song-form button[type=submit]")
        until(lambda: names(session)[1] == "Slow one")
        root = session.root("night")
        assert root["songs"][1] == {"name": "Slow one", "pipeline": "b.json", "color": "#3366ff",
                                    "gain": -3, "notes": "Brushes"}
        assert root["midi"] == [{"program": 5, "song": "Slow one"}]
        assert len(session.edits) == 1
        has_focus(page, "[aria-label='Details of Slow one']")


def test_a_song_is_removed_and_added(browser):
    session, page = opened_setlist(browser, "small phone")
    press(page, "[aria-label='Remove Ballad']")
    until(lambda: names(session) == ["Opener", "Encore"])
    assert session.root("night")["midi"] == []
    page.fill("[aria-label='Add a song: its file']", "none.json")
    page.press("[aria-label='Add a song: its file']", "Enter")
    wait_text(page, ".edit-report", "cannot read 'none.json'")
    page.keyboard.press("Escape")
    page.fill("[aria-label='Add a song: its file']", "b.json")
    page.focus("[aria-label='Add a song: its file']")
    page.keyboard.press("Enter")
    until(lambda: len(session.root("night")["songs"]) == 3)
    wait_text(page, ".song-edits li:last-child", "b")


def test_every_screen_shows_the_edit_modes_without_scrolling_sideways(browser):
    session, page = opened(browser, setlist=setlist(), files={"a": pedalboard(), "b": pedalboard()})
    press(page, ".board .edit-bar button:text-is('Add a node')")
    page.wait_for_selector(".type-choice")
    for view in ["board", "setlist"]:
        if view == "setlist":
            page.evaluate("document.activeElement.blur()")
            page.keyboard.press("4")
            press(page, ".setlist-toggle")
            press(page, "[aria-label='Details of Ballad']")
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            wide = page.evaluate("""() => [...document.querySelectorAll("main:not([hidden]) *")]
                .filter((each) => each.checkVisibility() && !each.closest(".plane, .edit-bar"))
                .filter((each) => each.getBoundingClientRect().right > innerWidth + 0.5)
                .map((each) => each.outerHTML.slice(0, 80))""")
            assert wide == [], (view, size, wide)


def large(count):
    """A pipeline of chains of eight filters into one mixer."""
    nodes = [{"id": f"f{number}", "type": "filter", **({} if number % 8 else {"from": "mic"})}
             for number in range(count)]
    desk = {"id": "desk", "type": "mixer", "from": [f"f{n}" for n in range(7, count, 8)]}
    return {"version": 1, "inputs": {"mic": {}}, "nodes": [*nodes, desk]}


def test_200_nodes_can_be_edited_and_a_drag_touches_only_its_places(browser):
    session, page = opened(browser, files={"a": large(200)})
    until(lambda: page.locator(".cable-button").count() == 226)
    press(page, CABLE.format("f101", "f102"))
    press(page, ".panel button:text-is('Add a node here')")
    choose(page, "warm", "urn:warm")
    until(lambda: session.edits)
    assert session.edits[-1]["operations"] == [
        {"op": "add", "path": "/nodes/102",
         "value": {"id": "warm-tube", "type": "lv2", "uri": "urn:warm"}}]
    has_focus(page, CARD.format("warm-tube"))
    press(page, ".zoom button:nth-child(2)")
    until_still(lambda: page.get_attribute(".plane", "style"))
    page.mouse.move(*centre(page, CARD.format("warm-tube")))
    page.evaluate("""() => {
        window.touched = new Set();
        window.steps = 0;
        addEventListener("pointermove", () => { window.steps += 1; });
        new MutationObserver((list) => { for (const each of list) {
            // The levels move on their own.
            if (!each.target.closest?.(".meter, .card-words")) window.touched.add(each.target);
        } }).observe(document.querySelector(".plane"),
            {subtree: true, attributes: true, childList: true});
    }""")
    page.mouse.down()
    page.mouse.move(*centre(page, CABLE.format("f9", "f10")), steps=20)
    page.wait_for_selector(CABLE.format("f9", "f10") + ".takes")
    # Each place that was nearest for a moment is a button and a cable; nothing else has changed.
    touched = page.evaluate("""() => [...window.touched].filter((each) =>
        !each.matches(".cable-button, g.wire")).map((each) => each.outerHTML.slice(0, 120))""")
    assert touched == [], touched
    assert page.evaluate("window.touched.size <= 2 * window.steps + 2")
    page.mouse.up()
    until(lambda: len(session.edits) == 2)
    assert ids(session).index("warm-tube") == 10 and len(session.edits[-1]["operations"]) == 1


#: Makes random files, and a random gesture in each; returns the patch and the wiring that it states.
GESTURES = """async ([seed, count]) => {
    const { Wiring } = await import("/wiring.js");
    const gestures = await import("/gestures.js");
    let state = seed;
    const random = (below) => {
        state = (state * 1103515245 + 12345) % 2147483648;
        return Math.floor(state / 65536) % below;
    };
    const pick = (list) => list[random(list.length)];
    const facts = { isSource: (raw) => raw.type === "player", isMixer: (raw) => raw.type === "mixer" };
    const shown = (wiring) => ({
        nodes: wiring.nodes.map((node) => [node.id, node.ports
            ? [...node.ports].map(([symbol, entry]) => [symbol, entry.text])
            : node.feeds.map((entry) => entry.text)]),
        outputs: wiring.outputs.map((output) => [output.name,
            output.feeds.map((entry) => entry.text)]) });
    const results = [];
    while (results.length < count) {
        const file = { version: 1, nodes: [], outputs: { main: { channels: 2 } } };
        if (random(4)) file.inputs = { mic: {}, line: { channels: 2 } };
        const names = Object.keys(file.inputs ?? { in: 0 });
        for (let number = 0; number < 2 + random(7); number += 1) {
            const node = { id: `n${number}`, type: pick(["gain", "gain", "mixer", "player", "lv2"]) };
            const sources = [...new Set(Array.from({ length: 1 + random(3) }, () => pick(names)))];
            if (node.type === "lv2" && random(2)) {
                node.ports = Object.fromEntries(sources.map((name, port) => [`in${port}`, name]));
            } else if (node.type !== "player" && random(2)) {
                node.from = sources.length === 1 && random(2) ? sources[0]
                    : sources.map((name) => random(5) ? name : { signal: name, align: false });
            }
            file.nodes.push(node);
            names.push(node.id);
        }
        if (random(2)) file.outputs.main.from = pick(names);
        if (random(2)) file.outputs.phones = { from: [pick(names)] };
        const wiring = new Wiring(structuredClone(file), facts);
        const cables = [...wiring.nodes, ...wiring.outputs].flatMap((target) =>
            wiring.entries(target).map((entry) => [entry.name, target.id ?? target.name]));
        const [from, to] = pick(cables);
        const id = pick(wiring.nodes).id;
        const type = { type: pick(["gain", "player"]), plugin: false };
        type.source = type.type === "player";
        const made = () => gestures.newNode(wiring, type);
        const kinds = { addOnCable: () => gestures.addOnCable(wiring, from, to, made()),
            addAtEnd: () => gestures.addAtEnd(wiring, "main", made()),
            removeNode: () => gestures.removeNode(wiring, id),
            moveNode: () => gestures.moveNode(wiring, id, from, to),
            duplicateNode: () => gestures.duplicateNode(wiring, id),
            disconnect: () => gestures.disconnect(wiring, from, to),
            connect: () => gestures.connect(wiring, pick(names), to, { replaces: random(2) === 1 }) };
        const kind = pick(Object.keys(kinds));
        try {
            kinds[kind]();
            results.push({ kind, file, goal: shown(wiring), operations: wiring.patch() });
        } catch (error) {
            // A gesture that is not possible is a sentence for the user.
            if (error.constructor !== Error) throw error;
        }
    }
    return results;
}"""

RESOLVED = """async (files) => {
    const { Wiring } = await import("/wiring.js");
    return files.map((file) => {
        const wiring = new Wiring(file, { isSource: (raw) => raw.type === "player",
            isMixer: (raw) => raw.type === "mixer" });
        return { nodes: wiring.nodes.map((node) => [node.id, node.ports
                ? [...node.ports].map(([symbol, entry]) => [symbol, entry.text])
                : node.feeds.map((entry) => entry.text)]),
            outputs: wiring.outputs.map((output) => [output.name,
                output.feeds.map((entry) => entry.text)]) };
    });
}"""


def test_the_patch_of_every_gesture_gives_the_wiring_that_it_states(browser):
    session = FileSession({"a": pedalboard()}, ASSETS).start()
    browser.sessions.append(session)
    page = browser.open(session.url)
    results = page.evaluate(GESTURES, [20261124, 600])
    files = [patched(each["file"], each["operations"]) for each in results]
    for each, found in zip(results, page.evaluate(RESOLVED, files)):
        assert found == each["goal"], (each, found)
        names = [node["id"] for node in patched(each["file"], each["operations"])["nodes"]]
        assert len(set(names)) == len(names), each
        # A mixer has each signal only once.
        mixers = {node["id"] for node in patched(each["file"], each["operations"])["nodes"]
                  if node["type"] == "mixer"}
        assert all(len(set(feeds)) == len(feeds) for id, feeds in found["nodes"] if id in mixers), each
    assert {each["kind"] for each in results} == {
        "addOnCable", "addAtEnd", "removeNode", "moveNode", "duplicateNode", "disconnect", "connect"}
