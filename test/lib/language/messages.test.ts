import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "vitest";
import { fill, messagesFor, nearestLocale, playgroundMessages, readLocale } from "../../../src/lib/language/index.js";

const tags = readdirSync(new URL("../../../src/lib/language/locales", import.meta.url)).map((name) =>
  name.replace(".json", ""),
);
const english = readLocale("en");

test("there are 14 locales", () => assert.equal(tags.length, 14));

for (const tag of tags)
  test(`${tag} has every message, with a % where the English one has it`, () => {
    for (const group of ["page", "playground", "answers"] as const) {
      const [texts, expected]: Record<string, string>[] = [readLocale(tag)[group], english[group]];
      assert.deepEqual(Object.keys(texts!), Object.keys(expected!));
      for (const [key, text] of Object.entries(texts!)) {
        assert.ok(text.trim(), key);
        assert.equal(text.includes("|"), key === "greetings" || key === "thanks", key);
        assert.equal(text.includes("%"), expected![key]!.includes("%"), key);
      }
    }
    const { page, playground } = readLocale(tag);
    const sent = JSON.parse(playgroundMessages(readLocale(tag)));
    assert.deepEqual([sent.send, sent.scopes], [page.send, page.scopes]);
    assert.deepEqual({ ...sent, ...playground }, sent);
  });

test("the nearest locale is the base language, else English", () =>
  assert.deepEqual(["pt-BR", "zh-Hant", "uz", "__proto__"].map(nearestLocale), ["pt", "zh-Hant", "en", "en"]));

const cases = [
  // messagesFor …                        tag          "Copy"
  ["takes the language itself", "zh-Hant", "複製"],
  ["takes the base language", "pt-BR", "Copiar"],
  ["falls back to English", "uz", "Copy"],
  ["does not take a property of an object for a language", "__proto__", "Copy"],
  ["does not take a path for a language", "../../../package", "Copy"],
] as const;
for (const [rule, tag, text] of cases) test(`messagesFor ${rule}`, () => assert.equal(messagesFor(tag).copy, text));

test("fill inserts the value unchanged", () => assert.equal(fill("Link to %", "$& 100%"), "Link to $& 100%"));
