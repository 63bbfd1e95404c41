import fc from "fast-check";
import { payloads } from "../security/payloads.js";

/** Signs and words that end one construct of Markdown, MDX, YAML, HTML or an address, or begin another. */
const signs = [
  ..."<>{}`$|#*_~[]()!\\&\"'-+=:;,.?/%@^\t\n\r\0",
  ..."\u0001\u000b\f\u001f\u007f\u0085\u00a0\u2028\u2029\u200b\u202e\ufeff\ufffd\ufffe\ue000\uf8ff",
  ..."\ud800|\udc00|\n\n|\r\n|\n\r|```|~~~|$$|{{|}}|{{name}}|{#id}|{/*|*/}|<!--|-->|</|/>|<></>|---|&#0;|&nbsp;|&lt;".split(
    "|",
  ),
  ..."[^1]|[^1]: |](|![](|![x](y.png)|import x from 'y'|export const a = 1|    |\n> |\n- |\n1. |\n# |\n|\n|-|\n".split(
    "|",
  ),
  ..."__proto__|constructor|toString|null|true|NaN|1e999|-0|../|%2e%2e/|%00|%|javascript:x|//host|https://|#|?a=b&c".split(
    "|",
  ),
];

/** Short text: words of many scripts, signs, what became a script somewhere. */
export const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("Setup", "a", "two words", "Über uns", "日本語", "مرحبا", "🙂", "") },
  { weight: 2, arbitrary: fc.constantFrom(...signs) },
  { weight: 2, arbitrary: fc.array(fc.constantFrom("a", "b ", ...signs), { maxLength: 6 }).map((all) => all.join("")) },
  { weight: 1, arbitrary: fc.constantFrom(...payloads) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 8 }) },
  { weight: 1, arbitrary: fc.integer({ min: 50, max: 400 }).map((length) => "long ".repeat(length)) },
);

/** Changes a text in a few places: inserts a sign, drops or repeats a part, exchanges two lines. */
export function changed(texts: fc.Arbitrary<string>, most: number): fc.Arbitrary<string> {
  const change = fc.record({
    at: fc.nat(5000),
    length: fc.nat(40),
    kind: fc.constantFrom("insert", "drop", "repeat"),
    sign: fc.constantFrom(...signs),
  });
  return fc.tuple(texts, fc.array(change, { maxLength: most })).map(([whole, changes]) =>
    changes.reduce((before, { at, length, kind, sign }) => {
      const from = at % (before.length + 1);
      const part = before.slice(from, from + length);
      const rest = before.slice(kind === "drop" ? from + length : from);
      return before.slice(0, from) + (kind === "insert" ? sign : kind === "repeat" ? part : "") + rest;
    }, whole),
  );
}
