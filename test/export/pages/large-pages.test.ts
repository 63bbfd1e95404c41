/**
 * A page of up to 2 MB takes at most half a gigabyte, and ends before its deadline: as a page, or as a diagnostic.
 * `npm run soak` exports one of every kind; here is the page that took a gigabyte.
 */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { brokenPages, largePages } from "../../support/large-pages.js";
import type { PageMeasurement } from "./measure-page.js";

const isSoak = process.env["OFFPRINT_SOAK"] === "1";
const maxMb = 512;
/** The deadline of a page. */
const maxMs = 20_000;

const script = fileURLToPath(new URL("measure-page.ts", import.meta.url));
async function measure(kind: string, chars: number): Promise<PageMeasurement> {
  const { stdout } = await promisify(execFile)(process.execPath, [script, kind, String(chars)]);
  return JSON.parse(stdout) as PageMeasurement;
}

let bare: PageMeasurement;
beforeAll(async () => {
  bare = await measure("nothing", 0);
});

test("a page of 10,000 cards takes only a few times the memory of a page of one", async () => {
  const { peakMb, codes } = await measure("cards", 260_000);
  expect(codes).toEqual([]);
  expect(peakMb - bare.peakMb).toBeLessThan(256);
});

describe.runIf(isSoak)("a page of 2 MB ends within its limits if it consists of", () => {
  for (const kind of Object.keys({ ...largePages, ...brokenPages }))
    test(kind, async () => {
      const { peakMb, cpuMs } = await measure(kind, 2_000_000);
      expect(peakMb - bare.peakMb).toBeLessThan(maxMb);
      expect(cpuMs - bare.cpuMs).toBeLessThan(maxMs);
    });
});
