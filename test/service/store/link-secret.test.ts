import { readdirSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openLinkSecret } from "../../../src/service/store/index.js";

const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), "offprint-secret-"));

test("the secret is created once, readable by this user only, even by concurrent calls", async () => {
  const folder = join(await newFolder(), "data");
  const secrets = await Promise.all(Array.from({ length: 20 }, () => openLinkSecret(folder)));
  expect(new Set(secrets.map((each) => Buffer.from(each).toString("hex"))).size).toBe(1);
  expect(secrets[0]).toHaveLength(32);
  expect(await openLinkSecret(folder)).toEqual(secrets[0]);
  expect(statSync(join(folder, "link-secret")).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["link-secret"]);
});

test("two folders have two secrets", async () => {
  expect(await openLinkSecret(await newFolder())).not.toEqual(await openLinkSecret(await newFolder()));
});

for (const [rule, text] of [
  ["empty", ""],
  ["cut off", "0123"],
  ["something else", "x".repeat(64)],
] as const)
  test(`a secret that is ${rule} is refused and not shown`, async () => {
    const folder = await newFolder();
    writeFileSync(join(folder, "link-secret"), text);
    await expect(openLinkSecret(folder)).rejects.toThrow(
      `"${join(folder, "link-secret")}" does not contain a secret for signing links.`,
    );
  });

test("a folder that cannot be written is named", async () => {
  const file = join(await newFolder(), "file");
  writeFileSync(file, "");
  await expect(openLinkSecret(join(file, "data"))).rejects.toThrow(
    /secret for signing links could not be .*link-secret"/,
  );
});
