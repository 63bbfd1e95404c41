import { expect, test } from "vitest";
import { relativeHref } from "../../../src/site/links/index.js";

const cases = [
  // from                  to                       href
  ["index.html", "guides/install.html", "guides/install.html"],
  ["guides/install.html", "index.html", "../index.html"],
  ["guides/install.html", "guides/update.html", "update.html"],
  ["guides/install.html", "guides/install.html", "install.html"],
  ["a/b/c.html", "a/d/e.html", "../d/e.html"],
  ["a/b/c.html", "ab/c.html", "../../ab/c.html"],
  ["guides.html", "guides/a.html", "guides/a.html"],
  ["a.html", "_offprint/app.1f.js", "_offprint/app.1f.js"],
  ["a.html", "x/a b?#%.png", "x/a%20b%3F%23%25.png"],
  ["a.html", "javascript:x/y.html", "javascript%3Ax/y.html"],
  ["a.html", "ü/\ud800.html", "%C3%BC/%EF%BF%BD.html"],
] as const;
for (const [from, to, href] of cases)
  test(`from ${from} to ${to} leads ${href}`, () => expect(relativeHref(from, to)).toBe(href));
