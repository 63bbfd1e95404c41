// The handbook has every export of the package, made from types and comments. UPDATE_GOLDEN=1 writes the page.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { librarySections } from "../../scripts/library-page.ts";
import { exportDefaults } from "../../src/export/export-options.js";
import * as library from "../../src/index.js";
import { serveDefaults } from "../../src/serve/serve-bundle.js";
import * as serving from "../../src/serve.js";
import { apiDefaults } from "../../src/service/http/api-options.js";
import * as service from "../../src/service.js";

const project = join(import.meta.dirname, "../..");
const path = join(project, "fixtures/handbook/reference/library.mdx");

const head = `---
title: Library
description: Every function and type that the package exports.
icon: code
---

[Export from code](/guides/export-from-code) and the pages next to it are the guides to this page, by task. Paths in options may be relative to the working
directory; paths in results are absolute.`;

const sections = librarySections(
  project,
  [
    { name: "offprint", file: "index.ts", text: '```ts\nimport { checkSite, exportSite } from "offprint";\n```' },
    { name: "offprint/serve", file: "serve.ts", text: '```ts\nimport { serveBundle } from "offprint/serve";\n```' },
    {
      name: "offprint/service",
      file: "service.ts",
      text: 'The parts of `offprint service`, for a program that runs them itself.\n\n```ts\nimport { createApi, openStore, runWorker } from "offprint/service";\n```',
    },
  ],
  { ApiOptions: apiDefaults, CheckOptions: exportDefaults, ServeOptions: serveDefaults },
);

test("the page about the library has every export with its comment and type", () => {
  const text = `${head}\n\n${sections}\n`;
  if (process.env["UPDATE_GOLDEN"]) writeFileSync(path, text);
  assert.equal(readFileSync(path, "utf8"), text, "Write it with UPDATE_GOLDEN=1.");
});

test("it has a section for each function", () => {
  for (const name of [...Object.keys(library), ...Object.keys(serving), ...Object.keys(service)])
    expect(sections).toMatch(new RegExp(`^### ${name}\n\n\`\`\`ts\n(class )?${name}\\b`, "m"));
});
