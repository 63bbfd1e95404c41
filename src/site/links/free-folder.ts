import { foldPath } from "../../lib/url/index.js";
import type { Site } from "../site.js";

/** A folder at the root of the bundle that the site does not use: `name`, or `name-2`. */
export function freeFolder({ pages, staticFiles }: Pick<Site, "pages" | "staticFiles">, name: string): string {
  const used = new Set(
    [...pages.map((page) => page.outputPath), ...staticFiles].map((path) =>
      foldPath(path.replace(/\.html$/, "").split("/", 1)[0]!),
    ),
  );
  for (let count = 1; ; count++) {
    const free = count === 1 ? name : `${name}-${count}`;
    if (!used.has(free)) return free;
  }
}
