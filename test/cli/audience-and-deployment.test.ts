import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { newFolder } from "../security/site-folder.js";
import { page, writeSite } from "../support/cli.js";
import { offprint } from "./offprint.js";

const folder = newFolder("cli-audience");
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const site = writeSite(join(folder, "site"), {
  "index.mdx": page("Start", "Hello."),
  "staff.mdx": page("Staff", "Heron.").replace("---\n\n", "groups: [staff]\n---\n\n"),
});
const framed = writeSite(join(folder, "framed"), {
  "index.mdx": page("Start", '<iframe src="https://videos.saas.example/1" title="x" />'),
});
const exported = async (source: string, name: string, ...words: readonly string[]) => {
  const output = join(folder, name);
  return { output, ...(await offprint("export", source, "--no-cache", "-o", output, ...words)) };
};

describe("offprint export", () => {
  test("leaves out a page with groups, says where, and has it with --audience", async () => {
    const plain = await exported(site, "plain");
    expect([plain.code, existsSync(join(plain.output, "staff.html"))]).toEqual([0, false]);
    expect(plain.stderr + plain.stdout).toMatch(/PAGE_RESTRICTED.*staff\.mdx:3:9/);
    const staff = await exported(site, "staff", "--audience", "staff");
    expect([staff.code, existsSync(join(staff.output, "staff.html"))]).toEqual([0, true]);
    expect(JSON.parse(readFileSync(join(staff.output, "offprint.json"), "utf8")).audience).toEqual(["staff"]);
  });

  const assistant = [
    "--assistant-url",
    "https://assistant.saas.example",
    "--assistant-key",
    "svc_dsc_x",
    "--assistant-site",
    "docs",
  ];
  test("names the option that was typed if the name of the site in the service is wrong", async () => {
    const { code, stderr } = await exported(site, "wrong name", ...assistant.with(5, "a b"));
    expect([code, stderr]).toEqual([2, expect.stringContaining('--assistant-site is "a b"')]);
    expect(stderr).not.toContain("assistant.domain");
  });

  const cases = [
    // air-gapped, with …               site    words                                                            code
    ["an assistant outside", site, assistant, 1],
    ["a counter outside", site, ["--analytics-url", "https://count.saas.example", "--analytics-site", "docs"], 1],
    ["a frame of another host", framed, [], 1],
    ["an assistant of its network", site, assistant.with(1, "https://assistant.internal"), 0],
  ] as const;
  for (const [what, source, words, code] of cases)
    test(`for a closed network with ${what} exits with ${code}, and strictly makes ${code === 0 ? "a" : "no"} bundle`, async () => {
      const loose = await exported(source, `${what} loose`, "--deployment", "air-gapped", ...words);
      expect(loose.code).toBe(code);
      if (code === 1) expect(loose.stderr + loose.stdout).toMatch(/error OUTSIDE_(?:SERVICE|REQUEST)/);
      const strict = await exported(source, `${what} strict`, "--deployment", "air-gapped", "--strict", ...words);
      expect([strict.code, existsSync(strict.output)]).toEqual([code, code === 0]);
      expect((await exported(source, `${what} cloud`, ...words)).code).toBe(0);
    });
});
