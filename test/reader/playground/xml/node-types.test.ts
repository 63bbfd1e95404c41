import assert from "node:assert/strict";
import { test } from "vitest";
import { xmlTools } from "../../../../src/reader/playground/form/control.js";
import type { FormMedia, FormSchema } from "../../../../src/reference/forms/playground-form.js";

/** As the script sets it, whose types need those of the whole playground. */
type CreateXml = (
  tools: typeof xmlTools,
  schemas: readonly FormSchema[],
  media: FormMedia,
) => { print(value: unknown): string; read(text: string): unknown };
const browser: { offprintXml?: CreateXml } = {};
Object.assign(globalThis, { window: browser });
const script: string = "../../../../src/reader/playground/xml/main.js";
await import(script);

const text: FormSchema = { types: ["string"] };
/** Each property is a schema, or a list of one. */
const cases: readonly (readonly [
  rule: string,
  property: FormSchema,
  inner: FormSchema,
  value: unknown,
  xml: string,
])[] = [
  ["an element", { ...text, xml: { kind: "element" } }, text, "a<b", "<root>|  <p>a&lt;b</p>|</root>"],
  ["an attribute", { ...text, xml: { kind: "attribute", name: "q" } }, text, "1", '<root q="1" />'],
  ["a text", { ...text, xml: { kind: "text" } }, text, "a<b", "<root>a&lt;b</root>"],
  ["a CDATA section", { ...text, xml: { kind: "cdata" } }, text, "a<b", "<root><![CDATA[a<b]]></root>"],
  ["no node of its own", { ...text, xml: { kind: "none" } }, text, "a", "<root>a</root>"],
  [
    "an object without an element",
    {
      types: ["object"],
      xml: { kind: "none" },
      properties: [
        ["x", 2],
        ["y", 3],
      ],
    },
    text,
    { x: "1", y: "2" },
    '<root y="2">|  <x>1</x>|</root>',
  ],
  ["a list", { types: ["array"], items: 2 }, text, ["1", "2"], "<root>|  <p>1</p>|  <p>2</p>|</root>"],
  [
    "a list with an element",
    { types: ["array"], items: 2, xml: { kind: "element" } },
    { ...text, xml: { name: "i" } },
    ["1", "2"],
    "<root>|  <p>|    <i>1</i>|    <i>2</i>|  </p>|</root>",
  ],
  [
    "a list of one text",
    { types: ["array"], items: 2, xml: { kind: "element" } },
    { ...text, xml: { kind: "cdata" } },
    ["<"],
    "<root>|  <p><![CDATA[<]]></p>|</root>",
  ],
];
for (const [rule, property, inner, value, written] of cases)
  test(`nodeType: ${rule}`, () => {
    const attribute: FormSchema = { ...text, xml: { kind: "attribute" } };
    const schemas: FormSchema[] = [{ types: ["object"], properties: [["p", 1]] }, property, inner, attribute];
    const xml = browser.offprintXml!(xmlTools, schemas, { type: "application/xml", schema: 0, root: "root" });
    const printed = xml.print({ p: value });
    assert.equal(printed.split("\n").slice(1).join("|"), written);
    const read = xml.read(printed);
    // The places where one text of a list ends and the next begins are not in the XML.
    if (rule !== "a list of one text") assert.deepEqual(read, { value: { p: value } });
  });
