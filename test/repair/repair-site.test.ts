import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Repair, type RepairOptions, repairSite, writeRepair } from "../../src/index.js";
import { realSites } from "../support/corpora.js";
import { checkInProcess } from "../support/pool-in-process.js";

const settings = `{
  "theme": "mint",
  "name": "Site",
  "colors": { "primary": "#16A34A" },
  "navigation": { "pages": ["index", "guides/install"] }
}
`;
const base = {
  "docs.json": settings,
  "index.mdx": "---\ntitle: Start\n---\n\nSee [it](/guides/Install).\n",
  "guides/install.mdx": "---\ntitle: Install\n---\n\n## First steps\n\nText.\n",
};

function site(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "repair-"));
  for (const [path, text] of Object.entries({ ...base, ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const page = (text: string): string => `---\ntitle: Start\n---\n\n${text}\n`;
const textAfter = ({ changedFiles }: Repair, path = "index.mdx"): string | undefined => {
  const bytes = changedFiles.find((file) => file.path === path)?.after;
  return bytes && Buffer.from(bytes).toString();
};

const repairHere = (options: RepairOptions): Promise<Repair> => repairSite({ ...options, check: checkInProcess });

describe("repairSite", () => {
  test("returns the new bytes and does not change the folder", async () => {
    const folder = site();
    const repair = await repairSite({ folder });
    expect(textAfter(repair)).toBe(page("See [it](/guides/install)."));
    expect(repair.mended.map(({ code }) => code)).toEqual(["LINK_CASE_DIFFERS"]);
    expect([repair.rounds, repair.proposed, repair.remaining]).toEqual([1, [], []]);
    expect(readFileSync(join(folder, "index.mdx"), "utf8")).toBe(base["index.mdx"]);
  });

  test("repairs a base path in many links and redirects, which is reported once", async () => {
    const redirects = [1, 2, 3].map((n) => `{ "source": "/old-${n}", "destination": "/docs/guides/install?n=${n}" }`);
    const withRedirects = settings.replace(/\n}\n$/, `,\n  "redirects": [${redirects.join(", ")}]\n}\n`);
    const folder = site({
      "docs.json": withRedirects,
      "index.mdx": page("[One](/docs/guides/install) [Two](/docs/guides/install.md#first-steps)"),
      "guides/install.mdx": `${base["guides/install.mdx"]}\n[It](/docs/guides/install).\n`,
    });
    const { diagnostics } = await checkInProcess({ source: folder });
    expect(diagnostics.map(({ code, what }) => `${code} ${/\d+ other places?/.exec(what)?.[0]}`).sort()).toEqual([
      "LINK_PREFIX_DIFFERS 2 other places",
      "REDIRECT_TARGET_DIFFERS 2 other places",
    ]);
    const repair = await repairHere({ folder });
    expect(repair.remaining).toEqual([]);
    expect(textAfter(repair)).toBe(page("[One](/guides/install) [Two](/guides/install#first-steps)"));
    expect(textAfter(repair, "docs.json")).toBe(withRedirects.replaceAll("/docs/guides", "/guides"));
  });

  test("makes every edit except those that would cause another fault", async () => {
    const links = Array.from({ length: 9 }, (_, n) => `[${n}](/guides/Install?n=${n})`).join(" ");
    const folder = site({ "index.mdx": page(`${links} [It](/guides#nowhere).`) });
    const repair = await repairHere({ folder });
    expect(textAfter(repair)).toBe(page(`${links.replaceAll("Install", "install")} [It](/guides#nowhere).`));
    expect(repair.proposed.map(({ diagnostic, why }) => [diagnostic.code, why])).toEqual([
      ["LINK_TO_FOLDER", "This change would cause another fault: ANCHOR_NOT_FOUND in index.mdx."],
    ]);
  });

  test("repairs each place of a fault that a page repeats", async () => {
    const folder = site({
      "index.mdx": page("[A](/guides/Install)\n\n[B](/guides/Install)\n\n<Card href='/guides/Install'>C</Card>"),
    });
    expect(textAfter(await repairHere({ folder }))).toBe(
      page("[A](/guides/install)\n\n[B](/guides/install)\n\n<Card href='/guides/install'>C</Card>"),
    );
  });

  test("never mistakes text for an address", async () => {
    const folder = site({
      "index.mdx": page('<Card title="/guides/Install" href="/guides/Install">`/guides/Install`</Card>'),
    });
    expect(textAfter(await repairHere({ folder }))).toBe(
      page('<Card title="/guides/Install" href="/guides/install">`/guides/Install`</Card>'),
    );
  });

  test("repairs only faults with the given codes", async () => {
    const folder = site({ "index.mdx": page("[It](/guides/Install) <!-- later -->") });
    const repair = await repairHere({ folder, codes: ["HTML_COMMENT"] });
    expect(textAfter(repair)).toBe(page("[It](/guides/Install) {/* later */}"));
    expect(repair.remaining.map(({ code }) => code)).toEqual(["LINK_CASE_DIFFERS"]);
    expect(repair.proposed).toEqual([]);
  });

  test("goes on when a file that could not be read shows its own faults", async () => {
    const broken = settings.replace('"guides/install"', '"Guides/Install", "missing",').replace('"theme"', "'theme'");
    const folder = site({ "docs.json": broken });
    const repair = await repairHere({ folder });
    expect(textAfter(repair, "docs.json")).toBe(settings.replace('"guides/install"', '"guides/install", "missing"'));
    expect(repair.remaining.map(({ code }) => code)).toEqual(["PAGE_NOT_FOUND"]);
    expect(repair.rounds).toBe(2);
  });

  const settingsCases = [
    // repairSite repairs …                wrong                         right
    ["a page that has moved", '"old/install"', '"guides/install"'],
    ["a page in other separators", '"guides/In_stall"', '"guides/install"'],
    ["an image with another extension", '"/images/icon.png"', '"/images/icon.svg"'],
    ["a value in another case", '"Linden"', '"linden"'],
    ["a file in another case", '"./Redirects.json"', '"./redirects.json"'],
  ] as const;
  const fullSettings = settings
    .replace('"mint"', '"linden"')
    .replace('"colors"', '"favicon": "/images/icon.svg",\n  "redirects": { "$ref": "./redirects.json" },\n  "colors"');
  for (const [rule, wrong, right] of settingsCases)
    test(`repairs ${rule}`, async () => {
      const folder = site({
        "docs.json": fullSettings.replace(right, wrong),
        "index.mdx": page("Text."),
        "redirects.json": '[{ "source": "/old/install", "destination": "/guides/install" }]',
        "images/icon.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>',
      });
      expect(textAfter(await repairHere({ folder }), "docs.json")).toBe(fullSettings);
    });

  test("changes the target of a link within the site once", async () => {
    const folder = site({ "guides/more.mdx": page("[It](/guides/Install)") });
    symlinkSync("more.mdx", join(folder, "guides/other.mdx"));
    expect((await repairHere({ folder })).changedFiles.map(({ path }) => path)).toEqual([
      "guides/more.mdx",
      "index.mdx",
    ]);
  });

  test("gives the same bytes again", async () => {
    const folder = site();
    expect(await repairHere({ folder })).toEqual(await repairHere({ folder }));
  });

  test("reports a folder that does not exist", async () => {
    const repair = await repairSite({ folder: join(site(), "nowhere") });
    expect(repair.remaining.map(({ code }) => code)).toEqual(["SITE_NOT_FOUND"]);
  });

  test("rejects with the reason of the signal", async () => {
    const reason = new Error("enough");
    await expect(repairSite({ folder: site(), signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

describe("writeRepair", () => {
  test("does not touch a file that has changed since it was read", async () => {
    const folder = site();
    const { changedFiles } = await repairHere({ folder });
    writeFileSync(join(folder, "index.mdx"), "mine");
    expect(writeRepair(folder, changedFiles)).toEqual({
      written: [],
      skipped: [{ path: "index.mdx", why: "The file has changed since it was read." }],
    });
    expect(readFileSync(join(folder, "index.mdx"), "utf8")).toBe("mine");
    expect(readdirSync(folder).sort()).toEqual(["docs.json", "guides", "index.mdx"]);
  });

  test("writes nothing outside of the folder", () => {
    const [folder, other] = [site(), site()];
    symlinkSync(join(other, "guides"), join(folder, "linked"));
    symlinkSync(join(other, "index.mdx"), join(folder, "link.mdx"));
    const before = Buffer.from(base["index.mdx"]);
    const after = Buffer.from("changed");
    const paths = ["linked/install.mdx", "link.mdx", "../new.mdx"];
    const { written, skipped } = writeRepair(
      folder,
      paths.map((path) => ({ path, before: path.startsWith("..") ? undefined : before, after })),
    );
    expect(written).toEqual([]);
    expect(skipped.map(({ path }) => path)).toEqual(paths);
    expect(readFileSync(join(other, "index.mdx"), "utf8")).toBe(base["index.mdx"]);
    expect(existsSync(join(folder, "../new.mdx"))).toBe(false);
  });
});

describe.runIf(process.env["OFFPRINT_SWEEP"]).each(realSites)("$name", ({ folder }) => {
  test("causes no new fault, and every edit removes one", async () => {
    const repair = await repairSite({ folder });
    const codes = ({ code }: { readonly code: string }): string => code;
    const { length } = repair.remaining;
    const unchanged = await repairSite({ folder, codes: ["PAGE_FAILED"] });
    expect(unchanged.changedFiles).toEqual([]);
    expect(unchanged.remaining.length).toBeGreaterThanOrEqual(length + new Set(repair.mended.map(codes)).size);
    const had = new Set(
      unchanged.remaining.map(({ code, what, location }) => `${code} ${location?.sourcePath} ${what}`),
    );
    expect(
      repair.remaining.filter(({ code, what, location }) => !had.has(`${code} ${location?.sourcePath} ${what}`)),
    ).toEqual([]);
  });
});
