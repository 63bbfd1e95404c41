import { expect, test } from "vitest";
import { findChromium } from "../../support/browser.js";
import { pagesOf, type TextsOf } from "../../support/console-data.js";
import { openConsolePage } from "../../support/console-in-browser.js";
import { sharedBrowser } from "../../support/shared-browser.js";

const chromium = findChromium();
const browser = sharedBrowser(chromium);

const code = "globalThis.hit=1";
/** What has left a text for markup in other programs: tags, attributes, addresses, comments, encodings, templates. */
const hostile = [
  `<script>${code}</script>`,
  `<SCRIPT SRC=data:text/javascript,${code}></SCRIPT>`,
  `<img src=x onerror=${code}>`,
  `<img src="x" onerror="${code}"/>`,
  `<svg onload=${code}>`,
  `<svg><script>${code}</script></svg>`,
  `<svg><animate onbegin=${code} attributeName=x dur=1s>`,
  `<math><mtext><style><img src=x onerror=${code}></style></mtext></math>`,
  `<iframe srcdoc="<script>${code}</script>"></iframe>`,
  `<iframe src="javascript:${code}"></iframe>`,
  `<object data="data:text/html,<script>${code}</script>"></object>`,
  `<embed src="javascript:${code}">`,
  `<a href="javascript:${code}">x</a>`,
  `<form action="javascript:${code}"><button>x</button></form>`,
  `<button formaction="javascript:${code}">x</button>`,
  `<input autofocus onfocus=${code}>`,
  `<details open ontoggle=${code}>x</details>`,
  `<video><source onerror=${code}></video>`,
  `<audio src=x onerror=${code}>`,
  `<body onload=${code}>`,
  `<meta http-equiv="refresh" content="0;url=javascript:${code}">`,
  `<base href="https://evil.example/">`,
  `<link rel="stylesheet" href="https://evil.example/a.css">`,
  `<style>@import "https://evil.example/a.css";</style>`,
  `<marquee onstart=${code}>x</marquee>`,
  `"><script>${code}</script>`,
  `'><script>${code}</script>`,
  `" onmouseover="${code}`,
  `' onmouseover='${code}`,
  `" autofocus onfocus="${code}" x="`,
  `" style="position:fixed;inset:0" x="`,
  `</title><script>${code}</script>`,
  `</textarea><script>${code}</script>`,
  `</select><img src=x onerror=${code}>`,
  `</style><script>${code}</script>`,
  `</script><script>${code}</script>`,
  `</option></select><script>${code}</script>`,
  `</code></pre><script>${code}</script>`,
  `--><script>${code}</script>`,
  `<!--><script>${code}</script>-->`,
  `<![CDATA[<script>${code}</script>]]>`,
  `<?xml version="1.0"?><script>${code}</script>`,
  `javascript:${code}`,
  `JaVaScRiPt:${code}`,
  `java\tscript:${code}`,
  `data:text/html,<script>${code}</script>`,
  `//evil.example/a.js`,
  `https://evil.example/"onclick="${code}`,
  `&lt;script&gt;${code}&lt;/script&gt;`,
  `&#60;script&#62;${code}&#60;/script&#62;`,
  `\\u003cscript\\u003e${code}\\u003c/script\\u003e`,
  `%3Cscript%3E${code}%3C/script%3E`,
  `+ADw-script+AD4-${code}+ADw-/script+AD4-`,
  `\u00bcscript\u00be${code}\u00bc/script\u00be`,
  `{{constructor.constructor('${code}')()}}`,
  `\${${code}}`,
  `<%= ${code} %>`,
  `<x is="a" contenteditable onbeforeinput=${code} autofocus>`,
  `<template><script>${code}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${code}>">`,
];

/** Of fields with one value all at once; the store of conversations and jobs has a row for each. */
const everywhere: TextsOf = (field) => (field === "paths" ? ["index"] : hostile);

test("there are 60 hostile texts", () => {
  expect(new Set(hostile).size).toBe(60);
});

test.skipIf(chromium === undefined)(
  "hostile texts in every field stay text, under the policy without a violation",
  async () => {
    const { filled, page, url } = await openConsolePage(browser(), everywhere);
    const faults: string[] = [];
    page.on("dialog", (dialog) => void dialog.dismiss());
    page.on("console", (message) => {
      if (message.type() === "error") faults.push(`${page.url()}: ${message.text()}`);
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(url) && !request.url().startsWith("data:")) faults.push(request.url());
    });
    const query = new URLSearchParams({
      path: hostile.join(" "),
      range: hostile[0]!,
      status: hostile[1]!,
      show: hostile[2]!,
    });
    const shown = new Set<string>();
    for (const address of [...pagesOf(filled), `/console/views?site=docs.acme.com&${query}`]) {
      await page.goto(address);
      const found = await page.evaluate(() => ({
        hit: "hit" in globalThis,
        text: `${document.body.textContent} ${[...document.querySelectorAll("input, textarea, select")].map((each) => (each as HTMLInputElement).value).join(" ")}`,
        foreign: [
          ...document.querySelectorAll(
            "img, iframe, object, embed, style, base, meta[http-equiv], video, audio, template, x",
          ),
        ].map((each) => each.outerHTML.slice(0, 100)),
        scripts: document.scripts.length,
        attributes: [...document.querySelectorAll("*")].flatMap((each) =>
          [...each.attributes]
            .filter(
              ({ name, value }) =>
                name.startsWith("on") ||
                name === "style" ||
                (/^(href|src|action|formaction)$/.test(name) &&
                  !/^(\/console|#|otpauth:|https?:\/\/(docs|git)\.acme\.com|https?:\/\/evil\.example)/.test(value)),
            )
            .map(({ name, value }) => `${each.tagName} ${name}=${value.slice(0, 80)}`),
        ),
      }));
      const at = address.slice(0, 60);
      if (found.hit) faults.push(`${at}: a script ran`);
      if (found.scripts !== 1) faults.push(`${at}: ${found.scripts} scripts`);
      faults.push(...[...found.foreign, ...found.attributes].map((fault) => `${at}: ${fault}`));
      for (const text of hostile)
        if (found.text.includes(text.replaceAll("\t", " ")) || found.text.includes(text)) shown.add(text);
    }
    expect(faults).toEqual([]);
    // They are shown as they are.
    expect(hostile.filter((text) => !shown.has(text))).toEqual([]);
  },
);
