"""Edits on the page of the program itself: the file has exactly the expected text, and it plays."""

import contextlib
import json
import re
import time
import urllib.error
import urllib.request

from browser import centre, until, wait, wait_text
from editing_tests import CABLE, CARD, choose, fall_asleep, has_focus, press
from program_tests import board


@contextlib.contextmanager
def kept(program, *names):
    """Restores files at the end; returns their paths."""
    paths = [program.folder / "pipelines" / name for name in names]
    texts = [path.read_text() for path in paths]
    try:
        yield paths if len(paths) > 1 else paths[0]
    finally:
        for path, text in zip(paths, texts):
            path.write_text(text)
        time.sleep(1)


def edited(browser, program, song="Voice", size="laptop"):
    """Opens the board of a song in its edit mode."""
    page = board(browser, program, song, size)
    press(page, ".edit-toggle")
    page.wait_for_selector(".cable-button", state="attached")
    return page


def plays(program, address):
    """Returns whether the session has an address."""
    try:
        program.value(address)
        return True
    except urllib.error.HTTPError:
        return False


def test_edits_of_the_program_add_on_a_cable_undo_and_redo(browser, program):
    with kept(program, "rig-vocal.json") as file:
        old = file.read_text()
        new = old.replace('    { "id": "mud"',
                          '    { "id": "gain", "type": "gain" },\n    { "id": "mud"')
        page = edited(browser, program)
        press(page, CABLE.format("cut", "mud"))
        press(page, ".panel button:text-is('Add a node here')")
        choose(page, "gain", "gain")
        until(lambda: file.read_text() != old)
        assert file.read_text() == new
        until(lambda: plays(program, "gain.gain"))
        has_focus(page, CARD.format("gain"))
        page.wait_for_selector(CABLE.format("gain", "mud"), state="attached")
        page.keyboard.press("Control+z")
        until(lambda: file.read_text() == old)
        until(lambda: not plays(program, "gain.gain"))
        wait(page, "() => document.querySelector('.redo').ariaLabel === 'Redo add Gain'")
        page.keyboard.press("Control+Shift+Z")
        until(lambda: file.read_text() == new)
        until(lambda: plays(program, "gain.gain"))


def test_edits_of_the_program_by_dragging_and_with_strips(browser, program):
    with kept(program, "rig-vocal.json") as file:
        old = file.read_text()
        page = edited(browser, program)
        press(page, ".board .edit-bar button:text-is('Add a node')")
        page.wait_for_selector(".type-choice")
        press(page, ".zoom button:nth-child(2)")
        cable = CABLE.format("echo", "blend")
        page.locator(cable).wait_for(state="attached")
        time.sleep(0.5)
        handle = ".types li:has([data-type='filter']) .handle"
        page.locator(handle).scroll_into_view_if_needed()
        page.mouse.move(*centre(page, handle))
        page.mouse.down()
        page.mouse.move(*centre(page, cable), steps=12)
        page.wait_for_selector(cable + ".takes")
        page.mouse.up()
        until(lambda: file.read_text() != old)
        # The strip keeps its level, and its values, under the name of the new node.
        assert file.read_text() == old.replace(
            '    { "id": "blend"', '    { "id": "filter", "type": "filter" },\n    { "id": "blend"'
        ).replace('"from": ["presence", "choir", "echo"]', '"from": ["presence", "choir", "filter"]'
                  ).replace('"echo.gain": -6', '"filter.gain": -6')
        until(lambda: plays(program, "blend.filter.gain"))
        assert program.value("blend.filter.gain") == -6
        press(page, CARD.format("filter"))
        page.wait_for_selector(".node-tools")
        press(page, ".node-tools button:text-is('Remove')")
        until(lambda: file.read_text() == old)
        until(lambda: plays(program, "blend.echo.gain"))


def test_edits_of_the_program_rename_everywhere(browser, program):
    with kept(program, "rig-vocal.json") as file:
        old = file.read_text()
        head, rest = old.split('"tempo"')
        new = head + '"tempo"' + re.sub(r"\bchoir\b", "voices", rest)
        page = edited(browser, program)
        press(page, CARD.format("choir"))
        press(page, ".node-tools button:text-is('Rename')")
        page.fill(".panel input", "voices")
        page.press(".panel input", "Enter")
        until(lambda: file.read_text() != old)
        assert file.read_text() == new
        until(lambda: plays(program, "voices.mute"))
        has_focus(page, CARD.format("voices"))
        press(page, ".undo")
        until(lambda: file.read_text() == old)


def test_edits_of_the_program_connect_move_and_replace(browser, program):
    with kept(program, "rig-vocal.json") as file:
        old = file.read_text()
        page = edited(browser, program)
        press(page, ".out-handle[data-source='third']")
        press(page, "[aria-label='New strip in blend']")
        until(lambda: file.read_text() != old)
        new = old.replace('["presence", "choir", "echo"]', '["presence", "choir", "echo", "third"]')
        assert file.read_text() == new
        until(lambda: plays(program, "blend.third.gain"))
        page.wait_for_selector(CABLE.format("third", "blend"), state="attached")
        has_focus(page, CARD.format("blend"))
        press(page, CARD.format("volume"))
        press(page, ".node-tools button:text-is('Move')")
        press(page, CABLE.format("mic", "cut"))
        until(lambda: file.read_text() != new)
        lines = new.replace('"parameters": { "presence.gain": 3, "echo.gain": -6 } },\n'
                            '    { "id": "volume", "type": "gain" }\n',
                            '"parameters": { "presence.gain": 3, "echo.gain": -6 } }\n')
        assert file.read_text() == lines.replace(
            '    { "id": "cut", "type": "filter", "from": "mic",',
            '    { "id": "volume", "type": "gain" },\n    { "id": "cut", "type": "filter", '
            '"from": "volume",'), file.read_text()
        until(lambda: plays(program, "volume.gain"))
        has_focus(page, CARD.format("volume"))
        press(page, CARD.format("echo"))
        press(page, ".node-tools button:text-is('Replace')")
        choose(page, "pitch", "pitch-shift")
        until(lambda: '"id": "echo", "type": "pitch-shift" }' in file.read_text())
        until(lambda: plays(program, "echo.semitones"))


def test_edits_of_the_program_refuse_what_would_not_play(browser, program):
    with kept(program, "rig-vocal.json") as file:
        old = file.read_text()
        page = edited(browser, program, size="phone")
        press(page, ".out-handle[data-source='volume']")
        press(page, "[aria-label='Replace what cut receives']")
        wait_text(page, ".edit-report", "Not done: connect volume with cut")
        wait_text(page, ".edit-report li", "rig-vocal.json, line ")
        assert file.read_text() == old


def test_edits_of_the_program_change_settings(browser, program):
    with kept(program, "rig-vocal.json") as file:
        old = file.read_text()
        page = edited(browser, program)
        press(page, CARD.format("fifth"))
        press(page, ".node-tools button:text-is('Settings')")
        before = page.input_value("[aria-label='Setting quality']")
        page.select_option("[aria-label='Setting quality']", label="high")
        press(page, ".setting-fields button")
        has_focus(page, CARD.format("fifth"))
        root = json.loads(file.read_text())
        fifth = next(node for node in root["nodes"] if node["id"] == "fifth")
        assert fifth["settings"]["quality"] == "high", (before, fifth)
        press(page, ".board .edit-bar .undo")
        until(lambda: file.read_text() == old)


def test_edits_of_the_program_rename_an_input(browser, program):
    with kept(program, "rig-vocal.json") as file:
        old = file.read_text()
        page = edited(browser, program)
        press(page, ".board .edit-bar button:text-is('Inputs, outputs')")
        press(page, "[aria-label='Rename mic']")
        page.fill("[aria-label='New name']", "voice")
        page.press("[aria-label='New name']", "Enter")
        page.wait_for_selector("[aria-label='Rename voice']")
        assert file.read_text() == old.replace('"mic"', '"voice"').replace('"mic.', '"voice.')
        with urllib.request.urlopen(program.url + "api/pipeline", timeout=60) as answer:
            inputs = json.load(answer)["inputs"]
        assert [each["name"] for each in inputs][0] == "voice", inputs
        page.keyboard.press("Escape")
        press(page, ".board .edit-bar .undo")
        until(lambda: file.read_text() == old)


def test_edits_of_the_program_order_the_setlist(browser, program):
    with kept(program, "night.json") as file:
        old = file.read_text()
        program.put("song", "Voice")
        page = browser.open(program.url, "phone", view="setlist")
        press(page, ".setlist-toggle")
        page.wait_for_selector(".song-edit")
        press(page, "[aria-label='Move Tracks up']")
        until(lambda: file.read_text() != old)
        guitar = '    { "name": "Guitar", "pipeline": "rig-guitar.json" },\n'
        tracks = '    { "name": "Tracks", "pipeline": "rig-backing.json" },\n'
        assert file.read_text() == old.replace(guitar + tracks, tracks + guitar)
        assert program.value("song") == "Voice"
        wait_text(page, ".song-edits li:nth-child(2)", "Tracks")
        press(page, "[aria-label='Details of Play']")
        page.fill(".song-form input[type=text]", "Theatre")
        page.fill(".song-form textarea", "Lights first")
        page.click(".song-form button[type=submit]")
        until(lambda: '"name": "Theatre"' in file.read_text())
        assert file.read_text() == old.replace(guitar + tracks, tracks + guitar).replace(
            '"name": "Play", "pipeline": "rig-theatre.json"',
            '"name": "Theatre", "pipeline": "rig-theatre.json", "notes": "Lights first"').replace(
            '"song": "Play"', '"song": "Theatre"')
        # An undo that comes before the page knows the edit is refused as stale.
        label = "document.querySelector('.setlist-edit .undo').ariaLabel"
        wait(page, f"() => {label} !== 'Undo move Tracks'")
        press(page, ".setlist-edit .undo")
        wait(page, f"() => {label} === 'Undo move Tracks'")
        press(page, ".setlist-edit .undo")
        until(lambda: file.read_text() == old)


def test_edits_of_the_program_by_two_pages_and_an_editor_converge(browser, program):
    with kept(program, "rig-vocal.json") as file:
        old = file.read_text()
        pages = [edited(browser, program), edited(browser, program, size="tablet")]
        hand = old.replace('    { "id": "presence"', '    { "id": "hand", "type": "gain" },\n'
                                                     '    { "id": "presence"')
        file.write_text(hand)
        for page in pages:
            page.wait_for_selector(CARD.format("hand"), state="attached")
        for page, cable in zip(pages, [("mic", "cut"), ("blend", "volume")]):
            page.wait_for_selector(CABLE.format(*cable), state="attached")
            press(page, CABLE.format(*cable))
            press(page, ".panel button:text-is('Add a node here')")
        for page, words in zip(pages, ["meter", "tuner"]):
            choose(page, words, words)

        def are_written():
            # The slower page is asked to repeat its edit, unless it already knew the other one.
            for page in pages:
                page.evaluate("""() => {
                    const repeat = document.querySelector(".edit-report .repeat");
                    if (repeat?.checkVisibility()) repeat.click();
                }""")
            return all(f'"id": "{name}"' in file.read_text() for name in ["hand", "meter", "tuner"])
        until(are_written)
        for page in pages:
            for name in ["hand", "meter", "tuner"]:
                page.wait_for_selector(CARD.format(name), state="attached")


def test_edits_of_the_program_overwrite_nothing_after_a_sleep(browser, program):
    with kept(program, "rig-vocal.json") as file:
        old = file.read_text()
        page = edited(browser, program)
        press(page, CARD.format("fifth"))
        page.wait_for_selector(".node-tools")
        devtools = fall_asleep(page)
        hand = old.replace('"semitones": 7', '"semitones": 5')
        file.write_text(hand)
        time.sleep(6)
        devtools.send("Debugger.resume")
        time.sleep(1.5)
        assert file.read_text() == hand, file.read_text()


def test_the_palette_of_the_program_lists_effects_and_plugins(browser, program):
    with urllib.request.urlopen(program.url + "api/palette", timeout=120) as answer:
        tag, types = answer.headers["ETag"], json.load(answer)["types"]
    names = [each["type"] for each in types]
    assert {"gain", "mixer", "player"} <= {each["type"] for each in types if not each["plugin"]}
    assert types[0]["plugin"] is False and types[-1]["plugin"] is True
    assert "http://calf.sourceforge.net/plugins/Reverb" in names
    request = urllib.request.Request(program.url + "api/palette", headers={"If-None-Match": tag})
    try:
        urllib.request.urlopen(request, timeout=120)
        raise AssertionError("the list is sent again")
    except urllib.error.HTTPError as error:
        assert error.code == 304
    uri = urllib.request.quote("http://calf.sourceforge.net/plugins/SidechainCompressor", safe="")
    with urllib.request.urlopen(program.url + "api/palette/" + uri, timeout=120) as answer:
        symbols = [port["symbol"] for port in json.load(answer)["inputs"]]
    assert {"in_l", "in_r", "sidechain"} <= set(symbols), symbols
    page = edited(browser, program, size="tablet")
    press(page, ".board .edit-bar button:text-is('Add a node')")
    page.wait_for_selector(".type-choice")
    page.fill(".type-search input", "calf reverb")
    wait_text(page, ".type-choice", "Calf Reverb")
