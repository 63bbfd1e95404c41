// Chooses the pages for which judged questions are written. Prints paths of an exported site, before any result is seen: the
// first in the order of their hashes, which nobody can influence. Pages with little text are left out.
//
//   node bench/choose-pages.ts <export> <count> [beginning of the paths, such as /zh/ ...]
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [output, count, ...beginnings] = process.argv.slice(2);
if (output === undefined || count === undefined)
  throw new Error("usage: choose-pages.ts <export> <count> [beginning ...]");

/** Characters of Markdown; the shortest pages are lists of links. */
const minLength = 600;

const hashOf = (page: string): string => createHash("sha256").update(`offprint questions ${page}`).digest("hex");
const pages = readdirSync(output, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".md") && readFileSync(join(output, path), "utf8").length >= minLength)
  .map((path) => `/${path.replace(/\.md$/, "").replace(/(^|\/)index$/, "")}`)
  .filter((page) => beginnings.length === 0 || beginnings.some((beginning) => page.startsWith(beginning)))
  .toSorted((a, b) => (hashOf(a) < hashOf(b) ? -1 : 1));
for (const page of pages.slice(0, Number(count))) console.log(page);
