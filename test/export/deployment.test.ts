/** What a bundle contains by deployment: the table of the command line's manual. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, test } from "vitest";
import { newFolder, writeSite } from "../security/site-folder.js";
import { exportInProcess } from "../support/pool-in-process.js";

const folder = newFolder("deployment");
const spec = {
  openapi: "3.1.0",
  info: { title: "Tides", version: "1" },
  servers: [{ url: "https://api.acme.example" }],
  paths: { "/tides": { get: { summary: "List tides", responses: { 200: { description: "All of them." } } } } },
};
const siteWith = (display: string): string =>
  writeSite(join(folder, display), {
    "docs.json": JSON.stringify({
      theme: "mint",
      name: "Acme",
      colors: { primary: "#0a6c5b" },
      contextual: { options: ["copy", "chatgpt", "claude"] },
      api: { playground: { display } },
      navigation: {
        groups: [
          { group: "Start", pages: ["index"] },
          { group: "API", openapi: "tides.json" },
        ],
      },
    }),
    "index.mdx": "---\ntitle: Start\n---\n\nHigh water.\n",
    "tides.json": JSON.stringify(spec),
  });
const source = siteWith("interactive");
const withoutPlayground = siteWith("none");

interface Pages {
  readonly start: string;
  readonly operation: string;
}

const cases = [
  // deployment      search  playground  links to assistants
  ["cloud", true, true, true],
  ["client-hosted", true, true, true],
  ["air-gapped", true, true, false],
] as const;
for (const [deployment, search, playground, assistants] of cases)
  describe(`a bundle for ${deployment}`, () => {
    const output = join(folder, `out-${deployment}`);
    const pages = async (site: string, output: string): Promise<Pages> => {
      const { ok, manifest } = await exportInProcess({
        source: site,
        output,
        deployment,
        baseUrl: "https://docs.acme.com",
      });
      assert.equal(ok, true);
      const operation = manifest?.files.find(({ path }) => path.endsWith("list-tides.html"))?.path;
      assert.ok(operation);
      const read = (path: string): string => readFileSync(join(output, path), "utf8");
      return { start: read("index.html"), operation: read(operation) };
    };
    let usual: Pages;
    beforeAll(async () => {
      usual = await pages(source, output);
    });

    test(`${search ? "has" : "has no"} search, from its own files`, () => {
      const { start } = usual;
      const script = /data-script="([^"]+)"/.exec(start)?.[1];
      assert.equal(script !== undefined && existsSync(join(output, script)), search);
    });
    test(`${playground ? "has" : "has no"} playground, and none if the site disables it`, async () => {
      assert.equal(usual.operation.includes("data-playground="), playground);
      const without = await pages(withoutPlayground, `${output}-without`);
      assert.equal(without.operation.includes("data-playground="), false);
    });
    test(`${assistants ? "has" : "has no"} links to assistants`, () => {
      assert.equal(/href="https:\/\/(?:chatgpt\.com|claude\.ai)\//.test(usual.start), assistants);
    });
  });
