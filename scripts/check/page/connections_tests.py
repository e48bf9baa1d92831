"""The connections view against a fake session: list, connect, disconnect, and rules of the file."""

from access_tests import check
from browser import Fingers, centre, until, wait, wait_text
from fake_session import Song, night


def port(name, kind="audio", direction="input", **members):
    return {"name": name, "kind": kind, "for": direction + "s", "physical": False, "aliases": [],
            "pretty_name": None, "group": None, "order": None, "signal_type": None, **members}


SERVER = [
    port("system:capture_1", physical=True, aliases=["alsa_pcm:hw:0:out1"]),
    port("system:capture_2", physical=True),
    port("synth:left", pretty_name="Warm pad left", order=2, group="Main"),
    port("synth:sub", pretty_name="Warm pad sub", order=1),
    port("system:playback_1", direction="output", physical=True),
    port("keys:out", kind="midi"),
]


def connection(name, to=(), ruled=(), direction="input"):
    return {"port": name, "direction": direction, "kind": "audio", "connected": bool(to),
            "to": list(to), "unmatched": [],
            "ruled": [{"port": other, "rule": rule} for other, rule in ruled]}


def prepared(browser, rules=(), ports=None):
    songs = night()
    song = songs[0]
    song.inputs[0]["rules"] = {"file": f"/songs/{song.name}.json", "connect": list(rules)}
    session = browser.fake(songs)
    session.texts[2] = {"version": 1, "inputs": {"mic": {"connect": list(rules)}}}
    session.parts["ports"] = SERVER
    session.parts["connections"] = {"ports": ports or [
        connection("mic", ["system:capture_1"], [("system:capture_1", "system:capture_1")]),
        connection("guitar"), connection("main_1", direction="output"),
        connection("main_2", direction="output")], "changed": []}
    return session


def open_port(page, name):
    page.click(f".port:has(.name:text-is('{name}')) .change")
    wait_text(page, ".port-sheet h2", name)


def fit(name):
    return f".fit[data-key='{name}']"


def test_all_fitting_ports_are_listed_by_client_with_their_names(browser):
    session = prepared(browser)
    for size in ["small phone", "tablet", "laptop"]:
        page = browser.open(session.url, size, view="connections")
        open_port(page, "mic")
        assert page.locator(".fitting h3").all_inner_texts() == ["system", "synth"]
        names = page.locator(".fit strong").all_inner_texts()
        # JACK's metadata gives the order of the ports of a client.
        assert names == ["capture_1", "capture_2", "Warm pad sub", "Warm pad left"], names
        words = page.locator(fit("system:capture_1")).inner_text()
        assert "kept by the rule system:capture_1" in words and "hardware" in words, words
        assert "alsa_pcm:hw:0:out1" in words, words
        assert "left · Main" in page.locator(fit("synth:left")).inner_text()
        assert page.get_attribute(fit("system:capture_1"), "aria-pressed") == "true"
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), size
        check(page, f"ports, {size}")
        page.keyboard.press("Escape")
        assert not page.locator(".port-sheet").is_visible()
        assert page.evaluate("document.activeElement.dataset.key") == "input mic"
        page.close()


def test_touch_and_keys_connect_and_disconnect(browser):
    session = prepared(browser)
    page = browser.open(session.url, "phone", view="connections")
    open_port(page, "guitar")
    page.locator(fit("system:capture_2")).scroll_into_view_if_needed()
    Fingers(page).tap(*centre(page, fit("system:capture_2")))
    wait_text(page, ".port[data-port=guitar]", "from system:capture_2")
    page.wait_for_selector(fit("system:capture_2") + "[aria-pressed=true]")
    page.focus(fit("system:capture_2"))
    # Two presses within 0.3 s count once.
    page.wait_for_timeout(400)
    page.keyboard.press("Enter")
    page.wait_for_selector(fit("system:capture_2") + "[aria-pressed=false]")
    # The rebuilt list keeps the focus.
    assert page.evaluate("document.activeElement.dataset.key") == "system:capture_2"
    asked = [(each["port"], each["other"], each["connected"]) for each in session.sent("connect")]
    assert asked == [("guitar", "system:capture_2", True), ("guitar", "system:capture_2", False)]
    assert session.sent("edit") == []


def test_ports_come_and_go_while_the_sheet_is_open(browser):
    session = prepared(browser)
    page = browser.open(session.url, view="connections")
    open_port(page, "guitar")
    page.focus(fit("system:capture_2"))
    session.set_part("ports", SERVER + [port("drums:kick")])
    wait_text(page, fit("drums:kick"), "kick")
    assert page.evaluate("document.activeElement.dataset.key") == "system:capture_2"
    session.set_part("ports", SERVER)
    page.wait_for_selector(fit("drums:kick"), state="detached")
    session.set_part("ports", None)
    wait_text(page, ".fitting", "No port on this JACK server fits.")


def test_a_connection_can_be_written_into_the_file(browser):
    session = prepared(browser, ["system:capture_1"])
    page = browser.open(session.url, view="connections")
    open_port(page, "mic")
    page.click("text=write the rule into Harbour lights.json")
    page.click(fit("synth:left"))
    until(lambda: session.sent("connect"))
    edit, = session.sent("edit")
    assert edit["file"] == "/songs/Harbour lights.json" and edit["tag"] == "1-2", edit
    assert edit["name"] == "connect mic and synth:left", edit
    assert edit["operations"] == [{"op": "add", "path": "/inputs/mic/connect",
                                   "value": ["/system:capture_1|synth:left/"]}], edit
    wait_text(page, ".port[data-port=mic]", "from synth:left")


def test_disconnecting_what_a_rule_keeps_offers_to_change_the_rule(browser):
    session = prepared(browser, ["system:capture_1"])
    page = browser.open(session.url, view="connections")
    wait_text(page, ".port[data-port=mic]", "by a rule of the file")
    open_port(page, "mic")
    page.click(fit("system:capture_1"))
    wait_text(page, "dialog[open]", "The rule system:capture_1 in Harbour lights.json connects mic and "
                              "system:capture_1 whenever both exist.")
    check(page, "the question about a rule")
    # Keys in the dialog do not change the view.
    page.keyboard.press("1")
    assert page.locator("main.connections").is_visible()
    page.click("dialog[open] >> text=Cancel")
    assert session.sent("connect") == [] and session.sent("edit") == []
    page.wait_for_timeout(400)
    page.click(fit("system:capture_1"))
    page.click("dialog[open] >> text=Disconnect, and change the rule")
    until(lambda: session.sent("connect"))
    edit, = session.sent("edit")
    assert edit["operations"] == [{"op": "remove", "path": "/inputs/mic/connect"}], edit
    assert session.sent("connect")[0]["connected"] is False


def test_an_edit_that_is_refused_is_explained_and_connects_nothing(browser):
    session = prepared(browser, ["system:capture_1"])
    page = browser.open(session.url, view="connections")
    open_port(page, "mic")
    page.click("text=write the rule into Harbour lights.json")
    session.edit_answer = {"answer": "conflict", "message": "changed", "tag": "9-9"}
    page.click(fit("synth:sub"))
    wait_text(page, ".edit-report", "Somebody else was faster")
    page.click(".edit-report >> text=Close")
    session.edit_answer = {"answer": "refused", "message": "the file would have an error",
                           "suggestion": None, "diagnostics": [
                               {"file": "song.json", "line": 3, "column": 7, "pointer": "/inputs",
                                "code": "range", "message": "too many rules",
                                "suggestion": None}]}
    page.wait_for_timeout(400)
    page.click(fit("synth:sub"))
    wait_text(page, ".edit-report li", "too many rules.")
    wait_text(page, ".edit-report li", "song.json, line 3: inputs")
    assert session.sent("connect") == []


def test_a_port_of_another_song_has_no_rule_to_write(browser):
    session = prepared(browser, ports=[connection("talk")])
    page = browser.open(session.url, view="connections")
    open_port(page, "talk")
    assert page.locator(".place input").nth(1).is_disabled()
    page.click(fit("system:capture_2"))
    until(lambda: session.sent("connect"))
    assert session.sent("edit") == []


RULES = """async ([name, ...values]) => (await import("/rules.js"))[name](...values)"""


def test_rules_of_several_channels_keep_their_places(browser):
    page = browser.open(browser.fake().url)

    def result(name, *values):
        return page.evaluate(RULES, [name, *values])

    shared = ["/system:playback_.*/"]
    matched = [["system:playback_1"], ["system:playback_2"]]
    for name, values, expected in [
            # A pattern that channels share becomes the ports that it connects.
            ("withConnection", (shared, 1, "rec:in", matched),
             ["system:playback_1", "/system:playback_2|rec:in/"]),
            ("withoutConnection", (shared, 1, "system:playback_2", matched),
             ["system:playback_1"]),
            # A channel without a rule before others has an empty one.
            ("withoutConnection", (shared, 0, "system:playback_1", matched),
             ["", "system:playback_2"]),
            ("withConnection", ([], 1, "rec:in", [[], []]), ["", "rec:in"]),
            ("withConnection", (["", "rec:in"], 0, "a.b (1):x", [[], ["rec:in"]]),
             ["a.b (1):x", "rec:in"]),
            ("withConnection", (["a.b (1):x"], 0, "c+:y", [["a.b (1):x"]]),
             [r"/a\.b \(1\):x|c\+:y/"]),
            ("withoutConnection", ([r"/a\.b \(1\):x|c\+:y/"], 0, "c+:y",
                                   [["a.b (1):x", "c+:y"]]), ["a.b (1):x"]),
            # A pattern also has the ports for which it waits.
            ("withoutConnection", (["/system:.*/"], 0, "system:c", [["system:c", "system:d"]]),
             ["/(?!system:c$)(?:system:.*)/"]),
            ("withoutConnection", (["a:x"], 0, "a:x", [["a:x"]]), []),
    ]:
        assert result(name, *values) == expected, (name, values, result(name, *values))
