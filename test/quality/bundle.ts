import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll } from "vitest";
import { sharedExport } from "../support/shared-export.js";

export interface Bundle {
  readonly folder: string;
  /** Output paths of the documents that have content, sorted; redirects are left out. */
  readonly pages: readonly string[];
}

/** With `OFFPRINT_SWEEP` set (`npm run sweep`) every page is tested in every way, without sampling. */
export const sweeping = process.env["OFFPRINT_SWEEP"] !== undefined;

/** Exports the gallery before the tests. */
export function exportedGallery(): () => Bundle {
  let bundle: Bundle;
  beforeAll(async () => {
    const { folder, result } = await sharedExport("gallery");
    // It shows a step outside of steps, and one of its specifications has a part for some readers alone.
    const codes = result.diagnostics.map(({ code }) => code);
    assert.deepEqual(codes, ["COMPONENT_ALONE", "SPEC_RESTRICTED"]);
    bundle = { folder, pages: pagesOf(folder) };
    assert.ok(bundle.pages.length > 50);
  });
  return () => bundle;
}

export function pagesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".html"))
    .filter((path) => !/http-equiv="?refresh/i.test(readFileSync(join(folder, path), "utf8")))
    .sort();
}

/** An even sample of this size; everything in a sweep. */
export function sampleOf<T>(all: readonly T[], count: number): readonly T[] {
  if (sweeping || all.length <= count) return all;
  return Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)]!);
}

/** Calls `visit` for every item, two at a time, each with its own browser page; the results in order. */
export async function collect<T, L, F>(
  items: readonly T[],
  newLane: () => Promise<L>,
  visit: (lane: L, item: T) => Promise<readonly F[]>,
): Promise<F[]> {
  const found: (readonly F[])[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    const lane = await newLane();
    while (next < items.length) {
      const at = next++;
      found[at] = await visit(lane, items[at]!);
    }
  };
  await Promise.all([work(), work()]);
  return found.flat();
}
