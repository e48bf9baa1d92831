"""The page of the program itself, with a real JACK server."""

import array
import cmath
import json
import math
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import urllib.request
import wave
from pathlib import Path

from browser import ROOT, Fingers, centre, until, wait, wait_live, wait_text
from mixer_tests import fader


SHAPES = ["highpass", "lowpass", "bandpass", "notch", "peak", "lowshelf", "highshelf"]


class Program:
    """A JACK server, a copy of the shipped pipelines, and the program that plays the night."""

    count = 0

    def __init__(self, program, *options):
        self.program, self.options = str(Path(program).resolve()), options
        self.folder = Path(tempfile.mkdtemp(prefix="stompline-page-"))
        shutil.copytree(ROOT / "pipelines", self.folder / "pipelines")
        (self.folder / "home" / ".lv2").mkdir(parents=True)
        Program.count += 1
        self.server = f"stompline-page-{os.getpid()}-{Program.count}"
        self.log = open(ROOT / ".build" / "page-program.log", "w")
        self.jack = subprocess.Popen(
            ["jackd", "-n", self.server, "-d", "dummy", "-r", "48000", "-p", "256"],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        self.process, self.port = None, 0
        self.start()

    def start(self):
        """Starts the program on the same port as before, and waits until it serves the page."""
        environment = dict(os.environ, XDG_STATE_HOME=str(self.folder / "state"),
                           XDG_CACHE_HOME=str(self.folder / "cache"),
                           # Presets are saved here.
                           HOME=str(self.folder / "home"))
        # A program that joins too early finds no JACK server, and ends.
        for _ in range(100):
            self.process = subprocess.Popen(
                [self.program, "run", str(self.folder / "pipelines" / "night.json"),
                 "--server", self.server, "--no-start-server", "--http", str(self.port),
                 *self.options],
                env=environment, stdin=subprocess.DEVNULL, stdout=self.log,
                stderr=subprocess.PIPE, text=True)
            for line in self.process.stderr:
                self.log.write(line)
                found = re.search(r"https?://127\.0\.0\.1:(\d+)/", line)
                if found:
                    self.port = int(found[1])
                    threading.Thread(target=self._drain, args=[self.process.stderr],
                                     daemon=True).start()
                    return
            self.process.wait()
            time.sleep(0.2)
        raise AssertionError(f"the program does not start: {self.log.name}")

    def _drain(self, stream):
        for line in stream:
            self.log.write(line)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    def value(self, address):
        with urllib.request.urlopen(f"{self.url}api/values/{address}", timeout=20) as answer:
            return json.load(answer)["value"]

    def put(self, address, value):
        request = urllib.request.Request(f"{self.url}api/values/{address}", method="PUT",
                                         data=json.dumps(value).encode())
        urllib.request.urlopen(request, timeout=60).read()

    def kill(self):
        """Ends the program by force."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def end(self):
        for process in [self.process, self.jack]:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.folder)


def test_the_program_shows_the_night(browser, program):
    program.put("song", "Voice")
    page = browser.open(program.url, "phone")
    wait_text(page, ".song", "Voice")
    wait_text(page, ".next-song", "Guitar")
    wait_text(page, ".scene", "verse")
    names = page.locator(".levels .name").all_inner_texts()
    assert {"mic", "main_1", "main_2"} <= {name.split()[-1] for name in names}, names
    wait(page, "() => document.querySelector('.levels .level').textContent !== ''")
    policy = urllib.request.urlopen(program.url).headers["Content-Security-Policy"]
    assert "script-src 'self'" in policy, policy


def test_a_press_reaches_the_session_and_another_page(browser, program):
    program.put("song", "Voice")
    first, second = browser.open(program.url, "phone"), browser.open(program.url)
    wait_text(second, ".song", "Voice")
    Fingers(first).tap(*centre(first, ".next-scene.pad"))
    until(lambda: program.value("scene") == "chorus")
    wait_text(second, ".scene", "chorus")
    time.sleep(0.4)
    second.keyboard.press("N")
    until(lambda: program.value("song") == "Guitar")
    for page in [first, second]:
        wait_text(page, ".song", "Guitar")
    time.sleep(0.6)
    first.keyboard.press("m")
    until(lambda: program.value("mute") is True)
    wait_text(second, ".muted", "MUTED")
    program.put("mute", False)
    wait(first, "() => document.querySelector('.mute.pad').ariaPressed === 'false'")


def test_cues_and_players_follow(browser, program):
    program.put("song", "Play")
    page = browser.open(program.url)
    wait_text(page, ".scene", "Music while the audience comes in")
    music = page.locator(".player", has=page.locator("h3:text-is('music')"))

    def wait_music(part, text):
        music.locator(part, has_text=text).wait_for()

    # The first scene starts the music.
    wait_music(".state", "playing")
    wait_music(".title", "organ.flac")
    wait(page, "() => document.querySelector('.progress .fill').style.transform !== 'scaleX(0)'")
    wait(page, """() => [...document.querySelectorAll(".levels .output .level")]
        .some((level) => Number(level.textContent.replace("−", "-")) > -60)""")
    # After a change of songs, the page ignores touches and keys for a moment.
    time.sleep(0.6)
    music.locator(".toggle").click()
    until(lambda: program.value("music.playing") is False)
    wait_music(".state", "stopped")
    # The page ignores a second press within 0.3 s.
    time.sleep(0.4)
    music.locator(".toggle").click()
    until(lambda: program.value("music.playing") is True)
    wait_music(".state", "playing")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press(" ")
    wait_text(page, ".scene", "It begins to rain")


def test_a_port_that_is_not_connected_is_a_problem(browser, program):
    program.put("song", "Tracks")
    page = browser.open(program.url, "phone")
    wait_text(page, ".problems", "The output “phones_1” is not connected")


def test_two_pages_and_a_script_converge(browser, program):
    program.put("song", "Voice")
    pages = [browser.open(program.url, "tablet", view="mixer") for _ in range(2)]
    name = "presence"
    for page in pages:
        page.wait_for_selector(fader(name, "blend"))
    hands = [Fingers(page) for page in pages]
    places = [centre(page, fader(name, "blend")) for page in pages]
    for hand, (x, y) in zip(hands, places):
        hand.down(0, x, y)
    for step in range(6):
        for hand, (x, y), sign in zip(hands, places, [1, -1]):
            hand.drag({0: (x, y + sign * 15 * (step + 1))}, steps=2)
    for hand in hands:
        hand.up(0)

    def agree():
        value = program.value(f"blend.{name}.gain")
        words = f"{'−' if value < 0 else ''}{abs(value):.1f} dB"
        return all(page.get_attribute(fader(name, "blend"), "aria-valuetext") == words
                   for page in pages)
    until(agree)
    program.put(f"blend.{name}.gain", -12.5)
    until(agree)
    assert program.value(f"blend.{name}.gain") == -12.5


def board(browser, program, song, size="laptop"):
    """Opens the board of a song of the program."""
    program.put("song", song)
    page = browser.open(program.url, size, view="board")
    wait(page, "(name) => document.title.startsWith(name)", song)
    page.wait_for_selector(".card-button", state="attached")
    return page


def test_the_board_shows_the_drawing_of_the_program(browser, program):
    page = board(browser, program, "Voice")
    with urllib.request.urlopen(program.url + "api/drawing", timeout=20) as answer:
        assert answer.headers["Content-Type"] == "image/svg+xml; charset=utf-8"
        assert answer.headers["Cache-Control"] == "no-store"
        drawing = answer.read().decode()
    # Nothing that the policy of the page blocks.
    assert not re.search(r"style=|<style|<script|\son\w+=|href=", drawing)
    with urllib.request.urlopen(program.url + "api/pipeline", timeout=20) as answer:
        pipeline = json.load(answer)
    names = [node["id"] for node in pipeline["nodes"]]
    shown = page.evaluate("""() => [...document.querySelectorAll(".card-button")]
        .map((each) => each.dataset.node)""")
    assert sorted(shown) == sorted(names), (shown, names)
    for node in pipeline["nodes"]:
        # In the order of the signal, and with a wire from each source.
        assert all(shown.index(name) < shown.index(node["id"])
                   for name in node["from"] if name in names), (node, shown)
        for source in node["from"]:
            assert page.locator(f"g.wire[data-from='{source}'][data-to='{node['id']}']").count(), \
                (source, node["id"])
    ports = page.locator(".plane .meter").evaluate_all("all => all.map((each) => each.ariaLabel)")
    assert {"Input mic", "Output main_1", "Output main_2"} <= set(ports), ports
    # Each node has its load, and each colour of the drawing has one for the look.
    wait(page, """(count) => [...document.querySelectorAll(".card-words .load")]
        .filter((each) => each.textContent.startsWith("load ")).length === count""", len(names))
    colours = set(re.findall(r'(?:fill|stroke)="(#\w+)"', drawing))
    sheet = (ROOT / "Sources" / "CPage" / "Assets" / "board.css").read_text()
    assert all(f'="{colour}"]' in sheet for colour in colours), colours
    box = page.evaluate("""() => [...document.querySelectorAll(".card-button")].every((each) => {
        const own = each.getBoundingClientRect();
        // A card of the setlist has a frame around it.
        return [...document.querySelectorAll(`g[data-node="${each.dataset.node}"] > rect`)]
            .map((rect) => rect.getBoundingClientRect()).some((card) =>
                Math.abs(card.x - own.x) < 3 && Math.abs(card.y - own.y) < 3
                && Math.abs(card.width - own.width) < 3);
    })""")
    assert box


def test_the_board_shows_latencies_of_the_program(browser, program):
    page = board(browser, program, "Voice")
    # The pitch shifters are late; the drawing says it as soon as the session does.
    wait(page, "() => document.querySelectorAll('.plane text.latency').length > 0")
    wait(page, """() => [...document.querySelectorAll(".card-button")]
        .some((each) => each.ariaLabel.includes(", latency "))""")


def test_a_value_of_a_sheet_reaches_the_program_and_back(browser, program):
    page = board(browser, program, "Voice", "phone")
    with urllib.request.urlopen(program.url + "api/pipeline", timeout=20) as answer:
        pipeline = json.load(answer)
    node = next(each["id"] for each in pipeline["nodes"] if each["type"] == "filter")
    page.focus(f".card-button[data-node='{node}']")
    page.keyboard.press("Enter")
    slider = f"[role=slider][aria-label='Frequency of {node}']"
    page.focus(slider)
    page.keyboard.press("Delete")
    until(lambda: program.value(f"{node}.frequency") == 1000)
    program.put(f"{node}.frequency", 440)
    wait(page, "(name) => document.querySelector(name).ariaValueText === '440 Hz'", slider)
    program.put(f"{node}.bypass", True)
    wait_text(page, ".card-words .bypassed", "BYPASSED")
    program.put(f"{node}.bypass", False)
    # The song needs a MIDI input to learn from; the page says what the session says.
    page.click(f"[aria-label='Learn a MIDI control for Frequency of {node}']")
    until(lambda: program.value("learn") == f"{node}.frequency"
          or "there is no MIDI input" in page.inner_text(".message"))
    program.put("learn", "")


def test_the_curve_of_a_filter_is_the_response_of_the_program(browser, program):
    rate, count = 48000, 1 << 15
    folder = program.folder / "filters"
    folder.mkdir(exist_ok=True)
    impulse = folder / "impulse.wav"
    with wave.open(str(impulse), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(3)
        file.setframerate(rate)
        file.writeframes(((1 << 22).to_bytes(3, "little")) + bytes(3 * (count - 1)))
    page = browser.open(program.url)
    frequencies = [60.0, 310.0, 1000.0, 2700.0, 9000.0, 17000.0]
    for number, kind in enumerate(SHAPES * 2):
        filter = {"shape": kind, "frequency": [800.0, 6000.0][number // 7], "q": [0.7071, 2.5][
            number // 7], "gain": [9.0, -15.0][number // 7], "order": [3, 8][number // 7]}
        pipeline, output = folder / "f.json", folder / f"{number}.wav"
        pipeline.write_text(json.dumps({
            "version": 1, "inputs": {"in": {}}, "nodes": [
                {"id": "f", "type": "filter", "from": "in", "parameters": filter}],
            "outputs": {"out": {"channels": 1, "from": "f", "limiter": False}}}))
        subprocess.run([program.program, "render", str(pipeline), "--input", str(impulse),
                        "--output", str(output)], check=True, stdout=program.log,
                       stderr=program.log)
        samples = read_floats(output)[:count]
        for hertz in frequencies:
            turn = cmath.exp(-2j * cmath.pi * hertz / rate)
            total = 0
            for sample in reversed(samples):
                total = total * turn + sample
            measured = 20 * math.log10(max(2 * abs(total), 1e-9))
            drawn = page.evaluate("""async ([filter, rate, hertz]) =>
                (await import("/response.js")).filterGain(filter, rate, hertz)""",
                [filter, rate, hertz])
            # Below -90 dB the rounding of the samples counts.
            if max(measured, drawn) > -90:
                assert abs(measured - drawn) < 0.05, (filter, hertz, measured, drawn)


def read_floats(path):
    """Returns the samples of a WAV file with one channel of 32-bit floats."""
    data = path.read_bytes()
    at = 12
    while data[at:at + 4] != b"data":
        at += 8 + int.from_bytes(data[at + 4:at + 8], "little")
    size = int.from_bytes(data[at + 4:at + 8], "little")
    samples = array.array("f")
    samples.frombytes(data[at + 8:at + 8 + size - size % 4])
    return samples


def test_the_setlist_and_the_connections_of_the_program(browser, program):
    program.put("song", "Voice")
    page = browser.open(program.url, "phone", view="setlist")
    voice, guitar = [f".songs li:nth-child({number}) button" for number in [1, 2]]
    wait_text(page, voice, "▶ plays")
    wait_text(page, guitar, "Guitar")
    page.locator(guitar).scroll_into_view_if_needed()
    Fingers(page).tap(*centre(page, guitar))
    until(lambda: program.value("song") == "Guitar")
    wait_text(page, guitar, "▶ plays")
    program.put("song", "Voice")
    wait_text(page, ".scene-jumps h2", "Scenes of Voice")
    wait_text(page, ".scene-jump[aria-current]", "▶ now")
    time.sleep(0.7)
    for name in ["bridge", "chorus"]:
        page.locator(".scene-jump", has=page.locator(f"strong:text-is('{name}')")).click()
        until(lambda: program.value("scene") == name)
        wait_text(page, ".scene-jump[aria-current]", name)
        time.sleep(0.4)
    page.keyboard.press("5")
    port = page.locator(".port:has(.name:text-is('main_1'))")
    until(lambda: "to system:playback_1" in port.inner_text())


def test_a_page_that_slept_overwrites_nothing_in_the_program(browser, program):
    program.put("song", "Voice")
    page = browser.open(program.url, "tablet", view="mixer")
    page.wait_for_selector(fader("echo", "blend"))
    fingers = Fingers(page)
    x, y = centre(page, fader("echo", "blend"))
    fingers.down(0, x, y)
    fingers.drag({0: (x, y + 30)})
    devtools = page.context.new_cdp_session(page)
    # A page whose script stands still hears nothing, as on a machine that sleeps.
    devtools.send("Debugger.enable")
    page.evaluate("setTimeout(() => { debugger; }, 0)")
    program.put("blend.echo.gain", -33)
    time.sleep(6)
    devtools.send("Debugger.resume")
    fingers.drag({0: (x, y + 90)})
    fingers.up(0)
    until(lambda: page.get_attribute(fader("echo", "blend"), "aria-valuetext") == "−33.0 dB")
    assert program.value("blend.echo.gain") == -33


def test_an_edited_file_arrives(browser, program):
    program.put("song", "Voice")
    page = browser.open(program.url, view="mixer")
    page.wait_for_selector(fader("third", "harmonies"))
    file = program.folder / "pipelines" / "rig-vocal.json"
    old = file.read_text()
    new = old.replace('"third.gain": -4', '"third.gain": -7').replace(
        '"from": ["presence", "choir", "echo"]', '"from": ["presence", "choir", "echo", "mic"]')
    assert new != old
    file.write_text(new)
    # A new strip of an input, with its levels.
    page.wait_for_selector(fader("mic", "blend"))
    until(lambda: page.get_attribute(fader("third", "harmonies"), "aria-valuetext") == "−7.0 dB")
    assert page.locator(".group[aria-label=blend] .strip:has(h3:text-is('mic')) .meter").count() == 1
    file.write_text(old)
    wait(page, "() => document.querySelectorAll('.group[aria-label=blend] .strip').length === 4")


def test_a_killed_and_restarted_program_is_found_again(browser, program):
    program.put("song", "Guitar")
    page = browser.open(program.url, "phone")
    wait_text(page, ".song", "Guitar")
    program.kill()
    wait_text(page, ".away", "No connection to Stompline")
    page.keyboard.press("n")
    page.keyboard.press("!")
    program.start()
    wait_live(page)
    wait_text(page, ".message", "Stompline was started again")
    wait_text(page, ".song", "Voice")
    wait_text(page, ".scene", "verse")
    assert shown_mute(page) == "false"


def test_a_page_over_tls_plays(browser, program):
    secure = Program(program.program, "--http-tls", "self-made")
    try:
        # A person types the address without https.
        page = browser.open(f"http://127.0.0.1:{secure.port}/")
        assert page.url == f"https://127.0.0.1:{secure.port}/", page.url
        assert page.evaluate("isSecureContext")
        # The browser can install the page as an app.
        manifest = page.evaluate("fetch(document.querySelector('[rel=manifest]').href)"
                                 ".then((answer) => answer.json())")
        assert manifest["display"] == "standalone" and manifest["icons"], manifest
        wait_text(page, ".song", "Voice")
        page.evaluate("""() => fetch("api/values/song", {method: "PUT", body: '"Guitar"'})""")
        wait_text(page, ".song", "Guitar")
        wait(page, "() => document.querySelector('.levels .level').textContent !== ''")
    finally:
        secure.end()


def shown_mute(page):
    return page.get_attribute(".mute.pad", "aria-pressed")
