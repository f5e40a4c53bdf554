// Pictures of pages: fetched once, kept decoded, so that turning to one that is there takes no time.

import { call, name } from "./api.js";

const MOST = 60; // pictures that are kept; a page at this size is a few hundred KB decoded
const MARGIN = 30; // seconds before its address ends in which a picture is asked for anew
const kept = new Map();

function key(document, version, page) {
  return `${document}\n${version}\n${page}`;
}

/**
 * Gives a page's picture as a decoded image with what the API told: {image, page, pages, width,
 * height, live, label}. Raises ApiError, with the code `no_picture` for formats that have none.
 */
export function picture(document, version, page) {
  const at = key(document, version, page);
  const known = kept.get(at);
  if (known && known.until > Date.now()) {
    kept.delete(at); // the one used last stays longest
    kept.set(at, known);
    return known.ready;
  }
  const entry = { until: Infinity };
  entry.ready = load(document, version, page, entry);
  entry.ready.catch(() => kept.delete(at));
  kept.set(at, entry);
  while (kept.size > MOST) kept.delete(kept.keys().next().value);
  return entry.ready;
}

async function load(document, version, page, entry) {
  const told = await call("GET", `documents/${name(document)}/pages/${page}`, {
    query: { version },
    headers: { accept: "application/json" },
  });
  entry.until = Date.now() + (told.expires_in - MARGIN) * 1000;
  const image = new Image();
  image.decoding = "async";
  image.src = told.url;
  await image.decode();
  entry.until = Infinity; // the picture itself does not end
  return { ...told, image };
}

/** Fetches pictures that are likely to be wanted next. What fails is told when it is wanted. */
export function preload(document, version, pages) {
  for (const page of pages) picture(document, version, page).catch(() => {});
}
