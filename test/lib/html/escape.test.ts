import { expect, test } from "vitest";
import {
  escapeAttribute,
  escapeHtml,
  escapeMarkup,
  escapeText,
  escapeXml,
  unescapeHtml,
} from "../../../src/lib/html/escape.js";

const hostile = `a & b < c > d "e" 'f'`;
const cases = [
  ["escapeText", escapeText, `a &amp; b &lt; c > d "e" 'f'`],
  ["escapeAttribute", escapeAttribute, `a &amp; b &lt; c > d &quot;e&quot; 'f'`],
  ["escapeMarkup", escapeMarkup, `a &amp; b &lt; c &gt; d "e" 'f'`],
  ["escapeHtml", escapeHtml, `a &amp; b &lt; c &gt; d &quot;e&quot; 'f'`],
  ["escapeXml", escapeXml, "a &amp; b &lt; c &gt; d &quot;e&quot; &apos;f&apos;"],
] as const;
for (const [name, escaped, result] of cases) {
  test(`${name} escapes the characters with a meaning in its context`, () => expect(escaped(hostile)).toBe(result));
  test(`${name} escapes text that looks escaped`, () => expect(escaped("&lt;")).toBe("&amp;lt;"));
  if (name !== "escapeXml") test(`${name} replaces U+0000`, () => expect(escaped("a\0b")).toBe("a\ufffdb"));
  if (name !== "escapeXml")
    test(`${name} writes line ends as browsers read them`, () => expect(escaped("a\r\nb\rc")).toBe("a\nb\nc"));
  test(`${name} keeps plain text`, () => expect(escaped("Plain words, ünï.")).toBe("Plain words, ünï."));
}

test("escapeXml drops characters that XML forbids", () => expect(escapeXml("a\0b\ud800c\uffff")).toBe("ab\ufffdc"));

const references = [
  // unescapeHtml …                 html                             text
  ["decodes what escapeHtml writes", escapeHtml(hostile), hostile],
  ["decodes numbers and names", "&#x27;&#39;&apos;&nbsp;&LT;", "'''\u00a0<"],
  ["decodes each reference once", "&amp;lt;", "&lt;"],
  ["leaves unknown names and text", "&nope; & co", "&nope; & co"],
  ["drops references to invalid characters", "a&#0;&#x110000;b", "ab"],
] as const;
for (const [rule, html, text] of references) test(`unescapeHtml ${rule}`, () => expect(unescapeHtml(html)).toBe(text));
