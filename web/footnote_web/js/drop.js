// Files and folders that are dropped or chosen, with the path that each gets.

import { add } from "./uploads.js";
import { button, buttons, h, notify } from "./dom.js";
import { count } from "./format.js";

/** Reads what was dropped, folders with all in them. Returns [{file, path}]. */
async function read(transfer) {
  // all entries must be taken before the first wait: the browser empties the list afterwards
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...transfer.files].map((file) => ({ file, path: file.name }));
  const found = [];
  await Promise.all(entries.map((entry) => walk(entry, found)));
  return found;
}

async function walk(entry, found) {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    found.push({ file, path: entry.fullPath.replace(/^\//, "") });
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    // a browser gives 100 at a time, and an empty list at the end
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return;
    for (const one of some) await walk(one, found);
  }
}

function isHidden(path) {
  return path.split("/").some((part) => part.startsWith("."));
}

function take(found, collection) {
  const seen = found.filter(({ path }) => !isHidden(path));
  const left = found.length - seen.length;
  if (left) notify(`${count(left, "file")} whose name begins with a dot left out.`);
  if (!seen.length) {
    notify(found.length ? "Nothing else was in it." : "There are no files in it.", "error");
    return false;
  }
  add(seen, collection() || "default");
  return true;
}

/** Adds what was dropped, wherever that was. Tells whether there was something to add. */
export async function addDropped(transfer, collection = () => "") {
  try {
    return take(await read(transfer), collection);
  } catch (error) {
    notify(`The browser could not read what was dropped: ${error.message}`, "error");
    return false;
  }
}

/** The place where files are dropped, with buttons for those who do not drag. */
export function dropZone(collection) {
  const files = h("input", { type: "file", multiple: true, hidden: true, id: "files" });
  const folder = h("input", {
    type: "file",
    multiple: true,
    hidden: true,
    webkitdirectory: true,
    id: "folder",
  });
  for (const input of [files, folder]) {
    input.addEventListener("change", () => {
      take(
        [...input.files].map((file) => ({ file, path: file.webkitRelativePath || file.name })),
        collection,
      );
      input.value = "";
    });
  }
  const zone = h(
    "div",
    { class: "drop" },
    h("p", {}, h("strong", {}, "Drop files or folders here"), " or"),
    buttons(
      button("Choose files", () => files.click()),
      button("Choose a folder", () => folder.click()),
    ),
    files,
    folder,
  );
  zone.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.classList.add("over");
  });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    addDropped(event.dataTransfer, collection);
  });
  return zone;
}
