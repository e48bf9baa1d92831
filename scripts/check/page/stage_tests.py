"""The stage view, against a fake session."""

import time

from browser import ASSETS, SIZES, Fingers, box_of, centre, until, until_still, wait, wait_text
from fake_session import night

PADS = ".dock button:visible"


def performed(session):
    return [each["action"] for each in session.sent("perform")]


def test_the_page_is_below_130_kB_compressed(browser):
    import gzip
    total = sum(len(gzip.compress(path.read_bytes(), 9)) for path in ASSETS.iterdir())
    assert total < 130_000, total


def test_nothing_is_fetched_from_elsewhere(browser):
    session = browser.fake()
    page = browser.open("about:blank", is_live=False)
    addresses = []
    page.on("request", lambda request: addresses.append(request.url))
    page.goto(session.url)
    page.wait_for_selector(".connection[data-state=live]")
    assert len(addresses) > 10
    assert all(each.startswith((session.url, session.url.replace("http", "ws")))
               for each in addresses), addresses


def test_every_screen_shows_the_song_and_all_buttons(browser):
    session = browser.fake()
    page = browser.open(session.url)
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        # The size of the letters follows the size of the window.
        until_still(lambda: page.evaluate(
            "getComputedStyle(document.querySelector('.song')).fontSize"))
        facts = page.evaluate("""() => {
            const inside = (box) => box.left >= 0 && box.top >= 0 && box.right <= innerWidth + 0.5
                && box.bottom <= innerHeight + 0.5;
            const pads = [...document.querySelectorAll(".dock button")];
            const name = document.createRange();
            name.selectNodeContents(document.querySelector(".song"));
            return {
                share: name.getBoundingClientRect().width
                    / document.querySelector(".song").clientWidth,
                isWide: document.documentElement.scrollWidth > innerWidth,
                letters: parseFloat(getComputedStyle(document.querySelector(".song")).fontSize),
                song: inside(document.querySelector(".song").getBoundingClientRect()),
                scene: inside(document.querySelector(".scene").getBoundingClientRect()),
                next: inside(document.querySelector(".next-scene").getBoundingClientRect()),
                outside: pads.filter((pad) => !inside(pad.getBoundingClientRect()))
                    .map((pad) => pad.className),
                small: pads.filter((pad) => pad.offsetHeight < 44 || pad.offsetWidth < 44)
                    .map((pad) => pad.className),
                cut: pads.filter((pad) => pad.querySelector(".title").offsetWidth > pad.clientWidth)
                    .map((pad) => pad.className),
            };
        }""")
        assert not facts["isWide"], size
        assert facts["song"] and facts["scene"] and facts["next"], (size, facts)
        # The letters of some fonts are so wide that the name fills the window before.
        assert (facts["letters"] >= (36 if width < 700 else 52)
                or facts["letters"] >= 30 and facts["share"] > 0.9), (size, facts)
        assert not facts["outside"] and not facts["small"] and not facts["cut"], (size, facts)


def test_the_head_fits_with_problems_and_without_a_connection(browser):
    session = browser.fake()
    session.parts["status"]["xruns"] = 3
    page = browser.open(session.url)
    wait_text(page, ".badge", "1")
    session.is_closed = True
    session.drop()
    wait_text(page, ".connection", "Offline")
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        right = page.evaluate("""() => Math.max(...[...document.querySelectorAll("header *")]
            .filter((each) => each.checkVisibility())
            .map((each) => each.getBoundingClientRect().right))""")
        assert right <= width, (size, right)


def test_song_scene_notes_and_color_follow_the_session(browser):
    session = browser.fake()
    page = browser.open(session.url)
    for selector, words in [(".song", "Harbour lights"), (".next-song", "The storm, act one"),
                            (".scene", "verse"), (".next-scene", "chorus"),
                            (".notes", "Wait for Anna"), (".now .number", "Song 1 of 3")]:
        wait_text(page, selector, words)
    color = page.evaluate("getComputedStyle(document.querySelector('.now')).borderLeftColor")
    assert color == "rgb(255, 136, 0)", color
    session.change({"scene": "bridge"})
    wait_text(page, ".scene", "bridge")
    wait_text(page, ".next-scene", "Last scene")
    session.begin(1)
    wait_text(page, ".song", "The storm, act one")
    wait_text(page, ".scene", "1 Music while the audience comes in")
    wait_text(page, ".next-scene", "2 It begins to rain")
    assert not page.locator(".notes").is_visible()
    assert page.title() == "The storm, act one – Stompline"


def test_a_song_without_scenes_and_mixers_has_no_dead_buttons(browser):
    session = browser.fake([night()[2]], is_setlist=False)
    page = browser.open(session.url, "phone")
    wait_text(page, ".song", "Encore")
    names = page.locator(PADS).evaluate_all("all => all.map((each) => each.className)")
    assert [name.split()[1] for name in names] == ["panic", "tap", "mute"], names
    assert not page.locator(".tuner").is_visible()
    page.keyboard.press("2")
    wait_text(page, ".mixer", "This song has no mixer")


def test_one_touch_is_one_action(browser):
    session = browser.fake()
    page = browser.open(session.url, "phone")
    fingers = Fingers(page)
    x, y = centre(page, ".next-scene.pad")
    fingers.tap(x, y)
    until(lambda: performed(session) == ["next-scene"])
    wait_text(page, ".scene", "chorus")
    request = session.sent("perform")[0]
    assert request["revision"] >= 100, request
    # The action comes with the touch, not when the finger leaves.
    time.sleep(0.4)
    fingers.down(0, *centre(page, ".go.pad"))
    until(lambda: performed(session) == ["next-scene", "go"])
    fingers.up(0)
    time.sleep(0.5)
    # Neither does a mouse that stays down for long.
    page.hover(".go.pad")
    page.mouse.down()
    until(lambda: performed(session) == ["next-scene", "go", "go"])
    time.sleep(5.2)
    page.mouse.up()
    time.sleep(0.5)
    assert performed(session) == ["next-scene", "go", "go"]


def test_a_second_press_at_once_is_ignored(browser):
    session = browser.fake()
    page = browser.open(session.url, "phone")
    # Two touches and a finger on a neighbour, all within the guard.
    page.evaluate("""() => {
        const press = (selector) => document.querySelector(selector).dispatchEvent(
            new PointerEvent("pointerdown", {bubbles: true, button: 0, pointerId: 5}));
        press(".next-scene.pad"); press(".next-scene.pad"); press(".go.pad");
        press(".mute.pad"); press(".mute.pad");
        press(".tap.pad"); press(".tap.pad"); press(".tap.pad");
    }""")
    until(lambda: performed(session).count("tap") == 3)
    time.sleep(0.2)
    assert performed(session) == ["next-scene", "tap", "tap", "tap"], performed(session)
    assert len(session.sent("set")) == 1


def test_a_song_that_changes_the_buttons_leaves_time_to_look(browser):
    session = browser.fake()
    page = browser.open(session.url, "phone")
    wait_text(page, ".song", "Harbour lights")
    session.begin(1)
    # At the moment when the buttons of the play are there, a press does nothing.
    page.evaluate("""() => new Promise((done) => {
        const look = () => {
            const back = document.querySelector(".dock .back");
            if (!back?.isConnected) return requestAnimationFrame(look);
            back.dispatchEvent(new PointerEvent("pointerdown", {bubbles: true, button: 0}));
            done();
        };
        look();
    })""")
    time.sleep(0.3)
    assert performed(session) == []


def test_a_held_key_acts_once_and_enter_presses_the_focused_button(browser):
    session = browser.fake()
    page = browser.open(session.url)
    page.focus(".go.pad")
    page.keyboard.down("Enter")
    for _ in range(5):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    until(lambda: performed(session) == ["go"])
    page.evaluate("document.activeElement.blur()")
    for key, action in [("n", "next-scene"), ("p", "previous-scene"), ("t", "tap"), ("!", "panic"),
                        ("N", "next-song")]:
        time.sleep(0.35)
        before = len(performed(session))
        page.keyboard.press(key)
        until(lambda: len(performed(session)) == before + 1)
        assert performed(session)[-1] == action
    # Another song may have other buttons, so a press acts only after a moment.
    wait_text(page, ".song", "The storm")
    time.sleep(0.7)
    page.keyboard.press("m")
    until(lambda: [(each["address"], each["value"]) for each in session.sent("set")]
          == [("mute", True)])
    page.keyboard.press("F1")
    until(lambda: [each["key"] for each in session.sent("key")] == ["f1"])


def test_keys_can_be_switched_off(browser):
    session = browser.fake()
    page = browser.open(session.url, usesKeys=False)
    page.keyboard.press("n")
    page.keyboard.press("!")
    time.sleep(0.3)
    assert performed(session) == []


def test_the_end_of_the_list_says_why_and_sends_nothing(browser):
    session = browser.fake()
    page = browser.open(session.url, "phone")
    assert page.get_attribute(".previous-song.pad", "aria-disabled") == "true"
    Fingers(page).tap(*centre(page, ".previous-song.pad"))
    wait_text(page, ".message", "“Harbour lights” is the first song")
    assert performed(session) == []


def test_a_refused_request_is_explained(browser):
    session = browser.fake()
    page = browser.open(session.url)
    session.begin(1)
    session.change({"scene": "storm", "cue": "3 Thunder over the rain", "next-cue": ""})
    wait_text(page, ".next-scene", "Last cue")
    time.sleep(0.6)
    page.keyboard.press(" ")
    wait_text(page, ".message", "Not done: this is the last cue")


def test_mute_is_seen_everywhere(browser):
    session = browser.fake()
    first, second = browser.open(session.url, "phone"), browser.open(session.url)
    Fingers(first).tap(*centre(first, ".mute.pad"))
    for page in [first, second]:
        wait_text(page, ".now .muted", "MUTED")
        assert page.get_attribute(".mute.pad", "aria-pressed") == "true"
        wait_text(page, ".mute.pad", "Muted")


def test_the_lamp_blinks_with_the_tempo_unless_motion_is_reduced(browser):
    session = browser.fake()
    page = browser.open(session.url)
    length = "document.querySelector('.lamp').getAnimations()[0]?.effect.getTiming().duration"
    wait(page, f"() => Math.abs({length} - 60000 / 96) < 0.01")
    session.change({"tempo": 120})
    wait(page, f"() => Math.abs({length} - 500) < 0.01")
    wait_text(page, ".tap.pad", "120.0")
    still = browser.open(session.url, motion="reduce")
    assert still.evaluate("document.querySelector('.lamp').getAnimations().length") == 0
    assert not still.locator(".lamp").is_visible()


def test_meters_move_and_a_clip_stays_until_it_is_cleared(browser):
    session = browser.fake()
    session.peak = lambda channel, now: -20.0
    page = browser.open(session.url)
    cover = "document.querySelector('.levels .meter .cover').style.transform"
    wait(page, f"() => {cover} === 'scaleX(0.333)'")
    wait_text(page, ".levels .level", "−20.0")
    assert not page.locator(".clip:visible").count()
    session.peak = lambda channel, now: 0.0 if channel == 1 else -40.0
    wait_text(page, ".levels .input:nth-child(2) .clip", "CLIP")
    session.peak = lambda channel, now: -40.0
    wait(page, f"() => {cover} === 'scaleX(0.667)'")
    assert page.locator(".clip:visible").count() == 1
    page.click(".levels .clip:visible")
    wait(page, "() => [...document.querySelectorAll('.clip')].every((each) => each.hidden)")
    meter = page.locator(".levels .meter").first
    wait(page, "() => document.querySelector('.levels .meter').ariaValueText === '−40.0 dB'")
    assert meter.get_attribute("role") == "meter"
    assert meter.get_attribute("aria-label") == "Input mic"


def test_a_hidden_page_asks_for_no_meters(browser):
    session = browser.fake()
    page = browser.open(session.url)
    until(lambda: session.sent("watch") and session.sent("watch")[-1]["meters"] == 30)
    page.evaluate("""() => {
        Object.defineProperty(document, "hidden", {value: true, configurable: true});
        document.dispatchEvent(new Event("visibilitychange"));
    }""")
    until(lambda: session.sent("watch")[-1]["meters"] == 0)


def test_the_tuner_shows_note_cents_and_a_word(browser):
    session = browser.fake()
    page = browser.open(session.url)
    wait_text(page, ".of-node .dial", "too high")
    wait_text(page, ".of-node .note", "A2")
    page.click(".choice:has-text('guitar')")
    until(lambda: session.master["tuner"] == "guitar")
    session.pitch = 329.0
    wait_text(page, ".tuner > .dial .note", "E4")
    wait_text(page, ".tuner > .dial .cents", "−3.3 ct")
    wait_text(page, ".tuner > .dial .verdict", "too low")
    session.pitch = 329.63
    wait_text(page, ".tuner > .dial .verdict", "in tune")
    session.pitch = 0
    wait_text(page, ".tuner > .dial", "Play one note")
    page.keyboard.press("u")
    until(lambda: session.master["tuner"] == "")
    wait(page, "() => document.querySelector('.tuner > .dial').hidden")


def test_players_show_title_elapsed_and_remaining_time(browser):
    session = browser.fake()
    page = browser.open(session.url)
    band = ".player:has(h3:text-is('band'))"
    for words in ["playing", "harbour lights.flac", "0:47", "−2:47"]:
        assert words in page.locator(band).inner_text(), words
    session.change(reports={"band.reports.position": 213.2})
    until(lambda: "−0:01" in page.locator(band).inner_text())
    session.happen({"event": "title", "node": "band", "title": "A band – A title"})
    session.change(reports={"band.reports.position": 213.4})
    until(lambda: "A band – A title" in page.locator(band).inner_text())
    page.click(f"{band} .toggle")
    until(lambda: [(each["address"], each["value"]) for each in session.sent("set")]
          == [("band.playing", False)])
    session.change(reports={"band.reports.playing": False})
    until(lambda: "stopped" in page.locator(band).inner_text())
    assert page.get_attribute(f"{band} .toggle", "aria-label") == "Play band"


def test_recorders_show_state_length_and_peak(browser):
    session = browser.fake()
    page = browser.open(session.url)
    for words in ["not recording", "12:34", "−3.4 dB", "2026-11-24 20.15.02.flac"]:
        assert words in page.locator(".recorder").inner_text(), words
    page.click(".recorder .toggle")
    until(lambda: session.song.values["tape.recording"] is True)
    session.change(reports={"tape.state": "recording", "tape.lost-frames": 64})
    until(lambda: "RECORDING" in page.locator(".recorder").inner_text())
    until(lambda: "64 frames were lost" in page.locator(".recorder").inner_text())
    closed = night()[0]
    closed.parameters = [dict(each, remote=False) if each["node"] == "tape" else each
                         for each in closed.parameters]
    other = browser.open(browser.fake([closed]).url)
    assert other.locator(".recorder button").count() == 0
    assert "closes this to remote control" in other.locator(".recorder").inner_text()


def test_loopers_show_state_and_position(browser):
    session = browser.fake()
    page = browser.open(session.url)
    for words in ["playing", "3.2 / 8.0 s", "2 layers to undo"]:
        assert words in page.locator(".looper").inner_text(), words
    session.change(reports={"rhythm.state": 3, "rhythm.waiting": 1, "rhythm.position": 6})
    until(lambda: "overdubbing, waits for the beat" in page.locator(".looper").inner_text())
    until(lambda: page.get_attribute(".looper .progress", "aria-valuenow") == "75")
    page.click(".looper button:has-text('Undo')")
    until(lambda: [each["address"] for each in session.sent("set")] == ["rhythm.undo"])


def test_problems_of_the_machine_are_said_in_plain_words(browser):
    session = browser.fake()
    page = browser.open(session.url, "phone")
    for event, words in [
            ({"event": "cores_not_used"}, "Only one core is used"),
            ({"event": "memory_not_locked", "locked_bytes": 1, "unlocked_bytes": 2, "limit_bytes": 1},
             "Memory is not locked"),
            ({"event": "port_refused", "port": "send_1"}, "JACK refused the port “send_1”."),
            ({"event": "song_skipped", "name": "Encore", "reason": "no file"},
             "“Encore” was skipped: no file"),
            ({"event": "preparation_failed", "message": "no memory"}, "continues: no memory")]:
        session.happen(event)
        wait_text(page, ".problems", words)
    wait_text(page, ".badge", "5")


def test_problems_are_said_in_plain_words(browser):
    session = browser.fake()
    page = browser.open(session.url, "phone")
    assert not page.locator(".badge").is_visible()
    assert not page.locator(".problems").is_visible()
    session.songs[2].refusal = "the file cannot be read"
    session.set_part("overview", session.overview)
    session.set_part("problems", [
        {"song": "Harbour lights", "node": "amp", "consequence": "dry", "file": "rig.json",
         "line": 12, "message": "the plugin urn:amp is not installed"}])
    session.set_part("connections", {"ports": [
        {"port": "mic", "direction": "input", "kind": "audio", "connected": False, "to": [],
         "unmatched": [{"rule": "system:capture_9", "nearest": "system:capture_1"}]},
        {"port": "main_1", "direction": "output", "kind": "audio", "connected": True,
         "to": ["system:playback_1"], "unmatched": []}], "changed": []})
    session.happen({"event": "plugin_stopped", "node": "verb", "plugin": "urn:verb", "periods": 3})
    session.happen({"event": "overrun", "node": "verb", "periods": 1.2})
    session.happen({"event": "xruns", "count": 2, "last_time": time.time()})
    session.set_part("status", {**session.parts["status"], "xruns": 2})
    for words in ["“amp” does not work and passes its input: the plugin urn:amp is not installed",
                  "rig.json, line 12", "The input “mic” is not connected",
                  "The most similar one is system:capture_1", "The song “Encore” cannot play",
                  "The plugin of “verb” took too long and was stopped",
                  "The sound was interrupted 2 times since the start"]:
        wait_text(page, ".problems", words)
    wait_text(page, ".badge", "5")
    wait_text(page, ".problems h2", "5 problems")
    page.click(".badge")
    wait(page, "() => document.activeElement.id === 'problems'")
    session.set_server("lost")
    wait_text(page, ".problems", "The JACK server is gone")
    session.set_server("running")
    session.happen({"event": "reloaded", "pipeline": "Harbour lights"})
    wait_text(page, ".badge", "4")


def test_the_left_hand_has_the_controls_on_its_side(browser):
    session = browser.fake()
    page = browser.open(session.url, "tablet, landscape", hand="left")
    dock, scroll = [box_of(page, each)["x"] for each in [".dock", ".scroll"]]
    assert dock < scroll
    assert centre(page, ".mute.pad")[0] < centre(page, ".panic.pad")[0]
    page.keyboard.press("2")
    assert centre(page, ".master")[0] < centre(page, ".groups")[0]
    right = browser.open(session.url, "phone", hand="right")
    assert centre(right, ".mute.pad")[0] > centre(right, ".panic.pad")[0]


def test_settings_are_kept_in_this_browser(browser):
    session = browser.fake()
    page = browser.open(session.url, "phone")
    page.click("header [aria-label=Settings]")
    page.check("input[value=light]")
    page.check("input[value=left]")
    page.click(".close")
    assert not page.locator("dialog").is_visible()
    page.reload()
    page.wait_for_selector(".connection[data-state=live]")
    root = page.evaluate("({...document.documentElement.dataset})")
    assert root == {"theme": "light", "hand": "left"}, root


def test_the_screen_is_kept_on_where_the_browser_allows_it(browser):
    session = browser.fake()
    fake_lock = """Object.defineProperty(navigator, "wakeLock", {value: {request: async () => {
        window.locks = (window.locks ?? 0) + 1;
        const lock = new EventTarget();
        lock.release = async () => { lock.released = true; window.locks -= 1; };
        return lock;
    }}});"""
    page = browser.open(session.url, script=fake_lock)
    wait(page, "() => window.locks === 1")
    wait_text(page, ".machine", "The screen stays on")
    page.click("header [aria-label=Settings]")
    page.uncheck("input[name=keepsScreen]")
    wait(page, "() => window.locks === 0")
    none = browser.open(session.url, script="delete Navigator.prototype.wakeLock")
    wait_text(none, ".machine", "The screen may switch itself off: this browser cannot keep it on")


def test_the_load_of_each_core_is_shown_if_there_are_several(browser):
    session = browser.fake()
    page = browser.open(session.url)
    page.wait_for_selector(".machine dt")
    assert "each core" not in page.inner_text(".machine")
    session.set_part("status", {**session.parts["status"], "core_loads": [0.38, 0.351]})
    wait_text(page, ".machine", "Load of each core")
    wait_text(page, ".machine", "38 % · 35 %")
    session.set_part("status", {**session.parts["status"], "core_loads": []})
    wait(page, "() => !document.querySelector('.machine').innerText.includes('each core')")
