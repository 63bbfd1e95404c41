import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecretFile } from "../../store/index.js";
import { CredentialFault } from "./read-secret.js";

/** Where the operator's keys are: lines of 64 hexadecimal digits. The first encrypts, all decrypt. */
export interface KeySource {
  /** The lines themselves; a secret. */
  readonly keys?: string | undefined;
  /** A file that the operator has written. */
  readonly file?: string | undefined;
  /** A file of the service, which is created with the first credential. */
  readonly ownFile?: string | undefined;
}

/** An encrypted text: base64 of the nonce (12 bytes), the tag (16 bytes) and the ciphertext of AES-256-GCM. */
export interface Sealed {
  /** The first 16 hexadecimal digits of the key's SHA-256. */
  readonly keyId: string;
  readonly sealed: string;
}

export type Keyring = ReturnType<typeof openKeyring>;

interface Key {
  readonly keyId: string;
  readonly secret: Buffer;
}

/**
 * Encrypts with the operator's key. `bound` is what the text belongs to: it cannot be decrypted as another's. The keys are
 * read again for each call, so that a new file needs no restart.
 *
 * Fails: each function throws a `CredentialFault` that names the file, never a key.
 */
export function openKeyring(source: KeySource) {
  const name = source.keys === undefined ? `"${source.file ?? source.ownFile}"` : "OFFPRINT_CREDENTIALS_KEY";
  async function readKeys(creates: boolean): Promise<readonly [Key, ...Key[]]> {
    const text = source.keys ?? (await readText(source, creates));
    const lines = text.split("\n").map((line) => line.trim());
    const [first, ...others] = lines.filter((line) => line !== "").map((line) => keyOf(line, name));
    if (!first) throw new CredentialFault(`${name} contains no key. ${howToMake}`);
    return [first, ...others];
  }
  return {
    async seal(text: string, bound: readonly string[]): Promise<Sealed> {
      const [{ keyId, secret }] = await readKeys(true);
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", secret, nonce).setAAD(dataOf(bound));
      const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return { keyId, sealed: Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString("base64") };
    },
    async open({ keyId, sealed }: Sealed, bound: readonly string[]): Promise<string> {
      const key = (await readKeys(false)).find((candidate) => candidate.keyId === keyId);
      if (!key)
        throw new CredentialFault(
          `A credential was encrypted with the key ${keyId}, which is not in ${name}. Add that key to it.`,
        );
      const bytes = Buffer.from(sealed, "base64");
      const decipher = createDecipheriv("aes-256-gcm", key.secret, bytes.subarray(0, 12), { authTagLength: 16 });
      try {
        decipher.setAAD(dataOf(bound)).setAuthTag(bytes.subarray(12, 28));
        return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
      } catch (cause) {
        throw new CredentialFault(
          "A credential in the database was changed or belongs to another organization, so it cannot be decrypted. Add it again.",
          { cause },
        );
      }
    },
    currentKey: async () => (await readKeys(false))[0].keyId,
  };
}

const howToMake = "To create one: openssl rand -hex 32";

const dataOf = (bound: readonly string[]): Buffer => Buffer.from(JSON.stringify(bound));

async function readText({ file, ownFile }: KeySource, creates: boolean): Promise<string> {
  const path = file ?? ownFile;
  if (path === undefined)
    throw new CredentialFault(
      `The service has no key to encrypt credentials with. For the API and all workers, set OFFPRINT_CREDENTIALS_KEY_FILE to the path of a file with a key. ${howToMake}`,
    );
  try {
    if (file === undefined && creates) await createSecretFile(path);
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new CredentialFault(`The key that encrypts credentials could not be read from "${path}".`, { cause });
  }
}

function keyOf(line: string, name: string): Key {
  if (!/^[0-9a-f]{64}$/i.test(line))
    throw new CredentialFault(`${name} has a line that is not a key of 64 hexadecimal digits. ${howToMake}`);
  const secret = Buffer.from(line, "hex");
  return { keyId: createHash("sha256").update(secret).digest("hex").slice(0, 16), secret };
}
