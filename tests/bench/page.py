"""`make bench-page`: what the page weighs, how soon it is there, how it bears many files.

usage: python -m tests.bench.page     (FILES=500; FOOTNOTE_STACK names the stack)
"""

import json
import os
import statistics
import sys
import time

from playwright.sync_api import expect

from tests.e2e.page_driver import add_files, ask, drop_files, start_browser
from tests.stack import ROOT, find_stack

FILES = int(os.environ.get("FILES", "500"))
LOADS = 7
SAMPLES = sorted((ROOT / "samples" / "documents").iterdir())
QUESTION = "What was revenue in 2025, and who is the chief executive?"
PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
SWITCH = """async () => {
  const shown = () => document.querySelector('#evidence .paper img');
  const before = shown();
  const began = performance.now();
  document.querySelector('#evidence').dispatchEvent(
    new KeyboardEvent('keydown', {key: KEY, bubbles: true}));
  while (!shown() || shown() === before) await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  return performance.now() - began;
}"""
VIEW = """async ([hash, shown]) => {
  const began = performance.now();
  location.hash = hash;
  while (!document.querySelector(shown)) await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  return performance.now() - began;
}"""
FIND = """(words) => {
  const field = document.querySelector('#find');
  const began = performance.now();
  field.value = words;
  field.dispatchEvent(new Event('input', {bubbles: true}));
  document.body.offsetHeight;
  return performance.now() - began;
}"""
WATCH = """() => {
  window.gaps = []; let last = performance.now();
  const tick = () => { const now = performance.now(); window.gaps.push(now - last); last = now;
    requestAnimationFrame(tick); };
  requestAnimationFrame(tick);
}"""


def loads(driver, key):
    """First paints in ms of fresh browsers, and the bytes of the page's own files."""
    paints, weight = [], 0
    for _ in range(LOADS):
        page = driver.open()
        page.locator("#key").wait_for()
        paints.append(page.evaluate(PAINT))
        entries = json.loads(
            page.evaluate("JSON.stringify(performance.getEntriesByType('resource'))")
        )
        weight = sum(one["decodedBodySize"] for one in entries if "/page/" in one["name"])
        driver.close()
    return {"first_paint_ms": middle(paints), "bytes": weight}


def switches(driver, key):
    """Milliseconds from a key to the next page, whose picture was fetched before."""
    page = driver.open(key)
    turn = ask(page, QUESTION)
    turn.locator(".cite").first.click()
    page.locator(".paper rect").first.wait_for()
    page.wait_for_timeout(3000)  # neighbours are fetched meanwhile
    times = turns(page)
    driver.close()
    return times


def turns(page):
    took = []
    for number in range(20):
        key_name = "ArrowRight" if number % 2 == 0 else "ArrowLeft"
        took.append(page.evaluate(SWITCH.replace("KEY", f"'{key_name}'")))
    return {"switch_ms": middle(took), "slowest_ms": round(max(took), 1)}


def views(page):
    """Milliseconds to Ask and back to the list of documents, and of a letter in its search."""
    times = {"ask": [], "documents": [], "find": []}
    for number in range(10):
        times["ask"].append(page.evaluate(VIEW, ["#/", ".welcome"]))
        page.wait_for_timeout(300)
        times["documents"].append(page.evaluate(VIEW, ["#/documents", "tbody tr"]))
        page.wait_for_timeout(300)
        times["find"].append(page.evaluate(FIND, "note-0"[: 1 + number % 6]))
    return {f"{name}_ms": middle(took) for name, took in times.items()}


def views_of_all(driver, key):
    page = driver.open(key)
    page.click("[data-part=documents]")
    page.locator("tbody tr").first.wait_for()
    times = views(page)
    driver.close()
    return times


def many(driver, key):
    """Drops many files at once: seconds until all have ended, and times between two frames."""
    page = driver.open(key)
    page.click("[data-part=documents]")
    page.evaluate(WATCH)
    began = time.monotonic()
    run = time.time_ns()  # a file that is there already would not be sent
    files = {f"note-{n:04}.txt": f"Note {n} of {run}.".encode() for n in range(FILES)}
    drop_files(page, files)
    totals = page.locator(".uploads .totals")
    expect(totals).to_contain_text(f"{FILES} of {FILES} files done", timeout=1_800_000)
    took = time.monotonic() - began
    gaps = page.evaluate("window.gaps")
    told = totals.inner_text()
    driver.close()
    return {
        "files": FILES,
        "seconds": round(took, 1),
        "told": told,
        "frame_gap_ms": {
            "p50": middle(gaps),
            "p99": round(sorted(gaps)[int(len(gaps) * 0.99)], 1),
            "longest": round(max(gaps), 1),
        },
    }


def middle(values):
    return round(statistics.median(values), 1)


def main():
    stack = find_stack()
    with start_browser(stack["api_url"]) as driver:
        key = stack["api_key"]
        add_files(driver.open(key), {file.name: file.read_bytes() for file in SAMPLES})
        driver.close()
        for measure in (loads, switches, many, views_of_all):
            print(json.dumps(measure(driver, key)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
