import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type SampleRequest, sampleLanguage, sampleLanguages } from "../../src/reference/samples/languages/index.js";
import knownNames from "../../src/site/config/known-names.json" with { type: "json" };

/**
 * Snapshots of samples: one file for each language, with the same requests. `UPDATE_GOLDEN=1` rewrites them. Other
 * tests run the samples if the interpreter is installed.
 */
const url = "https://api.example.com/v1/things";
const token = ["Authorization", "Bearer <token>"] as const;
const json = {
  name: "Thing",
  tags: ["a", "b"],
  size: { width: 2.5, isDeep: false, depth: null },
  note: 'It\'s "quoted", $HOME and `more`: é\n',
};
const requests: readonly (readonly [string, SampleRequest])[] = [
  ["nothing but an address", { method: "GET", url: `${url}?limit=10&tag=a%20b`, headers: [] }],
  [
    "JSON",
    {
      method: "POST",
      url,
      headers: [token, ["Content-Type", "application/json"]],
      body: { kind: "json", text: JSON.stringify(json, null, 2), value: json },
    },
  ],
  [
    "a form",
    {
      method: "PUT",
      url: `${url}/{id}`,
      headers: [["Content-Type", "application/x-www-form-urlencoded"]],
      body: {
        kind: "form",
        fields: [
          ["name", "A & B"],
          ["tag", "a"],
          ["tag", "b"],
        ],
      },
    },
  ],
  [
    "parts of a form",
    {
      method: "POST",
      url,
      headers: [token],
      body: {
        kind: "multipart",
        parts: [
          { name: "title", value: "It's", isFile: false },
          { name: "file", value: "example-file", isFile: true },
        ],
      },
    },
  ],
  [
    "parts with media types",
    {
      method: "POST",
      url,
      headers: [],
      body: {
        kind: "multipart",
        parts: [
          { name: "about", value: '{"a":1}', isFile: false, contentType: "application/json" },
          { name: "picture", value: "example-file", isFile: true, contentType: "image/png" },
          { name: "title", value: "It's", isFile: false },
        ],
      },
    },
  ],
  [
    "text",
    {
      method: "PATCH",
      url,
      headers: [["Content-Type", "text/plain"]],
      body: { kind: "text", text: "one\ntwo" },
      answer: "text",
    },
  ],
  [
    "a file",
    {
      method: "POST",
      url,
      headers: [["Content-Type", "image/png"]],
      body: { kind: "file", fileName: "example-file" },
      answer: "bytes",
    },
  ],
  ["no body and no answer", { method: "DELETE", url, headers: [["X-Empty", ""]], answer: "none" }],
  ["a method that few know", { method: "QUERY", url, headers: [] }],
  ["a method that fetch refuses", { method: "TRACE", url, headers: [] }],
  ["the head alone", { method: "HEAD", url, headers: [], answer: "none" }],
];

const folder = fileURLToPath(new URL("./samples/", import.meta.url));

describe("samples match their snapshots", () => {
  for (const { name, keys, write } of sampleLanguages)
    test(name, () => {
      const file = `${folder}${keys[0]!}.txt`;
      const written = requests.map(([about, request]) => `===== ${about} =====\n${write(request)}\n`).join("\n");
      if (process.env["UPDATE_GOLDEN"]) writeFileSync(file, written);
      expect(written).toBe(existsSync(file) ? readFileSync(file, "utf8") : "");
    });
});

test("docs.json accepts each name of a language, in any case", () => {
  const names = sampleLanguages.flatMap(({ keys }) => keys);
  expect([...knownNames.sampleLanguages].sort()).toEqual([...names].sort());
  for (const { name, keys } of sampleLanguages)
    for (const key of [...keys, keys[0]!.toUpperCase()]) expect(sampleLanguage(key)?.name, key).toBe(name);
});

test("the handbook and the README count and list the languages", () => {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
  expect(read("README.md")).toContain(`samples in ${sampleLanguages.length} languages`);
  const page = read("fixtures/handbook/reference/api-pages.mdx");
  for (const { name, keys } of sampleLanguages)
    expect(
      keys.some((key) => page.includes(`\`${key}\``)),
      name,
    ).toBe(true);
});
