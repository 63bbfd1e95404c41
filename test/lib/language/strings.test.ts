import assert from "node:assert/strict";
import { test } from "vitest";
import { contentKeys, contentRows } from "../../../src/lib/language/content-strings.js";
import { fill, messagesFor, playgroundLanguage, playgroundWords } from "../../../src/lib/language/index.js";
import { playgroundKeys, playgroundRows } from "../../../src/lib/language/playground-strings.js";
import { referenceKeys, referenceRows } from "../../../src/lib/language/reference-strings.js";

const english = messagesFor("en");
const languages = Object.keys(contentRows);

for (const tag of languages)
  test(`${tag} has a word for everything, with the gaps of the English one`, () => {
    const messages = messagesFor(tag);
    assert.equal(contentRows[tag]!.split("|").length, contentKeys.length);
    assert.equal(referenceRows[tag]!.split("|").length, referenceKeys.length);
    for (const key of Object.keys(english) as (keyof typeof english)[]) {
      assert.ok(messages[key]?.trim(), key);
      assert.equal(messages[key].includes("%"), english[key].includes("%"), key);
    }
  });

for (const tag of languages)
  test(`${tag} has a word for everything in the playground, with the gaps of the English one`, () => {
    const [words, english] = [tag, "en"].map((each) => playgroundWords(each, { ...messagesFor(each) }).split("|"));
    assert.equal(words!.length, playgroundKeys.length);
    for (const [i, key] of playgroundKeys.entries()) {
      assert.ok(words![i]?.trim(), key);
      assert.equal(words![i]!.includes("%"), english![i]!.includes("%"), key);
    }
  });

test("the playground speaks English where it knows nothing better", () => {
  assert.deepEqual(["pt-BR", "zh-Hant", "uz", "__proto__"].map(playgroundLanguage), ["pt", "zh-Hant", "en", "en"]);
  assert.deepEqual(Object.keys(playgroundRows).sort(), [...languages].sort());
});

const cases = [
  // stringsFor …                                    tag          word for "Copy"
  ["takes the language itself", "zh-Hant", "複製"],
  ["takes the base of a language it has not", "pt-BR", "Copiar"],
  ["speaks English where it knows nothing better", "uz", "Copy"],
  ["takes no name of an object's own for a language", "__proto__", "Copy"],
] as const;
for (const [rule, tag, word] of cases) test(`stringsFor ${rule}`, () => assert.equal(messagesFor(tag).copy, word));

test("fill takes the value as it is", () => assert.equal(fill("Link to %", "$& 100%"), "Link to $& 100%"));
