import assert from "node:assert/strict";
import { test } from "vitest";
import { brokenXml, dangersIn, type ExportedSite, inspectBundle } from "./exported-site.js";
import { payloads } from "./payloads.js";

/** What holds for every bundle of a site that has payloads for its names. */
export function testHarmlessBundle(site: () => ExportedSite): void {
  test("put nothing into a document that could run", () => {
    const documents = inspectBundle(site());
    assert.deepEqual(dangersIn(documents), []);
    const shown = [...documents.values()].map(({ text }) => text).join("\n");
    const names = payloads.filter((payload) => shown.includes(payload.trim()));
    assert.ok(names.length > payloads.length / 2, `${names.length} payloads are names`);
  });

  test("leave XML well-formed", () => assert.deepEqual(brokenXml(site()), []));
}
