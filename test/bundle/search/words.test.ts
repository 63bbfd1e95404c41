import assert from "node:assert/strict";
import { test } from "vitest";
import { cutBytes } from "../../../src/bundle/search/json-words.js";
import { cutWords } from "../../../src/bundle/search/words.js";

const wordsOf = (text: string): string[] => {
  const words: string[] = [];
  cutWords(text, (word) => words.push(word));
  return words;
};

const cases: readonly (readonly [rule: string, text: string, words: string])[] = [
  // cutWords …                              text                         words
  ["takes words in lower case", "Install the CLI", "install the cli"],
  ["takes accents away", "Café Ünïcode ёлка", "cafe unicode елка"],
  ["writes ß as ss", "Straße", "strasse"],
  ["gives an identifier by its parts and whole", "api_key", "api key api_key"],
  ["cuts names where capitals begin", "getUserById", "get user by id getuserbyid"],
  ["cuts a name that begins small", "useChat", "use chat usechat"],
  ["gives the names in a name", "task.triggerAndWait", "task trigger and wait triggerandwait task.triggerandwait"],
  ["leaves a name of two humps whole", "GitHub TypeScript", "github typescript"],
  ["takes a run of capitals for one part", "XMLHttpRequest", "xml http request xmlhttprequest"],
  ["keeps names of files and versions", "docs.json v1.20", "docs json docs.json v1 20 v1.20"],
  ["needs something on both sides of a joiner", "end. - .env $ref", "end env ref"],
  ["gives a flag with its dashes", "run --strict, -verbose a--b -x", "run strict --strict verbose -verbose a b x"],
  ["gives a path whole", "GET /api/v1/{userId}. and/or", "get api v1 user id userid /api/v1/{userid} and or"],
  ["gives the name of a package whole", "npm i @acme/sdk me@acme.io", "npm i acme sdk @acme/sdk me acme io acme.io"],
  ["cuts addresses at their slashes", "https://ab.io/b/c </div>", "https ab io ab.io b c div"],
  ["leaves a path with other letters in parts", "/guías/a", "guias a"],
  ["leaves out what an apostrophe cuts off", "don't John’s", "don john"],
  ["gives digits", "404 and 5", "404 and 5"],
  ["gives pairs of Chinese characters", "安装指南", "安装 装指 指南"],
  ["gives kana with the mark that lengthens", "サーバー", "サー ーバ バー"],
  ["gives pairs of Hangul and Thai", "설치 ติด", "설치 ติ ิด"],
  ["gives a lone character as a word", "第 1 章", "第 1 章"],
  ["reads half and full width alike", "ｶﾅ ＡＰＩ", "カナ api"],
  ["takes pairs beyond the first plane whole", "𠮷野家", "𠮷野 野家"],
  ["passes over pictures", "ship 🚀 it", "ship it"],
  ["replaces a character that stands for several", "ﬁle №5", "file 5"],
  ["leaves out texts that are too long for a word", `${"a".repeat(41)} b`, "b"],
  ["leaves vowel signs of Arabic out", "مُحَمَّد", "محمد"],
  ["takes lone surrogates for nothing", "a\ud800b", "a b"],
];
for (const [rule, text, words] of cases)
  test(`cutWords ${rule}`, () => assert.deepEqual(wordsOf(text), words.split(" ")));

test("a whole identifier has the number of its parts", () => {
  const found: [string, number][] = [];
  cutWords("a getUser", (word, parts) => found.push([word, parts]));
  assert.deepEqual(found, [
    ["a", 0],
    ["get", 0],
    ["user", 0],
    ["getuser", 2],
  ]);
});

test("cutBytes gives the same words from JSON", () => {
  const texts = [
    ...cases.map(([, text]) => text),
    "Say \"no\" to C:\\new\\table\nand\tgo\u0001on, that's it's",
    "I 'm a x-y.z End. Next-",
    "quote: “I’d” — naïve/café <b>tag</b> a_b__c",
    "ABc aB Ab A B9 9B b-A A-b 1.2.3 -x- .env ...",
    'run\n--flag\t/a/b "/c:d/" \\--no @x/y-z.q@ //a///b -- - / @ {/a}/b 使用--ok 字/路 é--x /é',
  ];
  for (const text of texts) {
    const json = Buffer.from(JSON.stringify(text.toWellFormed()));
    const words: string[] = [];
    cutBytes(json, 1, json.length - 1, {
      bytes: (bytes, from, to) => words.push(Buffer.from(bytes.slice(from, to)).toString()),
      word: (word) => words.push(word),
    });
    assert.deepEqual(words, wordsOf(text), text);
  }
});
