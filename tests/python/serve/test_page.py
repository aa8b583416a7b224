"""The page for people, in a headless Chromium."""

import json
import os

import browser
import pytest

pytestmark = [
    pytest.mark.skipif(browser.find() is None, reason=f"no browser: none of {', '.join(browser.NAMES)}; CHROMIUM names another"),
    pytest.mark.skipif(os.environ.get("MILLRACE_SERVE_PEER") == "triton", reason="Triton has no page"),
]

ROW = """[...document.querySelectorAll('#models tbody tr')].find(row => row.dataset.name == %s)"""


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    running = browser.Browser(tmp_path_factory.mktemp("browser"))
    yield running
    running.close()


@pytest.fixture
def page(server, chromium):
    opened = chromium.open(f"http://{server.http}/")
    opened.wait(f"{ROW % json.dumps('twice/1')}?.innerText.includes('FP32[?,4]')", "no row of twice")
    yield opened
    opened.close()


def wait_for_row(page, name):
    page.wait(f"!!{ROW % json.dumps(name)}?.querySelector('button')", f"no row of {name}")


def try_model(page, name):
    page.evaluate(f"{ROW % json.dumps(name)}.querySelector('button').click()")


def answer(page):
    """What the form says once it has sent."""
    page.click("#try-send")
    page.wait("!document.getElementById('try-send').disabled && document.getElementById('try-result').innerText", "no answer")
    return page.text("#try-result")


def test_models(page, server):
    cells = page.evaluate(f"[...{ROW % json.dumps('pair/1')}.cells].map(cell => cell.innerText)")
    assert cells[:3] == ["pair", "1", "READY"]
    assert cells[3].split("\n") == ["a INT32[?,3]", "b INT32[?,3]"]
    assert cells[4].split("\n") == ["sum INT32[?,3]", "difference INT32[?,3]"]
    assert page.evaluate(f"{ROW % json.dumps('fixed/1')}.innerText.includes('FP32[2,3]')")
    page.wait("document.getElementById('state-text').innerText == 'ready'")
    assert server.json("GET", "/v2")[1]["version"] in page.text("h1")


def test_asks_nobody_else_and_is_without_errors(page, server):
    page.wait("document.querySelectorAll('.chart-text').length > 0")
    asked = {event["request"]["url"] for event in page.said("Network.requestWillBeSent")}
    assert asked and all(url.startswith(f"http://{server.http}/") or url == "about:blank" for url in asked), asked
    assert page.said("Runtime.exceptionThrown") == []
    assert [entry for entry in page.said("Log.entryAdded") if entry["entry"]["level"] == "error"] == []


def test_own_data(page):
    try_model(page, "twice/1")
    page.fill("#try-fill-0", "my own")
    page.fill("#try-data-0", "1, 2.5\n-3 4")
    said = answer(page)
    assert said.startswith("twice version 1 answered in ") and "ms" in said
    assert page.text("#try-outputs pre") == "2, 5, -6, 8"
    page.fill("#try-shape-0", "2, 4")
    page.fill("#try-data-0", "[[1, 2, 3, 4], [5, 6, 7, 8]]")
    answer(page)
    assert page.text("#try-outputs pre") == "2, 4, 6, 8, 10, 12, 14, 16"
    assert "FP32 [2, 4]" in page.text("#try-outputs h3")


def test_every_type(page):
    try_model(page, "same/1")
    count = page.evaluate("document.querySelectorAll('#try-inputs select').length")
    for at in range(count):
        page.fill(f"#try-fill-{at}", "ones")
    assert "answered" in answer(page)
    outputs = page.evaluate("[...document.querySelectorAll('#try-outputs pre')].map(one => one.innerText)")
    assert len(outputs) == count and set(outputs) == {"1, 1, 1, 1", "true, true, true, true"}
    for at in range(count):
        page.fill(f"#try-fill-{at}", "random")
    assert "answered" in answer(page)


def test_halves(page):
    """What has no numbers in JSON goes and comes as bytes, rounded as it should be."""
    result = page.evaluate(
        """import('/page/tensors.js').then(({toBytes, fromBytes}) => ['FP16', 'BF16'].map(type =>
        [...fromBytes(type, toBytes(type, [1, -2.5, 65504, 65520, 6e-8, 2049, 2051, 0.1, 1 + 2 ** -8, 3e38, -0]))]
        .map(value => Object.is(value, -0) ? '-0' : String(value))))"""
    )
    assert result[0] == ["1", "-2.5", "65504", "Infinity", "5.960464477539063e-8", "2048", "2052", "0.0999755859375", "1.00390625", "Infinity", "-0"]
    assert result[1] == ["1", "-2.5", "65536", "65536", "6.007030606269836e-8", "2048", "2048", "0.10009765625", "1", "3.00405527047391e+38", "-0"]


@pytest.mark.parametrize("shape,data,words", [("1, 5", "1", "x: the shape [1,5] does not fit [-1,4]"), ("1, 4", "1 2 3", "x: 3 elements where [1,4] has 4"),
                                              ("1, x", "1", "not made of whole numbers"), ("1, 4", "a b c d", "not made of numbers"), ("9, 4", "[" + ",".join("1" * 36) + "]", "400: ")])  # fmt: skip
def test_what_is_wrong_is_said(page, shape, data, words):
    try_model(page, "twice/1")
    page.fill("#try-shape-0", shape)
    page.fill("#try-fill-0", "my own")
    page.fill("#try-data-0", data)
    assert words in answer(page)
    assert page.evaluate("document.getElementById('try-result').classList.contains('bad')")


def test_charts_move(page):
    try_model(page, "twice/1")
    page.fill("#scope", "twice")
    page.fill("#try-times", "300")
    page.click("#try-send")
    page.wait("parseFloat(document.querySelector('#chart-rate output').textContent) > 0", "no requests in the chart")
    page.wait("document.querySelector('#chart-latency output').textContent.endsWith(' ms') || !document.getElementById('try-stop').hidden")
    page.wait("!document.getElementById('try-send').disabled", "300 requests do not end")
    assert "the median of 300" in page.text("#try-result")
    page.wait("document.querySelector('#chart-batch svg').getAttribute('aria-label').includes('1 row')", "no batch in the chart")
    page.wait("document.querySelectorAll('#chart-rate .chart-line').length == 1")
    page.wait(f"parseInt({ROW % json.dumps('twice/1')}.cells[5].innerText.replace(',', '')) >= 300", "the table does not count")


def test_what_cannot_be_loaded(chromium, own, tmp_path):
    """A reason is shown as text, whatever is in it."""
    (tmp_path / "root" / "bad" / "1").mkdir(parents=True)
    (tmp_path / "root" / "bad" / "config.pbtxt").write_text('platform: "<img src=/page/icon.svg id=sneaked>"\n')
    (tmp_path / "root" / "bad" / "1" / "model.mlir").write_text("no program")
    server = own(tmp_path / "root", wait=False)
    page = chromium.open(f"http://{server.http}/")
    page.wait("document.querySelector('#models tbody .state-unavailable .reason')?.innerText", "no reason")
    assert page.evaluate("document.getElementById('sneaked')") is None
    page.close()


def test_key(chromium, own, models, tmp_path):
    keys = tmp_path / "keys"
    keys.touch(0o600)
    keys.write_text("much-too-secret infer - somebody\n")
    server = own(models, "--keys", keys)
    page = chromium.open(f"http://{server.http}/")
    page.wait("document.getElementById('state').className == 'bad'")
    assert "API key is wanted" in page.text("#state")
    assert page.evaluate("document.querySelectorAll('#models tbody tr').length") == 0
    page.fill("#key", "wrong")
    page.click("#key-form button")
    page.wait("document.getElementById('state-text').innerText.includes('not known')")
    page.fill("#key", "much-too-secret")
    page.click("#key-form button")
    wait_for_row(page, "twice/1")
    page.wait("document.getElementById('state').className == 'good'")
    try_model(page, "twice/1")
    assert "answered" in answer(page)
    assert page.evaluate("localStorage.length + sessionStorage.length + document.cookie.length") == 0
    page.close()


def test_server_gone(chromium, own, models):
    server = own(models)
    page = chromium.open(f"http://{server.http}/")
    wait_for_row(page, "twice/1")
    server.stop()
    page.wait("document.getElementById('state-text').innerText == 'the server does not answer'")
    page.close()


CONTRAST = """(() => {
  const read = color => color.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
  const behind = one => { for (; one; one = one.parentElement) { const c = read(getComputedStyle(one).backgroundColor);
    if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
  const wrong = [];
  for (const one of document.querySelectorAll('body *')) {
    if (![...one.childNodes].some(n => n.nodeType == 3 && n.textContent.trim()) || !one.checkVisibility() || one.closest('noscript')) continue;
    const style = getComputedStyle(one);
    const a = light(read(one instanceof SVGElement ? style.fill : style.color)), b = light(behind(one));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) wrong.push(`${one.tagName} '${one.textContent.slice(0, 30)}' ${ratio.toFixed(2)}`);
  }
  return wrong;
})()"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_readable(server, chromium, scheme):
    page = chromium.open(f"http://{server.http}/", scheme=scheme)
    wait_for_row(page, "twice/1")
    page.wait("document.querySelectorAll('.chart-text').length > 0")
    try_model(page, "twice/1")
    assert "answered" in answer(page)
    light = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)[0] > 128")
    assert light == (scheme == "light")
    assert page.evaluate(CONTRAST) == []
    if folder := os.environ.get("MILLRACE_PAGE_SHOTS"):
        page.shoot(os.path.join(folder, f"page-{scheme}.png"))
    page.close()


def test_has_names_for_screen_readers(page):
    try_model(page, "twice/1")
    nodes = page.send("Accessibility.getFullAXTree")["nodes"]
    roles = {"button", "textbox", "combobox", "spinbutton", "image", "table", "link", "heading"}
    named = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes if not node["ignored"] and node["role"]["value"] in roles]
    assert {role for role, _ in named} >= {"button", "textbox", "combobox", "spinbutton", "heading"}
    assert [role for role, name in named if role != "table" and not name.strip()] == []
    assert any("Requests a second: " in name for _, name in named)


def test_narrow(page):
    page.send("Emulation.setDeviceMetricsOverride", width=360, height=800, deviceScaleFactor=1, mobile=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_headers(server):
    status, headers, text = server.get("/")
    assert status == 200 and headers["content-type"] == "text/html; charset=utf-8" and b"<title>" in text
    assert "default-src 'none'" in headers["content-security-policy"] and "unsafe" not in headers["content-security-policy"]
    assert server.get("/page/nothing")[0] == 404 and server.get("/page/../page/page.js")[0] == 404
