import { expect, test } from "vitest";
import { isSentence, plainText, trimmedMarkdown } from "../../src/lib/plain-text.js";
import { titleText } from "../../src/site/specs/entry-reader.js";

const cases = [
  ["keeps a plain text", "A plain  text", "A plain text"],
  [
    "has the text of a link whose address is elsewhere",
    "See [our guide][1] for `a[0][1]`.",
    "See our guide for a[0][1].",
  ],
  [
    "shows the characters of character references",
    "Terms &amp; fees &#8211; all&nbsp;of them",
    "Terms & fees – all of them",
  ],
  ["leaves an unknown reference unchanged", "R&D; Q&A &unknown;", "R&D; Q&A &unknown;"],
  ["replaces a reference to no character", "a&#55296;b &#9999999;", "a\ufffdb \ufffd"],
  ["decodes once", "&amp;lt;", "&lt;"],
  [
    "leaves out tags",
    'a <b>bold</b><br/>word <Icon icon="x" /> and <span class="y">more</span>',
    "a bold word and more",
  ],
  ["keeps parts that the reader must replace", "Run qr-code-<slug>.png", "Run qr-code-<slug>.png"],
  ["keeps several words that the reader is to replace", "Like GET /users/<my user id>", "Like GET /users/<my user id>"],
  ["keeps code as written", "Call `find({ name: '<b>', id: <Id> })`", "Call find({ name: '<b>', id: <Id> })"],
] as const;
for (const [rule, markdown, text] of cases) test(`plainText ${rule}`, () => expect(plainText(markdown)).toBe(text));

test("the title of an operation has no trace of an icon, and an icon alone is no title", () => {
  expect(titleText('List stays&nbsp; <i class="icon lock"></i>')).toBe("List stays");
  expect(titleText('&nbsp; <i class="icon lock"></i>')).toBeUndefined();
  expect(titleText("<service>")).toBe("<service>");
});

const titles = [
  ["Pod is a group of containers that run on one node", true],
  ["Where the volume is mounted\n+optional", true],
  ["Source represents a ConfigMap", true],
  ["One of these:", true],
  ["Address", false],
  ["Update of an order", false],
  ["Response of the List All the Orders Endpoint", false],
  ["Payment Intent Next Action Redirect To Url", false],
  ["Order\n", false],
] as const;
test.each(titles)("the title %j is a sentence: %s", (title, expected) => expect(isSentence(title)).toBe(expected));

test.each([
  [
    "Adds a boat.\n\n        Needs:\n\n        - a name\n          and more\n        - a sail\n",
    "Adds a boat.\n\nNeeds:\n\n- a name\n  and more\n- a sail",
  ],
  ["\n    Adds a boat.\n    - a sail", "Adds a boat.\n- a sail"],
  ["Adds a boat.\n\n        The name of it is required.", "Adds a boat.\n\nThe name of it is required."],
  ["A boat:\n    ```json\n    {}\n    ```", "A boat:\n```json\n{}\n```"],
  ["- A boat:\n      ```json\n      {}\n      ```", "- A boat:\n      ```json\n      {}\n      ```"],
  ["Run:\n\n    sail --all\n    - port", "Run:\n\n    sail --all\n    - port"],
  ["Run:\n\n        sail --all\n        stop", "Run:\n\n        sail --all\n        stop"],
])("the indentation that a program gives to the text %j is removed, that of code is not", (text, expected) =>
  expect(trimmedMarkdown(text)).toBe(expected),
);
