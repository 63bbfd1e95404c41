import { cpSync, mkdtempSync, readdirSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { checkSite, type Diagnostic, type Repair, repairSite, writeRepair } from "../../src/index.js";
import { type PlantedFault, plantFaults } from "../support/plant-faults.js";

/** The small site has each kind once or twice. */
const sizes = process.env["OFFPRINT_SWEEP"] ? [80, 300, 1000] : [80];

describe.each(sizes)("a site with %i planted faults", (count) => {
  const folder = mkdtempSync(join(tmpdir(), "planted-"));
  const mended = `${folder}-mended`;
  let faults: readonly PlantedFault[];
  let before: readonly Diagnostic[];
  let repair: Repair;
  beforeAll(async () => {
    faults = plantFaults(folder, { seed: 20, count });
    before = (await checkSite({ source: folder })).diagnostics;
    repair = await repairSite({ folder });
    cpSync(folder, mended, { recursive: true });
    writeRepair(mended, repair.changedFiles);
  });

  const isMended = ({ path, wrong, right }: PlantedFault): boolean => {
    const text = readFileSync(join(mended, path), "utf8")
      .replace(/^\ufeff/, "")
      .replaceAll("\r\n", "\n");
    return text.includes(right) && (right.includes(wrong) || !text.includes(wrong));
  };

  test("has all of them", () => {
    const codes = new Set(before.map(({ code }) => code));
    expect(faults.filter(({ code }) => !codes.has(code))).toEqual([]);
  });
  test("gets the intended text wherever it is certain", () => {
    expect(faults.filter((fault) => fault.certain && !isMended(fault))).toEqual([]);
  });
  test("keeps text whose repair is only likely, and gets a proposal", () => {
    const likely = faults.filter(({ certain }) => !certain);
    expect(likely.filter(isMended)).toEqual([]);
    const proposed = new Set(repair.proposed.map(({ diagnostic }) => diagnostic.code));
    expect(likely.filter(({ code }) => !proposed.has(code))).toEqual([]);
  });
  test("gets no new fault", async () => {
    const { diagnostics } = await checkSite({ source: mended });
    const key = ({ code, location, what }: Diagnostic) => `${code} ${location?.sourcePath} ${what}`;
    const had = new Set(before.map(key));
    expect(diagnostics.filter((each) => !had.has(key(each)))).toEqual([]);
    expect(diagnostics).toEqual(repair.remaining);
  });
  test("keeps line ends and byte order marks", () => {
    for (const path of filesIn(folder)) {
      const [old, young] = [folder, mended].map((root) => readFileSync(join(root, path), "utf8"));
      expect([path, young!.startsWith("\ufeff"), /(?<!\r)\n/.test(young!)]).toEqual([
        path,
        old!.startsWith("\ufeff"),
        /(?<!\r)\n/.test(old!),
      ]);
    }
  });
  test("has nothing more to repair the second time", async () => {
    const again = await repairSite({ folder: mended });
    expect(again.changedFiles).toEqual([]);
    expect(again.mended).toEqual([]);
  });
});

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => statSync(join(folder, path)).isFile());
