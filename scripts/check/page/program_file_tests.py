"""Ports, files, pipelines and presets of the program itself, with a real JACK server."""

import json
import math
import struct
import urllib.error
import urllib.request

from browser import until, wait_text


def get(program, target):
    with urllib.request.urlopen(f"{program.url}api/{target}", timeout=60) as answer:
        return json.load(answer)


def undo(program):
    request = urllib.request.Request(f"{program.url}api/actions/undo", method="POST", data=b"")
    urllib.request.urlopen(request, timeout=60).read()


def others(program, port):
    ports = get(program, "connections")["ports"]
    return next(each["to"] for each in ports if each["port"] == port)


def rules(program, signal):
    signals = get(program, "pipeline")
    return next(each["rules"]["connect"] for each in signals["inputs"] + signals["outputs"]
                if each["name"] == signal)


def tone(seconds=0.5, rate=48000):
    """Returns a WAV file with a quiet tone."""
    samples = [int(3000 * math.sin(0.05 * n)) for n in range(int(seconds * rate))]
    data = struct.pack(f"<{len(samples)}h", *samples)
    return (b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt "
            + struct.pack("<IHHIIHH", 16, 1, 1, rate, 2 * rate, 2, 16)
            + b"data" + struct.pack("<I", len(data)) + data)


def fit(name):
    return f".fit[data-key='{name}']"


def test_ports_of_the_program_are_connected_now_and_by_a_rule(browser, program):
    program.put("song", "Voice")
    file = program.folder / "pipelines" / "rig-vocal.json"
    old = file.read_bytes()
    page = browser.open(program.url, view="connections")
    page.click(".port[data-port=mic] .change")
    wait_text(page, fit("system:capture_1"), "kept by the rule system:capture_1")
    page.click(fit("system:capture_2"))
    until(lambda: others(program, "mic") == ["system:capture_1", "system:capture_2"])
    page.wait_for_selector(fit("system:capture_2") + "[aria-pressed=true]")
    page.wait_for_timeout(400)
    page.click(fit("system:capture_2"))
    until(lambda: others(program, "mic") == ["system:capture_1"])
    assert file.read_bytes() == old
    # The rule for the other port joins the one of the file, and nothing else changes.
    page.click("text=write the rule into rig-vocal.json")
    page.click(fit("system:capture_2"))
    until(lambda: others(program, "mic") == ["system:capture_1", "system:capture_2"])
    new = old.replace(b'"mic": { "connect": ["system:capture_1"] }',
                      b'"mic": { "connect": ["/system:capture_1|system:capture_2/"] }')
    assert file.read_bytes() == new != old, file.read_text()[:600]
    wait_text(page, fit("system:capture_2"),
              "kept by the rule /system:capture_1|system:capture_2/")
    page.wait_for_timeout(400)
    page.click(fit("system:capture_1"))
    until(lambda: others(program, "mic") == ["system:capture_2"])
    until(lambda: rules(program, "mic") == ["system:capture_2"])
    undo(program)
    undo(program)
    until(lambda: file.read_bytes() == old)
    until(lambda: rules(program, "mic") == ["system:capture_1"])


def test_a_sound_is_sent_and_plays_in_the_song(browser, program):
    program.put("song", "Tracks")
    file = program.folder / "pipelines" / "rig-backing.json"
    old = file.read_bytes()
    page = browser.open(program.url, view="board")
    page.wait_for_selector(".card-button[data-node=bells]", state="attached")
    page.focus(".card-button[data-node=bells]")
    page.keyboard.press("Enter")
    wait_text(page, ".sheet .node-files", "bells.wav")
    page.click(".node-files button")
    wait_text(page, "dialog .fit", "sounds/organ.flac")
    sent = {"name": "my tone.wav", "mimeType": "audio/wav", "buffer": tone()}
    page.set_input_files("dialog input[type=file]", files=[sent])
    wait_text(page, "dialog .fit", "0.50 s · mono · 48.0 kHz")
    assert (file.parent / "my tone.wav").read_bytes() == sent["buffer"]
    page.click("dialog .fit:has(strong:text-is('my tone.wav'))")
    until(lambda: page.locator("dialog[open]").count() == 0)
    assert file.read_bytes() == old.replace(b'"sounds/bells.wav"', b'"my tone.wav"') != old
    wait_text(page, ".sheet .node-files", "my tone.wav")
    # What is no sound is refused, and leaves nothing.
    page.click(".node-files button")
    wait_text(page, "dialog .fit", "sounds/organ.flac")
    page.set_input_files("dialog input[type=file]", files=[
        {"name": "fake.wav", "mimeType": "audio/wav", "buffer": b"no sound at all"}])
    wait_text(page, "dialog[open]", "fake.wav\" is not a sound file")
    names = {each.name for each in file.parent.iterdir()}
    assert "fake.wav" not in names and not any(each.startswith(".") for each in names), names
    undo(program)
    until(lambda: file.read_bytes() == old)
    (file.parent / "my tone.wav").unlink()


def test_a_new_pipeline_joins_the_setlist_that_plays(browser, program):
    program.put("song", "Voice")
    setlist = program.folder / "pipelines" / "night.json"
    old = setlist.read_bytes()
    page = browser.open(program.url, view="setlist")
    page.click(".files-button")
    page.wait_for_selector("dialog option[value='/api/templates/clean-vocal.json']",
                           state="attached")
    page.fill("dialog[open] input[type=text]", "encore")
    page.click("dialog >> text=Create")
    until(lambda: page.locator("dialog[open]").count() == 0)
    wait_text(page, ".songs", "encore")
    assert len(get(program, "state")["overview"]["songs"]) == 6
    # It has no node of another song, so it can play at once.
    program.put("song", 6)
    until(lambda: program.value("song") == "encore")
    program.put("song", "Voice")
    # A pipeline with an error is not written.
    page.click(".files-button")
    page.set_input_files("dialog input[type=file]", files=[{
        "name": "broken.json", "mimeType": "application/json",
        "buffer": b'{ "version": 1,\n  "nodes": [ { "id": "x", "type": "gian" } ] }'}])
    wait_text(page, "dialog[open]", "line 2")
    assert not (setlist.parent / "broken.json").exists()
    with urllib.request.urlopen(f"{program.url}api/files/1?download") as answer:
        assert answer.headers["Content-Disposition"].startswith("attachment;"), answer.headers
        assert b"encore.json" in answer.read()
    undo(program)
    until(lambda: setlist.read_bytes() == old)
    (setlist.parent / "encore.json").unlink()


def test_a_preset_of_the_present_values_is_saved_and_applied(browser, program):
    program.put("song", "Guitar")
    file = program.folder / "pipelines" / "rig-guitar.json"
    old = file.read_bytes()
    parameter = next(each for each in get(program, "pipeline")["parameters"]
                     if each["node"] == "amp" and each["kind"] == "linear"
                     and each["address"] not in ["amp.mix"])
    value = round(parameter["minimum"] + 0.3 * (parameter["maximum"] - parameter["minimum"]), 2)
    program.put(parameter["address"], value)
    page = browser.open(program.url, view="board")
    page.wait_for_selector(".card-button[data-node=amp]", state="attached")
    page.focus(".card-button[data-node=amp]")
    page.keyboard.press("Enter")
    page.click(".presets")
    page.fill("dialog[open] input[type=text]", "Page test")
    page.click("dialog >> text=Save >> nth=-1")
    wait_text(page, "dialog .fit", "Page test")
    bundles = list((program.folder / "home" / ".lv2").iterdir())
    assert len(bundles) == 1 and bundles[0].name.endswith("Page_test.preset.lv2"), bundles
    program.put(parameter["address"], parameter["maximum"])
    page.click("dialog .fit:has(strong:text-is('Page test'))")

    def is_closed():
        # The page asks if the file has values of its own for the plugin.
        remove = page.locator("dialog[open] >> text=and remove these values")
        if remove.count():
            remove.click()
        return page.locator("dialog[open]").count() == 0
    until(is_closed)
    assert b'"preset": "Page test"' in file.read_bytes(), file.read_text()
    until(lambda: abs(program.value(parameter["address"]) - value) < 0.02,
          program.value(parameter["address"]))
    undo(program)
    until(lambda: file.read_bytes() == old)


def test_a_path_that_leads_out_is_refused_by_the_program(browser, program):
    outside = program.folder / "outside.wav"
    (program.folder / "pipelines" / "away").symlink_to(program.folder)
    for path, status in [("1/../outside.wav", 400), ("1/%2e%2e/outside.wav", 400),
                         ("1/away/outside.wav", 403), ("1/.outside.wav", 400)]:
        request = urllib.request.Request(f"{program.url}api/library/{path}", method="PUT",
                                         data=tone(), headers={"Content-Type": "audio/wav"})
        try:
            urllib.request.urlopen(request, timeout=60).read()
            raise AssertionError(f"{path} was accepted")
        except urllib.error.HTTPError as error:
            assert error.code == status, (path, error.code)
    assert not outside.exists()
    (program.folder / "pipelines" / "away").unlink()
