import { copyFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createPackReader, createPackWriter } from "../../../src/lib/cache/index.js";
import { temporaryFolder } from "../../support/cli.js";

test("a reader finds an entry of a pack that another process has replaced by a longer one", () => {
  const [theirs, ours] = [temporaryFolder(), temporaryFolder()];
  const writer = createPackWriter(theirs);
  const reader = createPackReader(ours);
  const send = ([pack]: readonly [string, ...unknown[]]): void => {
    copyFileSync(join(theirs, pack), join(ours, "draft"));
    renameSync(join(ours, "draft"), join(ours, pack));
  };
  const first = writer.put(Buffer.from("one"))!;
  expect(reader.read(first), "before it is there").toBeUndefined();
  send(first);
  expect(reader.read(first)?.toString()).toBe("one");
  const second = writer.put(Buffer.from("two"))!;
  expect(reader.read(second)).toBeUndefined();
  send(second);
  expect(reader.read(second)?.toString()).toBe("two");
  expect(reader.read(first)?.toString()).toBe("one");
  reader.close();
  writer.close();
});
