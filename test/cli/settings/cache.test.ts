import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, test } from "vitest";
import { offprintIn } from "../offprint.js";

const home = mkdtempSync(join(tmpdir(), "offprint-cache-command-"));
afterAll(() => rmSync(home, { recursive: true }));
const folder = join(home, "offprint");

async function printed(...words: readonly string[]): Promise<string> {
  const { code, stdout } = await offprintIn({ XDG_CACHE_HOME: home }, "cache", ...words);
  assert.equal(code, 0);
  return stdout;
}
const write = (path: string, bytes: number): void => {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), Buffer.alloc(bytes));
};

test("offprint cache info shows what the cache takes; clear removes it and nothing else", async () => {
  assert.match(await printed("info"), /parts +0 +0\.0\npages +0 +0\.0\ncompiled +0 +0\.0\n$/);
  write("ab/cdef0123", 200_000);
  write("pages/0123456789abcdef/index", 1_000_000);
  write("pages/0123456789abcdef/aa.pack", 500_000);
  write("serve/site/bundle.html", 10);
  const text = await printed("info");
  assert.ok(text.startsWith(`${folder}\n`), text);
  assert.match(text, /parts +1 +0\.2\npages +2 +1\.5\ncompiled +0 +0\.0\n$/);
  assert.deepEqual(JSON.parse(await printed("info", "--json")), {
    folder,
    kinds: [
      { kind: "parts", files: 1, bytes: 200_000 },
      { kind: "pages", files: 2, bytes: 1_500_000 },
      { kind: "compiled", files: 0, bytes: 0 },
    ],
  });
  assert.equal(await printed("clear"), `Removed 1.7 MB from ${folder}.\n`);
  assert.ok(!existsSync(join(folder, "ab")) && !existsSync(join(folder, "pages")));
  assert.ok(existsSync(join(folder, "serve/site/bundle.html")));
});
