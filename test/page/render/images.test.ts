import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { renderPage } from "./render-markdown.js";

/** The head of a PNG of 640 by 480. */
const png = Buffer.from("89504e470d0a1a0a0000000d4948445200000280000001e008060000003e2f2f2f", "hex");
let root: string;
const staticFiles = ["a.png", "b.svg", "c.svg", "broken.png", "images/ü b.png", "gone.png"];

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "offprint-images-"));
  mkdirSync(join(root, "images"));
  writeFileSync(join(root, "a.png"), png);
  writeFileSync(join(root, "images/ü b.png"), png);
  writeFileSync(join(root, "b.svg"), '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"></svg>');
  writeFileSync(join(root, "c.svg"), '<svg xmlns="http://www.w3.org/2000/svg"></svg>');
  writeFileSync(join(root, "broken.png"), "no picture");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const cases = [
  // An image …                                  source                                       size
  ["has its measured size", "![](/a.png)", { width: "640", height: "480" }],
  ["of an SVG has the size of its view box", "![](/b.svg)", { width: "120", height: "40" }],
  ["is found under any spelling of its path", "![](../images/%C3%BC%20b.png)", { width: "640", height: "480" }],
  ["scales the height to a written width", '<img src="/a.png" width="320" />', { width: "320", height: "240" }],
  ["scales the width to a written height", '<img src="/a.png" height="240px" />', { width: "320", height: "240px" }],
  ["keeps a written size", '<img src="/a.png" width="1" height="2" />', { width: "1", height: "2" }],
  ["gets no height with a relative width", '<img src="/a.png" width="50%" />', { width: "50%", height: undefined }],
  ["has no size if the file has none", "![](/c.svg)", { width: undefined, height: undefined }],
  ["has no size if the file is none", "![](/broken.png)", { width: undefined, height: undefined }],
  ["has no size if the file is gone", "![](/gone.png)", { width: undefined, height: undefined }],
  ["of another host has none", "![](https://example.com/a.png)", { width: undefined, height: undefined }],
] as const;
for (const [rule, source, { width, height }] of cases)
  test(`an image ${rule}`, async () => {
    const { html } = await renderPage(source, { staticFiles, root });
    expect([/ width="([^"]*)"/.exec(html)?.[1], / height="([^"]*)"/.exec(html)?.[1]]).toEqual([width, height]);
  });
