"""The pictures of the documentation."""

from pathlib import Path

from browser import ASSETS, wait, wait_text
from fake_files import FileSession, pedalboard, setlist


def make(browser, folder):
    folder = Path(folder)
    with browser.session():
        session = browser.fake()
        session.parts["status"]["xruns"] = 0
        take(browser, session, folder / "board-stage-phone.png", "phone")
        take(browser, session, folder / "board-stage-laptop.png", "laptop")
        take(browser, session, folder / "board-mixer-phone.png", "phone", view="mixer")
        take(browser, session, folder / "board-mixer-tablet.png", "tablet, landscape", view="mixer")
        take(browser, session, folder / "board-stage-landscape.png", "phone, landscape", hand="left")
        session.master["tuner"] = "guitar"
        session.pitch = 246.5
        session.parts["connections"] = {"ports": [
            {"port": "mic", "direction": "input", "kind": "audio", "connected": False, "to": [],
             "unmatched": [{"rule": "system:capture_9", "nearest": "system:capture_1"}]}],
            "changed": []}
        session.begin(1)
        take(browser, session, folder / "board-stage-light.png", "tablet", look="light")
        session.begin(0)
        page = take(browser, session, None, "phone")
        session.is_closed = True
        session.drop()
        wait_text(page, ".away", "Nothing you press is sent")
        page.screenshot(path=folder / "board-stage-offline.png")


        session.is_closed = False
        songs(browser, folder)
        setlist_edit(browser, folder)


def songs(browser, folder):
    """The setlist view and the connections view."""
    session = browser.fake()
    session.songs[2].refusal = "the file encore.json cannot be read"
    session.songs[1].gain = -3
    take(browser, session, folder / "board-setlist-phone.png", "phone", view="setlist")
    session.parts["connections"] = {"ports": [
        {"port": "mic", "direction": "input", "kind": "audio", "connected": False, "to": [],
         "unmatched": [{"rule": "system:capture_9", "nearest": "system:capture_1"}]},
        {"port": "guitar", "direction": "input", "kind": "audio", "connected": True,
         "to": ["system:capture_2"], "unmatched": []},
        *[{"port": f"main_{n}", "direction": "output", "kind": "audio", "connected": True,
           "to": [f"system:playback_{n}"], "unmatched": []} for n in [1, 2]]], "changed": []}
    take(browser, session, folder / "board-connections-tablet.png", "tablet, landscape",
         view="connections")


def setlist_edit(browser, folder):
    """The edit mode of the setlist view."""
    session = FileSession({"a": pedalboard(), "b": pedalboard()}, ASSETS, setlist()).start()
    browser.sessions.append(session)
    page = browser.open(session.url, "phone", view="setlist")
    page.click(".setlist-toggle")
    page.wait_for_selector(".song-edit")
    page.click("[aria-label='Move Encore up']")
    wait_text(page, ".song-edits li:nth-child(2)", "Encore")
    page.wait_for_timeout(400)
    page.evaluate("document.activeElement.blur(); document.querySelector('.message').hidden = true")
    page.screenshot(path=folder / "board-setlist-edit-phone.png")


def make_board(browser, folder, program):
    """The board view, with the drawing of the program."""
    folder = Path(folder)
    with browser.session():
        program.put("song", "Voice")
        program.put("third.bypass", True)
        for size, name in [("laptop", "board-board-laptop"), ("phone", "board-board-phone")]:
            page = browser.open(program.url, size, view="board")
            wait_text(page, ".card-words .bypassed", "BYPASSED")
            wait(page, "() => document.querySelector('.card-words .load').textContent !== ''")
            page.focus(".card-button[data-node='presence']")
            page.keyboard.press("Enter")
            page.evaluate("document.activeElement.blur()")
            page.wait_for_timeout(1000)
            page.screenshot(path=folder / f"{name}.png")
        for size, name in [("laptop", "board-edit-laptop"), ("phone", "board-edit-phone")]:
            page = browser.open(program.url, size, view="board")
            page.wait_for_selector(".card-button", state="attached")
            page.click(".edit-toggle")
            page.wait_for_selector(".cable-button", state="attached")
            if size == "phone":
                page.focus(".card-button[data-node='echo']")
                page.keyboard.press("Enter")
            else:
                page.click(".board .edit-bar button:text-is('Add a node')")
                page.wait_for_selector(".type-choice")
            page.evaluate("document.activeElement.blur()")
            page.wait_for_timeout(1000)
            page.screenshot(path=folder / f"{name}.png")


def take(browser, session, path, size, **options):
    page = browser.open(session.url, size, **options)
    wait(page, "() => document.querySelector('.meter .cover')?.style.transform !== ''")
    page.wait_for_timeout(500)
    if path:
        page.screenshot(path=path)
    return page
