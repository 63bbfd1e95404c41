import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Manifest } from "offprint";
import { describe, test } from "vitest";
import { page, temporaryFolder, writeSite } from "../support/cli.js";
import { buildWithPlugin } from "../support/handbook-plugin.js";

/** Folder of the package to test: `OFFPRINT_PACKAGE`, else this repository. */
const packageFolder = process.env["OFFPRINT_PACKAGE"] ?? fileURLToPath(new URL("../..", import.meta.url));

function project(files: Readonly<Record<string, string>>) {
  const place = join(realpathSync(temporaryFolder()), "project");
  mkdirSync(place);
  return { place, source: writeSite(join(place, "docs"), files), output: join(place, "dist/docs") };
}

describe("the plugin on the handbook's page of examples", () => {
  test("writes the whole bundle, names the files to watch, and warns of mistakes", () => {
    const { place, source, output } = project({ "index.mdx": page("Start", "[Gone](/gone)") });
    const { watched, warnings, error } = buildWithPlugin(packageFolder, place, source, output);
    assert.equal(error, undefined);
    assert.deepEqual(watched, [join(source, "docs.json"), join(source, "index.mdx"), source]);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0]!, /^warning LINK_NOT_FOUND index\.mdx:5/);
    const manifest = JSON.parse(readFileSync(join(output, "offprint.json"), "utf8")) as Manifest;
    assert.ok(manifest.files.some(({ path }) => path === "index.html"));
    for (const { path, sha256 } of manifest.files)
      assert.equal(
        createHash("sha256")
          .update(readFileSync(join(output, path)))
          .digest("hex"),
        sha256,
        path,
      );
  });

  test("ends the build if there is nothing to export, and still names the files to watch", () => {
    const { place, source, output } = project({ "docs.json": "{" });
    const { watched, error } = buildWithPlugin(packageFolder, place, source, output);
    assert.equal(error, "The documentation was not exported.");
    assert.deepEqual(watched, [join(source, "docs.json"), source]);
    assert.equal(existsSync(output), false);
  });
});
