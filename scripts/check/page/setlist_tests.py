"""The setlist view and the connections view, against a fake session."""

import time

from browser import SIZES, Fingers, centre, until, wait, wait_text
from fake_session import night

#: The sizes on which everything that can be seen is checked.
SCREENS = ["small phone", "phone, landscape", "laptop"]


def jumps(session, address):
    return [each["value"] for each in session.sent("set") if each["address"] == address]


def song(number):
    return f".songs li:nth-child({number}) button"


def test_all_songs_are_shown_with_what_belongs_to_them(browser):
    for size in SCREENS:
        songs = night()
        songs[1].gain = -3
        songs[2].refusal = "the file cannot be read"
        session = browser.fake(songs)
        page = browser.open(session.url, size, view="setlist")
        for selector, words in [
                (".setlist h1", "Night: 3 songs"), (song(1), "Harbour lights"),
                (song(1), "Wait for Anna's count-in"), (song(1), "▶ plays"),
                (song(2), "The storm, act one"), (song(2), "gain −3.0 dB"), (song(3), "Encore"),
                (song(3), "cannot play"), (song(3), "It cannot play: the file cannot be read"),
                (".scene-jumps h2", "Scenes of Harbour lights")]:
            wait_text(page, selector, words)
        assert page.get_attribute(song(1), "aria-current") == "true"
        assert page.get_attribute(song(3), "aria-disabled") == "true"
        assert page.locator(".songs .number").all_inner_texts() == ["1", "2", "3"]
        color = page.evaluate("getComputedStyle(document.querySelector('.songs li')).borderLeftColor")
        assert color == "rgb(255, 136, 0)", color
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), size


def test_a_touch_jumps_to_a_song_once(browser):
    for size in SCREENS:
        session = browser.fake()
        page = browser.open(session.url, size, view="setlist")
        wait_text(page, song(2), "The storm")
        page.locator(song(2)).scroll_into_view_if_needed()
        Fingers(page).tap(*centre(page, song(2)))
        wait_text(page, song(2), "▶ plays")
        assert jumps(session, "song") == [2]
        assert session.sent("set")[0]["revision"] >= 100
        wait_text(page, ".scene-jumps h2", "Cues of The storm, act one")
        assert "plays" not in page.inner_text(song(1))
        # The cues are new, so nothing acts for half a second; later a press says why it does not.
        time.sleep(0.7)
        page.click(song(2))
        wait_text(page, ".message", "“The storm, act one” plays already")
        assert jumps(session, "song") == [2]


def test_two_presses_at_once_are_one(browser):
    session = browser.fake()
    page = browser.open(session.url, "phone", view="setlist")
    wait_text(page, song(3), "Encore")
    page.evaluate("""() => { for (const number of [2, 3, 3])
        document.querySelector(`.songs li:nth-child(${number}) button`).click();
        document.querySelector(".scenes button:last-child").click(); }""")
    until(lambda: jumps(session, "song") == [2])
    time.sleep(0.2)
    assert jumps(session, "song") == [2] and jumps(session, "scene") == []


def test_a_song_that_cannot_play_is_not_called(browser):
    songs = night()
    songs[2].refusal = "the file cannot be read"
    session = browser.fake(songs)
    page = browser.open(session.url, "phone", view="setlist")
    page.locator(song(3)).dispatch_event("click")
    wait_text(page, ".message", "The song “Encore” cannot play: the file cannot be read")
    assert jumps(session, "song") == []


def test_a_scene_and_a_cue_can_be_called(browser):
    for size in SCREENS:
        session = browser.fake()
        page = browser.open(session.url, size, view="setlist")
        button = ".scenes li:nth-child({}) button"
        wait_text(page, button.format(1), "▶ now")
        page.locator(button.format(3)).scroll_into_view_if_needed()
        Fingers(page).tap(*centre(page, button.format(3)))
        until(lambda: jumps(session, "scene") == [3])
        wait_text(page, button.format(3), "▶ now")
        assert page.get_attribute(button.format(3), "aria-current") == "true"
        session.begin(1)
        for words in ["1 Music while the audience comes in", "3 Thunder over the rain", "storm"]:
            wait_text(page, ".scenes", words)
        time.sleep(0.7)
        page.locator(button.format(2)).scroll_into_view_if_needed()
        Fingers(page).tap(*centre(page, button.format(2)))
        until(lambda: session.song.values["cue"].startswith("2 It begins to rain"))
        wait_text(page, button.format(2), "▶ now")
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), size


def test_a_setlist_without_scenes_has_no_empty_list(browser):
    session = browser.fake([night()[2]], is_setlist=False)
    page = browser.open(session.url, "phone", view="setlist")
    wait_text(page, song(1), "Encore")
    assert not page.locator(".scene-jumps").is_visible()
    page.keyboard.press("1")
    assert page.locator("main.stage").is_visible()


def test_the_left_hand_has_the_scenes_on_its_side(browser):
    session = browser.fake()
    for hand in ["left", "right"]:
        page = browser.open(session.url, "tablet, landscape", view="setlist", hand=hand)
        wait_text(page, ".scenes", "verse")
        isLeft = centre(page, ".scene-jumps")[0] < centre(page, ".song-scroll")[0]
        assert isLeft == (hand == "left"), hand


def test_the_list_of_views_opens_in_a_narrow_window(browser):
    session = browser.fake()
    page = browser.open(session.url, "small phone")
    assert not page.locator(".tabs").is_visible()
    names = ["Mixer", "Board", "Setlist", "Connections", "Stage"]
    for name in names:
        page.click(".view-menu")
        assert page.get_attribute(".view-menu", "aria-expanded") == "true"
        page.click(f".tab:text-is('{name}')")
        wait_text(page, ".view-menu", name)
        assert not page.locator(".tabs").is_visible()
        time.sleep(0.35)
    page.click(".view-menu")
    page.keyboard.press("Escape")
    assert not page.locator(".tabs").is_visible()
    assert page.evaluate("document.activeElement.className") == "view-menu"
    for number, name in enumerate(["stage", "mixer", "board", "setlist", "connections"]):
        page.keyboard.press(str(number + 1))
        page.wait_for_selector(f"main.{name}", state="visible")


PORTS = {"ports": [
    {"port": "mic", "direction": "input", "kind": "audio", "connected": False, "to": [],
     "unmatched": [{"rule": "system:capture_9", "nearest": "system:capture_1"}]},
    {"port": "guitar", "direction": "input", "kind": "audio", "connected": True,
     "to": ["system:capture_2"], "unmatched": []},
    {"port": "main_1", "direction": "output", "kind": "audio", "connected": True,
     "to": ["system:playback_1", "recorder:in_1"], "unmatched": []},
    {"port": "main_2", "direction": "output", "kind": "audio", "connected": False, "to": [],
     "unmatched": []},
    {"port": "talk", "direction": "input", "kind": "audio", "connected": True,
     "to": ["system:capture_4"], "unmatched": []}], "changed": []}


def test_each_port_is_shown_with_its_connections(browser):
    for size in SCREENS:
        session = browser.fake()
        page = browser.open(session.url, size, view="connections")
        wait_text(page, ".connections .summary", "The connections are not known: JACK does not "
                                                 "run, or the sound has not started.")
        wait_text(page, ".port", "not known")
        session.set_part("connections", PORTS)
        wait_text(page, ".connections .summary", "2 ports are not connected.")
        for port, words in [
                ("mic", ["NOT CONNECTED", "No port matches system:capture_9.",
                         "The most similar one is system:capture_1."]),
                ("guitar", ["from system:capture_2"]),
                ("main_1", ["to system:playback_1", "to recorder:in_1"]),
                ("main_2", ["NOT CONNECTED"]), ("talk", ["from system:capture_4"])]:
            text = page.locator(f".port:has(.name:text-is('{port}'))").inner_text()
            assert all(word in text for word in words), (port, text)
        groups = page.locator(".connections .card h2").all_inner_texts()
        assert groups == ["Inputs", "Outputs", "Ports of other songs"], groups
        heads = page.locator(".connections .head").all_inner_texts()
        assert [head.split() for head in heads] == [["mic", "mono"], ["guitar", "mono"],
                                                    ["main", "2", "channels"]], heads
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), size
        session.set_part("connections", {"ports": [
            dict(each, connected=True, to=each["to"] or ["x:y"], unmatched=[])
            for each in PORTS["ports"]], "changed": []})
        wait_text(page, ".connections .summary", "All ports are connected.")
        assert page.locator(".connections .open").count() == 0


def test_every_screen_shows_setlist_and_connections_without_scrolling_sideways(browser):
    session = browser.fake()
    session.parts["connections"] = PORTS
    page = browser.open(session.url, view="setlist")
    for view in ["4", "5"]:
        page.keyboard.press(view)
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            wide = page.evaluate("""() => [...document.querySelectorAll("main:not([hidden]) *")]
                .filter((each) => each.checkVisibility())
                .filter((each) => each.getBoundingClientRect().right > innerWidth + 0.5)
                .map((each) => each.outerHTML.slice(0, 80))""")
            assert wide == [], (view, size, wide)
