import assert from "node:assert/strict";
import { test } from "vitest";
import { checkAnchors } from "../../../src/page/check/index.js";

const none: ReadonlySet<string> = new Set();
const location = { sourcePath: "a.mdx", line: 1, column: 1 };
const page = (outputPath: string, ids: string[], anchorsWanted: { outputPath: string; fragment: string }[] = []) => ({
  outputPath,
  ids: ids.join("\n"),
  anchorsWanted: anchorsWanted.map((wanted) => ({ ...wanted, location })),
});

test("an anchor that the other page has is accepted, whichever page came first", () => {
  const wanted = [{ outputPath: "b.html", fragment: "x" }];
  assert.deepEqual(checkAnchors([page("a.html", [], wanted), page("b.html", ["w", "x"])], none), []);
  assert.deepEqual(checkAnchors([page("b.html", ["w", "x"]), page("a.html", [], wanted)], none), []);
});

test("an anchor that the other page lacks is reported with the nearest one", () => {
  const [fault] = checkAnchors(
    [page("a.html", [], [{ outputPath: "b.html", fragment: "X" }]), page("b.html", ["x"])],
    none,
  );
  assert.equal(fault?.code, "ANCHOR_NOT_FOUND");
  assert.deepEqual(fault?.location, location);
  assert.equal(fault?.fix, 'write "#x".');
});

test("an anchor in a file that is not a page is not reported", () => {
  assert.deepEqual(checkAnchors([page("a.html", [], [{ outputPath: "spec.pdf", fragment: "page=3" }])], none), []);
});

test("an anchor in the layout exists on every page", () => {
  assert.deepEqual(
    checkAnchors(
      [page("a.html", [], [{ outputPath: "b.html", fragment: "footer" }]), page("b.html", [])],
      new Set(["footer"]),
    ),
    [],
  );
});
