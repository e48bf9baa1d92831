"""The pictures of the documentation."""

from pathlib import Path

from browser import wait, wait_text


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


def take(browser, session, path, size, **options):
    page = browser.open(session.url, size, **options)
    wait(page, "() => document.querySelector('.meter .cover')?.style.transform !== ''")
    page.wait_for_timeout(500)
    if path:
        page.screenshot(path=path)
    return page
