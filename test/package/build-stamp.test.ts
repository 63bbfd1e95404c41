import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { isFresh, startStamp, writeBuildId } from "../../scripts/build-stamp.ts";
import { temporaryFolder } from "../support/cli.js";

const files = {
  "src/a/b.ts": "one",
  "scripts/build.js": "one",
  "package.json": "{}",
  "package-lock.json": "{}",
  "dist/index.js": "one",
  "dist/index.d.ts": "one",
};

function built(types: boolean) {
  const root = temporaryFolder();
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  expect(isFresh(root, { types: false })).toBe(false);
  startStamp(root, { types })();
  return { root, write, fresh: (): boolean => isFresh(root, { types: true }) };
}

test("a build is fresh until a file of the sources or of dist has another content, is added or is removed", () => {
  for (const path of Object.keys(files)) {
    const { root, write, fresh } = built(true);
    const { atime, mtime } = statSync(join(root, path));
    expect(fresh()).toBe(true);
    write(path, "two");
    utimesSync(join(root, path), atime, mtime);
    expect([path, fresh()]).toEqual([path, false]);
    write(path, files[path as keyof typeof files]);
    expect([path, fresh()]).toEqual([path, true]);
    rmSync(join(root, path));
    expect([path, fresh()]).toEqual([path, false]);
  }
  for (const path of ["src/new.ts", "dist/chunks/new.js"]) {
    const { write, fresh } = built(true);
    write(path, "");
    expect([path, fresh()]).toEqual([path, false]);
  }
});

test("sources that change during a build leave it stale", () => {
  const { root, write, fresh } = built(true);
  const writeStamp = startStamp(root, { types: true });
  write("src/a/b.ts", "two");
  writeStamp();
  expect(fresh()).toBe(false);
});

test("a build without declarations is fresh for users that need none", () => {
  const { root, fresh } = built(false);
  expect([fresh(), isFresh(root, { types: false })]).toEqual([false, true]);
});

test("the identity of a build changes with each file of the program, and only then", () => {
  const { root, write } = built(true);
  const identity = (): string => {
    writeBuildId(root);
    return readFileSync(join(root, "dist/build-id.txt"), "utf8");
  };
  const first = identity();
  expect(identity()).toBe(first);
  write("src/a/b.ts", "two");
  expect(identity()).toBe(first);
  const parts = ["index.js", "cli/export.js", "chunks/a.js", "client/main.css", "client/marks/a.svg", "a.wasm", "new"];
  const identities = [...parts.map((path) => `dist/${path}`), "package.json"].map((path) => {
    write(path, "two");
    return identity();
  });
  expect(new Set([first, ...identities]).size).toBe(parts.length + 2);
});
