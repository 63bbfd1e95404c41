import { randomBytes } from "node:crypto";
import { link, mkdir, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";

/**
 * The secret that signs the links of a folder store: made once, 32 random bytes, and kept in `dataFolder` where this
 * user alone may read it. Processes that start at once agree on one.
 *
 * @throws {Error} naming the file if it can be neither read nor written, or does not hold a secret.
 */
export async function openLinkSecret(dataFolder: string): Promise<Uint8Array> {
  const path = join(dataFolder, "link-secret");
  const kept = await read(path);
  if (kept) return kept;
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await mkdir(dataFolder, { recursive: true });
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(`${randomBytes(32).toString("hex")}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    // Unlike a rename, this leaves what another process has put there.
    await link(draft, path).catch(unless("EEXIST"));
  } catch (cause) {
    throw new Error(`The secret for signing links could not be written to "${path}".`, { cause });
  } finally {
    await rm(draft, { force: true });
  }
  return (await read(path))!;
}

async function read(path: string): Promise<Uint8Array | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Error(`The secret for signing links could not be read from "${path}".`, { cause });
  }
  if (!/^[0-9a-f]{64}\s*$/.test(text))
    throw new Error(
      `"${path}" does not hold a secret for signing links. Remove it to have a new one made: links given before then end.`,
    );
  return Buffer.from(text.trim(), "hex");
}

const unless =
  (code: string) =>
  (error: unknown): void => {
    if ((error as NodeJS.ErrnoException).code !== code) throw error;
  };
