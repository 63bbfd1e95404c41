import assert from "node:assert/strict";
import { test } from "vitest";
import { type CheckedPage, checkAnchors } from "../../../src/page/check/check-anchors.js";

const none: ReadonlySet<string> = new Set();
const faultsOf = (pages: readonly CheckedPage[], everywhere = none) =>
  checkAnchors(pages, everywhere, { sourcePath: "docs.json" }).diagnostics;
const location = { sourcePath: "a.mdx", line: 1, column: 1 };
const page = (outputPath: string, ids: string[], anchorsWanted: { outputPath: string; fragment: string }[] = []) => ({
  outputPath,
  ids: ids.join("\n"),
  anchorsWanted: anchorsWanted.map((wanted) => ({ ...wanted, location })),
});

test("an anchor that the other page has is accepted, whichever page is checked first", () => {
  const wanted = [{ outputPath: "b.html", fragment: "x" }];
  assert.deepEqual(faultsOf([page("a.html", [], wanted), page("b.html", ["w", "x"])]), []);
  assert.deepEqual(faultsOf([page("b.html", ["w", "x"]), page("a.html", [], wanted)]), []);
});

test("an anchor that the other page lacks is reported with the nearest one", () => {
  const [fault] = faultsOf([
    page("a.html", [], [{ outputPath: "b.html", fragment: "pries" }]),
    page("b.html", ["prices"]),
  ]);
  assert.equal(fault?.code, "ANCHOR_NOT_FOUND");
  assert.deepEqual(fault?.location, location);
  assert.equal(fault?.fix, 'write "#prices".');
});

test("a link to a heading whose text became shorter or longer gets the anchor with the same first words, if there is only one", () => {
  const fixes = (fragment: string, ids: string[]) =>
    faultsOf([page("a.html", [], [{ outputPath: "b.html", fragment }]), page("b.html", ids)])[0]?.fix;
  assert.equal(fixes("single-sign-on--setup", ["intro", "single-sign-on"]), 'write "#single-sign-on".');
  assert.equal(fixes("single-sign-on", ["intro", "single-sign-on-for-teams"]), 'write "#single-sign-on-for-teams".');
  const unknown = "link to a heading on that page, or to the page itself.";
  assert.equal(fixes("single-sign-on", ["single-sign-on-for-teams", "single-sign-on-for-everyone"]), unknown);
  assert.equal(fixes("api-errors-of-the-past", ["api"]), unknown);
});

test("an anchor in a file that is not a page is not reported", () => {
  assert.deepEqual(faultsOf([page("a.html", [], [{ outputPath: "spec.pdf", fragment: "page=3" }])]), []);
});

test("an anchor in the layout exists on every page", () => {
  assert.deepEqual(
    faultsOf(
      [page("a.html", [], [{ outputPath: "b.html", fragment: "footer" }]), page("b.html", [])],
      new Set(["footer"]),
    ),
    [],
  );
});

test("a misspelt anchor is repaired on each page that links to it, unless the settings have the link", () => {
  const wanted = [{ outputPath: "b.html", fragment: "X:1" }];
  const pages = [page("a.html", [], wanted), page("b.html", ["x-1"]), page("c.html", [], wanted)];
  const { repairs, diagnostics } = checkAnchors(pages, none, { sourcePath: "docs.json" });
  const anchors = new Map([["b.html#X:1", "x-1"]]);
  assert.deepEqual(
    [...repairs],
    [
      ["a.html", anchors],
      ["c.html", anchors],
    ],
  );
  assert.deepEqual(
    [...new Set(diagnostics.map(({ code, fix }) => `${code} ${fix}`))],
    ['ANCHOR_SPELLING_DIFFERS write "#x-1".'],
  );
  const settings = checkAnchors(pages, none, location);
  assert.equal(settings.repairs.size, 0);
  assert.deepEqual(
    [...new Set(settings.diagnostics.map(({ code, fix }) => `${code} ${fix}`))],
    ['ANCHOR_NOT_FOUND write "#x-1".'],
  );
});
