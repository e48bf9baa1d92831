"""Files, presets and new pipelines, against a fake session."""

from access_tests import check
from browser import until, wait_text
from fake_session import Song, night

LIBRARY = [
    {"path": "rooms/hall.wav", "kind": "sound", "bytes": 1920044, "changed": 0, "tag": "h",
     "seconds": 5.0, "sample_rate": 96000, "channels": 2},
    {"path": "broken.wav", "kind": "sound", "bytes": 10, "changed": 0, "tag": "b",
     "readable": False},
    {"path": "amp.nam", "kind": "model", "bytes": 300000, "changed": 0, "tag": "n"},
    {"path": "night.json", "kind": "pipeline", "bytes": 900, "changed": 0, "tag": "j"},
]


def effects(browser):
    """A song with an impulse response, a player with a list, and a plugin with groups."""
    song = (Song("Rooms").input("mic").output("main")
            .node("room", "convolver", **{"from": ["mic"]}, files=[
                {"setting": "impulse", "summary": "", "kind": "sound", "list": False,
                 "paths": ["/songs/old.wav"]}])
            .node("band", "player", files=[
                {"setting": "file", "summary": "", "kind": "sound", "list": False, "paths": []},
                {"setting": "files", "summary": "", "kind": "sound", "list": True,
                 "paths": ["/songs/a.wav", "/songs/b.wav"]}])
            .effect("amp", "urn:amp", {
                "drive": (3, dict(low=0, high=10, group="Preamp")),
                "bass": (0, dict(low=-10, high=10, group="Tone stack")),
                "treble": (0, dict(low=-10, high=10, group="Tone stack")),
                "trim": (0, dict(low=-10, high=10)),
            }, **{"from": ["room"]}, label="Amplifier", plugin=True)
            .wire("main", "amp"))
    session = browser.fake([song])
    session.library = LIBRARY
    session.texts[2] = {"version": 1, "nodes": [
        {"id": "room", "settings": {"impulse": "old.wav"}},
        {"id": "band", "settings": {"files": ["a.wav", {"file": "b.wav", "gain": -6}]}},
        {"id": "amp", "parameters": {"drive": 3, "bass": 1}}]}
    session.presets = [{"label": "Clean", "uri": "urn:clean"}, {"label": "Loud", "uri": "urn:l1"},
                       {"label": "Loud", "uri": "urn:l2"}]
    return session


def open_node(browser, session, node, size="laptop"):
    page = browser.open(session.url, size, view="board")
    page.wait_for_selector(f".card-button[data-node={node}]", state="attached")
    page.focus(f".card-button[data-node={node}]")
    page.keyboard.press("Enter")
    wait_text(page, ".sheet h2", node)
    return page


def test_a_file_is_chosen_from_those_that_the_node_can_read(browser):
    session = effects(browser)
    for size in ["small phone", "laptop"]:
        page = open_node(browser, session, "room", size)
        wait_text(page, ".node-files", "old.wav")
        page.click(".node-files button")
        wait_text(page, "dialog[open]", "In /songs/ and below")
        names = page.locator("dialog .fit strong").all_inner_texts()
        assert names == ["rooms/hall.wav", "broken.wav"], names
        wait_text(page, "dialog .fit", "5.00 s · 2 channels · 96.0 kHz · 1.9 MB")
        assert page.locator("dialog .fit").nth(1).is_disabled()
        check(page, f"picker, {size}")
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), size
        page.click("dialog .fit >> nth=0")
        until(lambda: page.locator("dialog[open]").count() == 0)
        page.close()
    edit = session.sent("edit")[0]
    assert edit["file"] == "/songs/Rooms.json" and edit["tag"] == "1-2", edit
    assert edit["operations"] == [{"op": "add", "path": "/nodes/0/settings/impulse",
                                   "value": "rooms/hall.wav"}], edit


def test_an_edit_that_is_not_made_is_explained_in_the_dialog(browser):
    session = effects(browser)
    page = open_node(browser, session, "room", "small phone")
    page.click(".node-files button")
    wait_text(page, "dialog .fit", "hall.wav")
    session.edit_answer = {"answer": "conflict", "message": "changed", "tag": "9-9"}
    page.click("dialog .fit >> nth=0")
    wait_text(page, "dialog[open] .edit-report", "Somebody else was faster")
    check(page, "report in a dialog")
    session.edit_answer = None
    page.click("dialog .edit-report .repeat")
    until(lambda: page.locator("dialog[open]").count() == 0)
    assert len(session.sent("edit")) == 2
    # The report remains usable without the dialog.
    page.wait_for_selector("body > .edit-report", state="attached")
    assert not page.locator(".edit-report").is_visible()


def test_a_list_of_files_grows_and_shrinks(browser):
    session = effects(browser)
    page = open_node(browser, session, "band")
    # The other source of the player is not in use.
    assert page.locator(".node-files strong").all_inner_texts() == ["files"]
    page.click(".node-files button")
    wait_text(page, "dialog .chosen", "b.wav")
    page.click("dialog .fit >> nth=0")
    until(lambda: len(session.sent("edit")) == 1)
    page.click("dialog [aria-label='Remove a.wav']")
    until(lambda: len(session.sent("edit")) == 2)
    added, removed = [each["operations"][0] for each in session.sent("edit")]
    assert added == {"op": "add", "path": "/nodes/1/settings/files",
                     "value": ["a.wav", {"file": "b.wav", "gain": -6}, "rooms/hall.wav"]}, added
    assert removed["value"] == [{"file": "b.wav", "gain": -6}], removed


def test_a_file_of_the_device_is_sent_and_not_replaced_without_a_question(browser):
    session = effects(browser)
    page = open_node(browser, session, "room")
    page.click(".node-files button")
    wait_text(page, "dialog .fit", "hall.wav")

    def send():
        page.set_input_files("dialog input[type=file]", files=[
            {"name": "my room.wav", "mimeType": "audio/wav", "buffer": b"RIFF"}])

    send()
    until(lambda: len(session.uploads) == 1)
    path, fields, body = session.uploads[0]
    assert path == "/api/library/2/my room.wav" and body == b"RIFF", session.uploads
    assert fields["Content-Type"] == "audio/wav" and "If-Match" not in fields, fields
    session.upload_answer = lambda path, fields: (
        (200, {"path": "my room.wav"}) if "If-Match" in fields
        else (409, {"error": "it exists", "suggestion": None, "tag": "old"}))
    send()
    wait_text(page, "dialog[open] h2", "my room.wav exists already")
    page.click("dialog[open] >> text=Cancel")
    assert len(session.uploads) == 2
    send()
    page.click("dialog[open] >> text=Replace it")
    until(lambda: len(session.uploads) == 4)
    assert session.uploads[3][1]["If-Match"] == '"old"', session.uploads[3]
    session.upload_answer = lambda path, fields: (
        415, {"error": "it is not a sound file", "suggestion": None})
    send()
    wait_text(page, "dialog[open]", "it is not a sound file")


def test_presets_are_applied_and_saved(browser):
    session = effects(browser)
    page = open_node(browser, session, "amp")
    page.click(".presets")
    wait_text(page, "dialog .fit", "Clean")
    check(page, "presets")
    page.click("dialog .fit >> nth=0")
    wait_text(page, "dialog[open]", "The file gives 2 values of amp itself.")
    page.click("dialog[open] >> text=and remove these values")
    until(lambda: len(session.sent("edit")) == 1)
    assert session.sent("edit")[0]["operations"] == [
        {"op": "add", "path": "/nodes/2/settings", "value": {"preset": "Clean"}},
        {"op": "remove", "path": "/nodes/2/parameters"}], session.sent("edit")
    until(lambda: page.locator("dialog[open]").count() == 0)
    page.click(".presets")
    # Two presets with one label are told apart by their URIs.
    page.click("dialog .fit >> nth=2")
    page.click("dialog[open] >> text=and keep these values")
    until(lambda: len(session.sent("edit")) == 2)
    assert session.sent("edit")[1]["operations"][0]["value"] == {"preset": "urn:l2"}
    until(lambda: page.locator("dialog[open]").count() == 0)
    page.click(".presets")
    session.upload_answer = lambda path, fields: (
        (201, {"label": "My sound"}) if path.endswith("?replace")
        else (409, {"error": "the preset already exists", "suggestion": None}))
    page.fill("dialog[open] input[type=text]", "My sound")
    # Keys in the field are no commands.
    page.keyboard.press("n")
    page.keyboard.press("Backspace")
    page.click("dialog[open] >> text=Save >> nth=-1")
    page.click("dialog[open] >> text=Replace it")
    until(lambda: len(session.uploads) == 2)
    assert session.uploads[1][0] == "/api/nodes/amp/presets/My sound?replace", session.uploads
    assert session.sent("perform") == []


def test_the_groups_of_a_plugin_structure_its_sheet(browser):
    page = open_node(browser, effects(browser), "amp")
    legends = page.locator(".sheet legend").all_inner_texts()
    assert legends == ["Node", "Parameters", "Preamp", "Tone stack"], legends
    tone = page.locator(".sheet fieldset", has=page.locator("legend:text-is('Tone stack')"))
    assert tone.locator(".control").count() == 2


def test_a_new_pipeline_comes_from_a_template_and_joins_the_setlist(browser):
    session = browser.fake(night())
    session.texts = {1: {"version": 1, "songs": []}, 2: {"version": 1, "name": "Ballad"}}
    session.templates = [{"name": "clean-vocal.json", "text": {"version": 1, "name": "Clean"}}]
    for size in ["small phone", "laptop"]:
        page = browser.open(session.url, size, view="setlist")
        page.click(".files-button")
        wait_text(page, "dialog", "night.json")
        check(page, f"files, {size}")
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), size
        link = page.locator("dialog [aria-label='Download night.json']")
        assert link.get_attribute("href") == "/api/files/1?download"
        session.uploads.clear()
        page.wait_for_selector("dialog option[value='/api/templates/clean-vocal.json']",
                               state="attached")
        page.select_option("dialog select", "/api/templates/clean-vocal.json")
        page.fill("dialog[open] input[type=text]", "my song")
        page.click("dialog[open] >> text=Create")
        until(lambda: page.locator("dialog[open]").count() == 0)
        path, fields, body = session.uploads[0]
        assert path == "/api/library/1/my song.json", path
        assert fields["Content-Type"] == "application/json" and b'"Clean"' in body
        edit = session.sent("edit")[-1]
        assert edit["file"] == "/songs/night.json"
        assert edit["operations"] == [{"op": "add", "path": "/songs/-",
                                       "value": {"pipeline": "my song.json"}}], edit
        page.close()


def test_the_errors_of_a_pipeline_are_shown_and_it_joins_no_setlist(browser):
    session = browser.fake(night())
    session.upload_answer = lambda path, fields: (422, {
        "error": "the pipeline has an error", "suggestion": None, "diagnostics": [
            {"file": "x.json", "line": 3, "column": 9, "pointer": "/nodes/0", "code": "unknown-type",
             "message": "there is no effect \"gian\"", "suggestion": "gain"}]})
    page = browser.open(session.url, view="setlist")
    page.click(".files-button")
    page.set_input_files("dialog input[type=file]", files=[
        {"name": "x.json", "mimeType": "application/json", "buffer": b"{}"}])
    wait_text(page, "dialog[open]", 'x.json, line 3, column 9: there is no effect "gian"')
    assert session.sent("edit") == []
