"""A real browser without a window, and what tests do with a page in it."""

import json
import os
import shutil
import time
from pathlib import Path

import pytest

AXIS = "#parallel .axis[data-key='{}']"
FIELD = "#limits input.number[data-key='{}']"
SLIDER = "#limits input[type=range][data-key='{}']"
COST = "#costs input[data-pair='{}']"
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_DRIVERS = ("chromedriver", "chromium.chromedriver")
DESKTOP = (1400, 1000, 1, False)
PHONE = (390, 844, 2, True)


def open_browser(downloads):
    """A headless Chromium that saves files to a folder; skips, or fails, if there is none."""
    try:
        from selenium import webdriver
        from selenium.common.exceptions import WebDriverException
    except ImportError:
        _missing("selenium is not installed: python -m pip install 'selenium>=4.20'")
    binary, driver = _first(_BROWSERS), _first(_DRIVERS)
    if binary is None or driver is None:
        _missing("no Chromium with its driver: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    sandbox = ["--no-sandbox"] if getattr(os, "geteuid", lambda: 1)() == 0 else []
    for argument in ("--headless=new", "--disable-dev-shm-usage", "--disable-gpu", *sandbox):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    # with the path of a driver selenium does not look for one elsewhere
    service = webdriver.ChromeService(executable_path=driver)
    try:
        browser = webdriver.Chrome(options=options, service=service)
    except WebDriverException as error:
        _missing(f"{binary} does not start: {error.msg}")
    behaviour = {"behavior": "allow", "downloadPath": str(downloads)}
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", behaviour)
    return browser


def _first(names):
    return next(filter(None, map(shutil.which, names)), None)


def _missing(reason):
    if os.environ.get("SKVUS_NEEDS_BROWSER") == "1":
        pytest.fail(f"SKVUS_NEEDS_BROWSER=1, but {reason}")
    pytest.skip(f"The explorer page is not tried in a browser: {reason}")


class Explorer:
    """A page that is open in a browser."""

    def __init__(self, browser, path, *, screen=DESKTOP):
        self.browser = browser
        self.path = Path(path)
        width, height, ratio, is_mobile = screen
        browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": ratio, "mobile": is_mobile},
        )
        browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": is_mobile})
        browser.get("about:blank")
        for kind in ("browser", "performance"):  # what others left
            browser.get_log(kind)
        browser.get(self.path.as_uri())
        self.wait(lambda: self.body["ready"] == "yes")

    @property
    def body(self):
        return self.run("return {...document.body.dataset}")

    @property
    def chosen(self):
        """Index of the chosen member, or None."""
        text = self.body["chosen"]
        return int(text) if text else None

    @property
    def snippet(self):
        return self.text("#snippet")

    def run(self, script, *args):
        return self.browser.execute_script(script, *args)

    def find(self, selector):
        return self.browser.find_element("css selector", selector)

    def all(self, selector):
        return self.browser.find_elements("css selector", selector)

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0]).textContent", selector)

    def wait(self, condition, seconds=10.0):
        """Until something is true; whatever it is in the end is returned."""
        end = time.monotonic() + seconds
        while not (value := condition()) and time.monotonic() < end:
            time.sleep(0.01)
        assert value, "it did not come true in time"
        return value

    def settle(self):
        """Until all is drawn that has been asked for."""
        self.browser.execute_async_script(
            "const done = arguments[0];"
            "requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0)));"
        )

    def pointer(self):
        """Actions of a pointer and of keys that wait as little as possible."""
        from selenium.webdriver import ActionChains

        return ActionChains(self.browser, duration=30)

    def press(self, *keys):
        self.pointer().send_keys(*keys).perform()

    def type_into(self, selector, text):
        """Replace what a field has, by keys."""
        from selenium.webdriver.common.keys import Keys

        field = self.find(selector)
        self.scroll_to(selector)
        field.click()
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(text)

    def scroll_to(self, selector):
        script = "document.querySelector(arguments[0]).scrollIntoView({block: 'center'})"
        self.run(script, selector)

    def errors(self):
        """What the browser complains about, violations of the page's policy included."""
        return [entry["message"] for entry in self.browser.get_log("browser")]

    def requests(self):
        """Addresses that were asked for, that of the page among them."""
        events = [json.loads(entry["message"]) for entry in self.browser.get_log("performance")]
        addresses = [
            event["message"]["params"]["request"]["url"]
            for event in events
            if event["message"]["method"] == "Network.requestWillBeSent"
        ]
        return [address for address in addresses if not address.startswith(("data:", "about:"))]


def opened(browser, front, tmp_path, *, screen=None, **options):
    path = front.explore(tmp_path / "page.html", **options)
    return Explorer(browser, path, **({} if screen is None else {"screen": screen}))


def index_by_code(code, front):
    """What the code of a page chooses from a front, for which `skvus` is all that it needs."""
    names = {"front": front}
    exec(code, names)
    return names["index"]


def index_or_none(front, rule):
    try:
        return front.select(rule)
    except ValueError as error:
        if "No member is within all limits" not in str(error):
            raise
        return None


def click_at(page, left, top):
    from selenium.webdriver.common.actions.action_builder import ActionBuilder

    actions = ActionBuilder(page.browser, duration=30)
    actions.pointer_action.move_to_location(round(left), round(top)).click()
    actions.perform()


def move_to(page, left, top):
    from selenium.webdriver.common.actions.action_builder import ActionBuilder

    actions = ActionBuilder(page.browser, duration=10)
    actions.pointer_action.move_to_location(round(left), round(top))
    actions.perform()
