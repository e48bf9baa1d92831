"""Measures how smoothly the page follows a finger that drags.

Each line has the frames per second while a finger moves, the longest gap between two frames, and the time per frame in
which the thread of the page works: up to 16.7 ms, it can draw 60 frames per second. Without a graphics card, the browser
draws with the processor, on other threads; the gaps contain that.
"""

import time

from browser import Fingers, centre
from fake_session import chain, night, rig

#: The length of a drag, in steps of the browser's own 60 frames per second.
STEPS = 180
WATCH = """() => {
    window.frameTimes = [];
    const note = (now) => { window.frameTimes.push(now); window.frameRequest = requestAnimationFrame(note); };
    window.frameRequest = requestAnimationFrame(note);
}"""


def busy_seconds(devtools):
    """The time in which the thread of the page has worked so far, in seconds."""
    metrics = devtools.send("Performance.getMetrics")["metrics"]
    return next(each["value"] for each in metrics if each["name"] == "TaskDuration")


def drag(page, x, y, ways):
    """Drags a finger through the ways, one step per frame, and returns the figures."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Performance.enable")
    fingers = Fingers(page)
    fingers.down(0, x, y)
    page.evaluate(WATCH)
    before, began = busy_seconds(devtools), time.monotonic()
    for step in range(STEPS):
        along = ways(step / STEPS)
        fingers.points[0] = (x + along[0], y + along[1])
        fingers.send("touchMove")
        time.sleep(max(0, began + (step + 1) / 60 - time.monotonic()))
    busy = busy_seconds(devtools) - before
    times = page.evaluate("() => { cancelAnimationFrame(window.frameRequest); return window.frameTimes; }")
    fingers.up(0)
    gaps = sorted(after - first for first, after in zip(times, times[1:]))
    rate = 1000 * len(gaps) / (times[-1] - times[0])
    return (f"{rate:.1f} frames per second, 95 % of the gaps up to {gaps[int(0.95 * len(gaps))]:.1f} ms, "
            f"{1000 * busy / len(gaps):.1f} ms of work per frame")


def measure(browser, program=None):
    """Prints the figures of the board and the mixer, with the fake session, and with the program if there is one."""
    def swing(share):
        return (200 * abs(1 - 4 * (share % 0.5)) - 200, 0)

    def slide(share):
        return (0, 150 * abs(1 - 4 * (share % 0.5)) - 150)

    for name, songs, size in [("a rig", [rig()], "phone"), ("200 nodes", [chain(200)], "tablet"),
                              ("200 nodes", [chain(200)], "laptop")]:
        page = browser.open(browser.fake(songs).url, size, view="board")
        page.wait_for_selector(".plane > svg", state="attached")
        width, height = page.viewport_size.values()
        print(f"board, {name}, {size}: {drag(page, width * 0.6, height * 0.75, swing)}", flush=True)
        page.close()
    page = browser.open(browser.fake(night()).url, "tablet", view="mixer")
    print(f"mixer, a fader, tablet: {drag(page, *centre(page, '.strip [role=slider]'), slide)}", flush=True)
    page.close()
    if program is None:
        return
    for song in ["Play", "Tracks"]:
        program.put("song", song)
        page = browser.open(program.url, "tablet", view="board")
        page.wait_for_selector(".plane > svg", state="attached")
        nodes = page.locator(".card-button").count()
        print(f"board, {song} with {nodes} nodes, tablet: {drag(page, 500, 900, swing)}", flush=True)
        page.close()
