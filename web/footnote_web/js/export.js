// What is saved as a file: answers and grids as the API exports them.

import { request } from "./api.js";
import { complain, h } from "./dom.js";

/** Saves an export under a name. Without one, opens the address that the API gives for the file. */
export async function saveExport(path, format, file = "") {
  try {
    const response = await request("GET", `${path}/export`, {
      query: { format },
      headers: { accept: "application/json" },
    });
    if (!file) {
      const { url } = await response.json();
      window.open(url, "_blank", "noopener");
      return;
    }
    const url = URL.createObjectURL(await response.blob());
    h("a", { href: url, download: file }).click();
    URL.revokeObjectURL(url);
  } catch (error) {
    complain(error, "Not exported: ");
  }
}
