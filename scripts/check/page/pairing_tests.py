"""A device that must be paired, and what its role forbids."""

from access_tests import check, with_rig
from browser import SIZES, Fingers, centre, until, wait, wait_live, wait_text


def unpaired(browser, **rights):
    session = browser.fake()
    session.access.update(device="1a2b3c4d", name="Anna's phone", **rights)
    session.is_paired = False
    return session


def open_unpaired(browser, session, size, suffix="", **options):
    page = browser.open(session.url + suffix, size, is_live=False, **options)
    page.wait_for_selector("#pair:not([hidden])")
    return page


def forget_expected(browser):
    """The browser reports the refused requests of a device that is not paired."""
    browser.faults = [fault for fault in browser.faults
                      if "401" not in fault and "403" not in fault and "429" not in fault]


def fits(page):
    """Whether nothing is wider than the window, and the button can be reached."""
    return page.evaluate("""() => document.documentElement.scrollWidth <= innerWidth
        && document.querySelector("#pair").scrollWidth <= innerWidth
        && document.querySelector(".pair-send").getBoundingClientRect().right <= innerWidth""")


def test_a_device_is_paired_with_the_code(browser):
    for size in ["small phone", "tablet", "laptop"]:
        session = unpaired(browser, role="play")
        page = open_unpaired(browser, session, size)
        assert fits(page), size
        assert page.evaluate("document.activeElement.id") == "pair-code"
        # Nothing of the session can be seen.
        assert page.locator("header").is_hidden() and page.locator("main.stage").is_hidden()
        check(page, f"pairing, {size}")
        page.keyboard.type("12345")
        page.keyboard.press("Enter")
        wait_text(page, ".pair-error", "six digits")
        page.fill("#pair-code", "654321")
        page.press("#pair-code", "Enter")
        wait_text(page, ".pair-error", "The code is wrong")
        check(page, f"wrong code, {size}")
        page.fill("#pair-code", "123 456")
        page.fill("#pair-name", "Drums")
        page.locator(".pair-send").click()
        wait_live(page)
        assert page.locator("#pair").is_hidden() and page.locator("header").is_visible()
        assert [each["code"] for each in session.pairings] == ["654321", "123456"]
        assert session.pairings[-1]["name"] == "Drums"
        forget_expected(browser)


def test_the_link_of_the_qr_code_fills_in_the_code_but_sends_nothing(browser):
    session = unpaired(browser, role="play")
    page = open_unpaired(browser, session, "phone", "#pair=123456")
    assert page.input_value("#pair-code") == "123456"
    assert "pair" not in page.url, page.url
    assert session.pairings == []
    fingers = Fingers(page)
    fingers.tap(*centre(page, ".pair-send"))
    wait_live(page)
    forget_expected(browser)


def test_too_many_wrong_codes_are_said(browser):
    session = unpaired(browser, role="play")
    page = open_unpaired(browser, session, "phone")
    for count in range(1, 5):
        def is_tried():
            # The page sends no code while it waits for an answer.
            if len(session.pairings) < count:
                page.fill("#pair-code", "000000")
                page.press("#pair-code", "Enter")
            return len(session.pairings) >= count
        until(is_tried, f"attempt {count}")
    wait_text(page, ".pair-error", "Too many wrong codes")
    forget_expected(browser)


def test_a_device_that_is_revoked_must_be_paired_again(browser):
    session = browser.fake()
    session.access.update(role="play", device="1a2b3c4d", name="Drums")
    page = browser.open(session.url, "phone")
    session.revoke()
    page.wait_for_selector("#pair:not([hidden])")
    wait_text(page, ".message", "not paired any more")
    sent = len(session.requests)
    # A key of the page acts no more.
    page.locator(".pair h1").click()
    page.keyboard.press("m")
    assert len(session.requests) == sent
    page.fill("#pair-code", "123456")
    page.press("#pair-code", "Enter")
    wait_live(page)
    page.keyboard.press("m")
    until(lambda: session.sent("set"))
    forget_expected(browser)


def barred(page, selector):
    return page.locator(selector).first.evaluate(
        "each => each.getAttribute('aria-disabled') === 'true' ? each.title : null")


def test_look_changes_nothing_and_says_why(browser):
    session = with_rig(browser)
    session.access.update(role="look", device="1a2b3c4d", name="Drums")
    page = browser.open(session.url, "small phone")
    wait_text(page, ".rights", "This device may only look")
    check(page, "stage, look")
    for selector in [".pad.mute", ".pad.tap", ".pad.panic", ".pad.next-song", ".choice"]:
        assert barred(page, selector) == "This device may only look", selector
    page.locator(".pad.mute").click(force=True)
    wait_text(page, ".message", "This device may only look")
    for view, selectors in [("2", [".slider", ".switch.mute", ".switch.solo"]),
                            ("4", [".song-jump", ".scene-jump"])]:
        page.keyboard.press(view)
        for selector in selectors:
            assert barred(page, selector) == "This device may only look", selector
        check(page, f"view {view}, look")
    page.keyboard.press("2")
    fingers = Fingers(page)
    x, y = centre(page, ".slider.vertical")
    fingers.down(1, x, y)
    fingers.drag({1: (x, y - 60)})
    fingers.up(1)
    for key in ["m", "t", "n", "!", "F1", "s"]:
        page.keyboard.press(key)
    assert not [each for each in session.requests
                if each["request"] not in ["watch", "ping"]], session.requests
    # A new role applies at once.
    session.set_access(role="play")
    page.wait_for_selector(".slider.vertical:not(.barred)")
    assert page.locator(".rights").is_hidden()
    # The guard of the key may still be closed.
    until(lambda: page.keyboard.press("m") or session.sent("set"))


def test_play_may_not_edit(browser):
    session = with_rig(browser)
    session.access.update(role="play", device="1a2b3c4d", name="Drums")
    page = browser.open(session.url, view="board")
    page.wait_for_selector(".card-button")
    page.focus(".card-button[data-node='tone']")
    page.keyboard.press("Enter")
    page.wait_for_selector(".sheet .learn")
    assert barred(page, ".sheet .learn") == "This device may play, but not edit files"
    assert barred(page, ".sheet .slider") is None
    check(page, "sheet, play")
    page.locator(".sheet .learn").first.click(force=True)
    wait_text(page, ".message", "not edit files")
    assert not session.sent("set")


def test_a_limited_device_changes_its_own_mix_only(browser):
    session = browser.fake()
    session.access.update(role="play", limit="ears", mixers=["phones"], device="1", name="Ann")
    page = browser.open(session.url, "phone", view="mixer")
    wait_text(page, ".rights", "only change the mix “ears”")
    state = page.locator("[role=slider]").evaluate_all("""all => all.map((each) =>
        [each.ariaLabel, each.getAttribute("aria-disabled") === "true"])""")
    assert any(is_off for _, is_off in state) and not all(is_off for _, is_off in state)
    for name, is_off in state:
        assert is_off == ("phones" not in name), (name, is_off)
    assert barred(page, ".master .switch") is not None


def test_a_device_renames_and_forgets_itself(browser):
    for size in SIZES:
        if size not in ["small phone", "tablet", "laptop"]:
            continue
        session = browser.fake()
        session.access.update(role="play", device="1a2b3c4d", name="Drums")
        page = browser.open(session.url, size)
        page.click("header [aria-label=Settings]")
        check(page, f"settings of a device, {size}")
        page.fill(".settings input[type=text]", "Bass")
        page.get_by_role("button", name="Rename").click()
        until(lambda: session.access["name"] == "Bass")
        page.get_by_role("button", name="Forget this device").click()
        page.wait_for_selector("#pair:not([hidden])")
        assert page.locator("dialog[open]").count() == 0
        wait(page, "() => !document.querySelector('#pair').hidden")
        forget_expected(browser)


def test_a_program_on_this_machine_has_no_device_to_rename(browser):
    session = browser.fake()
    page = browser.open(session.url)
    page.click("header [aria-label=Settings]")
    assert page.get_by_role("button", name="Rename").count() == 0
    assert page.locator(".rights").is_hidden()
