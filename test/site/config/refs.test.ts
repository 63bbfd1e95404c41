import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadConfig } from "../../../src/site/config/index.js";
import { openFolder } from "../../../src/site/source/index.js";
import { configOf, loaded, outline, required } from "./site-of.js";

describe("$ref is replaced by the file:", () => {
  test("at the top, in a setting, and as an item of a list", () => {
    const { config, faults } = loaded({
      "docs.json": {
        $ref: "./base.json",
        navigation: { groups: [{ $ref: "a.json" }, { group: "B", pages: [{ $ref: "/c.json" }] }] },
      },
      "base.json": { ...required, $schema: "x", name: "Base", navigation: { pages: ["never"] } },
      "a.json": { $schema: "x", group: "A", pages: ["a"] },
      "c.json": '"c"',
    });
    expect(faults).toEqual([]);
    expect(config.name).toBe("Base");
    expect(outline(config)).toEqual(["group A", "  a", "group B", "  c"]);
  });

  test("relative to the file that contains it, several levels deep", () => {
    const { config, faults } = configOf(
      { navigation: { $ref: "config/nav.json" } },
      {
        "config/nav.json": { tabs: [{ $ref: "./tabs/guides.json" }, { $ref: "../api.json" }] },
        "config/tabs/guides.json": { tab: "Guides", pages: { $ref: "pages.json" } },
        "config/tabs/pages.json": ["g"],
        "api.json": { tab: "API", pages: ["x"] },
      },
    );
    expect(faults).toEqual([]);
    expect(outline(config)).toEqual(["tab Guides", "  g", "tab API", "  x"]);
  });

  test("members next to it override the referenced ones", () => {
    const { config, faults } = configOf(
      { appearance: { $ref: "./a.json", strict: true } },
      { "a.json": { default: "dark", strict: false } },
    );
    expect(faults).toEqual([]);
    expect(config.appearance).toEqual({ default: "dark", strict: true });
  });

  test("a list replaces the object", () => {
    const { config, faults } = configOf(
      { redirects: { $ref: "r.json" } },
      { "r.json": [{ source: "/a", destination: "/b" }] },
    );
    expect(faults).toEqual([]);
    expect(config.redirects).toMatchObject([{ source: "/a", location: { sourcePath: "r.json" } }]);
  });

  test("using the same file twice is not a cycle", () => {
    const { faults } = configOf(
      { navigation: { groups: [{ $ref: "g.json" }, { $ref: "g.json", group: "H" }] } },
      { "g.json": { group: "G", pages: ["a"] } },
    );
    expect(faults).toEqual([]);
  });

  test("members next to a broken reference stay", () => {
    const { config, diagnostics } = configOf({ appearance: { $ref: "./none.json", default: "dark" } });
    expect(config.appearance.default).toBe("dark");
    expect(diagnostics.map(({ code }) => code)).toEqual(["CONFIG_REF_NOT_FOUND"]);
  });
});

describe("$ref does not lead", () => {
  const outside = ["../x.json", "a/../../x.json", "..\\x.json", "/../x.json"];
  for (const $ref of outside) {
    test(`out of the site by ${$ref}`, () => {
      expect(configOf({ footer: { $ref } }).diagnostics).toMatchObject([
        { code: "CONFIG_REF_OUTSIDE", severity: "error" },
      ]);
    });
  }

  test("out of the site by a symbolic link", () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "offprint-ref-")));
    writeFileSync(join(folder, "docs.json"), JSON.stringify({ ...required, footer: { $ref: "./link.json" } }));
    symlinkSync("/etc/hostname", join(folder, "link.json"));
    const { files, diagnostics } = openFolder(folder);
    const all = [...diagnostics, ...loadConfig(files).diagnostics];
    rmSync(folder, { recursive: true });
    expect(all.map(({ code }) => code)).toEqual(["SOURCE_LINK_OUTSIDE", "CONFIG_REF_NOT_FOUND"]);
  });

  const cycles = [
    ["itself", { "a.json": { x: { $ref: "a.json" } } }, "a.json -> a.json"],
    ["docs.json", { "a.json": { x: { $ref: "docs.json" } } }, "docs.json -> a.json -> docs.json"],
    [
      "one two files back",
      { "a.json": [{ $ref: "b.json" }], "b.json": [{ $ref: "c.json" }], "c.json": { $ref: "b.json" } },
      "b.json -> c.json -> b.json",
    ],
  ] as const;
  for (const [rule, files, chain] of cycles) {
    test(`in a cycle to ${rule}, and the diagnostic shows the path`, () => {
      const { diagnostics } = configOf({ footer: { $ref: "a.json" } }, files);
      const cycle = diagnostics.find(({ code }) => code === "CONFIG_REF_CYCLE");
      expect(cycle?.what).toBe(`This reference is circular: ${chain}.`);
    });
  }
});
