import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { codes } from "../../src/cli/codes.js";
import { temporaryFolder } from "../support/cli.js";
import { offprint, offprintIn } from "./offprint.js";

test("explain shows the meaning of a code with a wrong and a right text", async () => {
  expect(await offprint("explain", "html_comment")).toEqual({
    code: 0,
    stderr: "",
    stdout:
      "warning HTML_COMMENT\n\nMDX has no HTML comments, so the comment is left out. A comment without an end is left out up to the end of its paragraph.\n\n" +
      "Wrong (index.mdx)\n\n    <!-- to do -->\n\nRight (index.mdx)\n\n    {/* to do */}\n",
  });
});

test("explain says why a code has no example", async () => {
  const { stdout } = await offprint("explain", "PAGE_TOO_LARGE");
  expect(stdout).toBe(
    "error PAGE_TOO_LARGE\n\nThe file is larger than 2 MB, not counting images that are embedded in it.\n\nNo example: it takes a file of more than 2 MB.\n",
  );
});

test("explain alone lists every code", async () => {
  const { stdout } = await offprint("explain");
  for (const { code, kind } of codes) expect(stdout).toMatch(new RegExp(`^  ${code} +${kind} `, "m"));
});

test("explain suggests the nearest code", async () => {
  expect(await offprint("explain", "LINK_NOT_FUOND")).toEqual({
    code: 2,
    stdout: "",
    stderr: 'offprint: There is no code "LINK_NOT_FUOND". Did you mean "LINK_NOT_FOUND"?\n',
  });
});

test("explain names the codes of the same kind if no code is near", async () => {
  const { stderr } = await offprint("explain", "NAV_MISSING");
  expect(stderr).toMatch(
    /^offprint: There is no code "NAV_MISSING"\. Did you mean "NAV_[A-Z_]+"(?:, "NAV_[A-Z_]+")+\?\n$/,
  );
});

test("doctor looks at the machine and the site", async () => {
  const folder = temporaryFolder();
  const env = { XDG_CACHE_HOME: join(folder, "cache"), HTTPS_PROXY: "http://proxy.example.com" };
  const { code, stdout } = await offprintIn(env, "doctor", folder);
  expect(code).toBe(0);
  for (const name of ["Node", "Memory", "Cache", "Disk", "File names", "Network", "Markdown", "Diagrams", "Site"])
    expect(stdout).toMatch(new RegExp(`^(?:ok|warn)  +${name} `, "m"));
  expect(stdout).toMatch(/^warn {2}Network .*HTTPS_PROXY is set.*\n {20}fix: set NODE_USE_ENV_PROXY=1/m);
  expect(stdout).not.toContain("\u001B");
});

test("doctor fails if the site has errors, and prints JSON", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "docs"));
  writeFileSync(join(folder, "docs/docs.json"), "{");
  const { code, stdout } = await offprintIn({ XDG_CACHE_HOME: folder }, "doctor", join(folder, "docs"), "--json");
  expect(code).toBe(1);
  const checks = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { name: string; status: string });
  expect(checks.find(({ name }) => name === "Site")).toMatchObject({
    status: "fail",
    fix: expect.stringContaining("offprint check"),
  });
});
