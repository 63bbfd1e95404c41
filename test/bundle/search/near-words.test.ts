import assert from "node:assert/strict";
import { test } from "vitest";
import { distanceOf, nearWords } from "../../../src/bundle/search/engine/expand-term.js";

const distances: readonly (readonly [rule: string, typed: string, word: string, open: boolean, distance: number])[] = [
  // distanceOf …                          typed        word            open   mistakes
  ["is 0 for the same", "token", "token", false, 0],
  ["counts a missing letter", "tken", "token", false, 1],
  ["counts a letter too many", "tokeen", "token", false, 1],
  ["counts a wrong letter", "tokan", "token", false, 1],
  ["counts two exchanged letters once", "toekn", "token", false, 1],
  ["stops counting beyond the limit", "abcdef", "uvwxyz", false, 3],
  ["takes a beginning where the word may go on", "autehnt", "authentication", true, 1],
  ["wants all of the word where it may not", "authent", "authentication", false, 3],
];
for (const [rule, typed, word, open, distance] of distances)
  test(`distanceOf ${rule}`, () => assert.equal(distanceOf(typed, word, 2, open), distance));

const words = ["token", "taken", "tokens", "webhook", "concurrency", "authentication", "key"].map((word, at) => ({
  word,
  frequency: 10 - at,
}));
const near = (typed: string, open = false) => nearWords(typed, words, open).map(({ word }) => word);

test("nearWords returns the nearest words, most frequent first", () => {
  assert.deepEqual(near("tokne"), ["token"]);
  assert.deepEqual(near("tken"), ["token", "taken"]);
  assert.deepEqual(near("webhoook"), ["webhook"]);
  assert.deepEqual(near("concurency"), ["concurrency"]);
  assert.deepEqual(near("ahtuentication"), ["authentication"]);
  assert.deepEqual(near("autentic", true), ["authentication"]);
});
test("nearWords does not correct short words", () => assert.deepEqual(near("kei"), []));
test("nearWords returns nothing for a distant word", () => assert.deepEqual(near("kubernetes"), []));

test("a word without similar words gets the words with its stem, and compounds with it or in it", () => {
  const forms = ["invitar", "rechnungen", "benutzerkonto", "passwort", "invent"].map((word) => ({
    word,
    frequency: 1,
  }));
  const related = (typed: string) => nearWords(typed, forms, false).map(({ word }) => word);
  assert.deepEqual(related("invitaciones"), ["invitar"]);
  assert.deepEqual(related("rechnungsanschrift"), ["rechnungen"]);
  assert.deepEqual(related("konto"), ["benutzerkonto"]);
  assert.deepEqual(related("einmalpasswort"), ["passwort"]);
  assert.deepEqual(related("investigation"), []);
});
