"""Access for everybody: axe-core, names, sizes and the keyboard, against a fake session."""

from axe_playwright_python.sync_playwright import Axe

from browser import until, wait_text

#: The rules of WCAG 2.2, levels A and AA, and the good practice of axe-core.
OPTIONS = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


def check(page, what):
    result = Axe().run(page, options=OPTIONS)
    violations = [(each["id"], [node["html"][:160] for node in each["nodes"]][:3])
                  for each in result.response["violations"]]
    assert not violations, (what, violations)


def busy(browser):
    session = browser.fake()
    session.master["tuner"] = "mic"
    session.master["mute"] = True
    session.pitch = 440.0
    session.song.values["desk.mic.solo"] = True
    session.song.values["desk.guitar.mute"] = True
    session.parts["status"]["xruns"] = 3
    session.parts["status"]["limiter_gain_db"] = -2.5
    session.peak = lambda channel, now: 0.0
    return session


def test_axe_finds_no_violation(browser):
    session = busy(browser)
    for size, look in [("phone", "dark"), ("laptop", "light")]:
        page = browser.open(session.url, size, look=look)
        wait_text(page, ".problems", "interrupted 3 times")
        check(page, f"stage, {size}, {look}")
        page.keyboard.press("2")
        check(page, f"mixer, {size}, {look}")
        page.click("header [aria-label=Settings]")
        check(page, f"settings, {size}, {look}")


def test_axe_finds_no_violation_without_a_connection(browser):
    session = busy(browser)
    page = browser.open(session.url, "phone")
    session.is_closed = True
    session.drop()
    wait_text(page, ".away", "Nothing you press is sent")
    check(page, "offline")


def test_the_keyboard_reaches_every_control(browser):
    session = browser.fake()
    for view in ["stage", "mixer"]:
        page = browser.open(session.url, view=view)
        count = page.evaluate("""() => [...document.querySelectorAll("button, [role=slider]")]
            .filter((each) => each.checkVisibility()).length""")
        reached = page.evaluate("() => { window.reached = new Set(); return 0; }")
        for _ in range(count + 6):
            page.keyboard.press("Tab")
            reached = page.evaluate("""() => {
                const at = document.activeElement;
                if (at.matches("button, [role=slider]")) reached.add(at);
                return reached.size;
            }""")
        assert reached == count, (view, reached, count)


def test_every_control_has_a_name_and_a_size_for_a_thumb(browser):
    session = browser.fake()
    page = browser.open(session.url, "phone")
    for view in ["1", "2"]:
        page.keyboard.press(view)
        bad = page.evaluate("""() => [...document.querySelectorAll("button, [role=slider]")]
            .filter((each) => each.checkVisibility())
            .filter((each) => !(each.ariaLabel || each.innerText.trim())
                || each.offsetHeight < 40 || each.offsetWidth < 35)
            .map((each) => each.outerHTML.slice(0, 120))""")
        assert bad == [], (view, bad)


def test_sliders_say_their_value_with_its_unit(browser):
    session = browser.fake()
    page = browser.open(session.url, view="mixer")
    sliders = page.locator("[role=slider]").evaluate_all("""all => all.map((each) => [
        each.ariaLabel, each.ariaValueText, each.ariaValueNow, each.ariaValueMin,
        each.ariaValueMax, each.ariaOrientation])""")
    assert len(sliders) == 5 * 2 + 1 + 2 * 2 + 1 + 1, len(sliders)
    for name, words, now, low, high, direction in sliders:
        assert name and float(low) <= float(now) <= float(high), name
        assert direction == ("horizontal" if name.startswith("Pan") else "vertical")
        assert words.endswith(" dB") or words in ["silent", "centre"], (name, words)


def test_a_state_is_never_a_colour_alone(browser):
    session = busy(browser)
    page = browser.open(session.url)
    for selector, words in [(".mute.pad", "Muted"), (".choice[aria-pressed=true]", "mic"),
                            (".clip", "CLIP"), (".connection", "Live"), (".verdict", "in tune")]:
        wait_text(page, selector, words)
    page.keyboard.press("2")
    until(lambda: page.locator(".strip.is-muted .state").first.inner_text() == "muted")
