/** The handbook's statements about hosts: its files are valid, set the headers of a bundle, and stay where it puts them. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { exportSite } from "offprint";
import { expect, test } from "vitest";
import { page, temporaryFolder, writeSite } from "../support/cli.js";

const text = readFileSync(join(import.meta.dirname, "../../fixtures/handbook/guides/hosts.mdx"), "utf8");
const blocks = [...text.matchAll(/^ *```(\w+) ?(\S*)\n(.*?)^ *```/gms)].map(([, language, file, code]) => ({
  language: language!,
  file: file!,
  code: code!,
}));

test("files for a host are written into the site, and two exports leave them in the bundle", async () => {
  expect(blocks.filter(({ file }) => file.startsWith("out/"))).toEqual([]);
  const ofSite = blocks.flatMap(({ file, code }) => (file.startsWith("docs/") ? [[file.slice(5), code] as const] : []));
  expect(ofSite.map(([name]) => name)).toEqual(["vercel.json", "staticwebapp.config.json", ".htaccess"]);
  const folder = temporaryFolder();
  const source = writeSite(join(folder, "docs"), { "index.mdx": page("Start", "Hi."), ...Object.fromEntries(ofSite) });
  const output = join(folder, "out");
  for (const _ of [1, 2]) expect((await exportSite({ source, output })).ok).toBe(true);
  expect(ofSite.filter(([name]) => !existsSync(join(output, name)))).toEqual([]);
  const sent = readFileSync(join(output, "_headers"), "utf8");
  const headers = [
    "nosniff",
    "strict-origin-when-cross-origin",
    "frame-ancestors 'self'; base-uri 'self'",
    "immutable",
  ];
  for (const header of headers) expect(sent).toContain(header);
  const setting = blocks.filter(({ code }) => /cache-control/i.test(code) && !code.includes("aws s3"));
  expect(setting).toHaveLength(6);
  for (const { code } of setting)
    expect(code).toMatch(/cleanUrls|try_files|RewriteRule|staticwebapp|responseOverrides/);
  for (const { code } of setting) for (const header of headers) expect(code).toContain(header);
});

test("the JSON files for hosts are valid, and every workflow chooses its Node", () => {
  for (const { language, code } of blocks) if (language === "json") JSON.parse(code);
  const workflows = blocks.filter(({ language }) => language === "yaml");
  expect(workflows.length).toBeGreaterThan(1);
  for (const { code } of workflows) expect(code).toMatch(/node-version: 24|image: node:24/);
  expect(text).not.toContain("gzip_static");
});
