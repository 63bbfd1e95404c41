import { createHash } from "node:crypto";

/** The encrypted part of a credential, by its kind. */
export type Secrets =
  | { readonly kind: "token"; readonly user: string; readonly token: string }
  | { readonly kind: "ssh-key"; readonly privateKey: string; readonly knownHosts?: string }
  | { readonly kind: "github-app"; readonly installationId: number };

export interface ReadSecret {
  readonly secrets: Secrets;
  /** See `StoredCredential`. */
  readonly hint: string;
}

const maxLength = 16 * 1024;

/** The hint shows four characters, which would be too much of a shorter token. */
const minShown = 16;

/** A token, or `user:token`: hosts then accept any user. @throws {CredentialFault} without the token. */
export function readToken(input: string): ReadSecret {
  const text = input.trim();
  const colon = text.indexOf(":");
  const [user, token] = colon < 0 ? ["x-access-token", text] : [text.slice(0, colon), text.slice(colon + 1)];
  // A line break would add a line to git's credential protocol.
  if (user === "" || !/^[!-~]+$/.test(token) || !/^[ -~]+$/.test(user) || text.length > maxLength)
    throw new CredentialFault("A token must be one line of visible ASCII characters: the token alone, or user:token.");
  return {
    secrets: { kind: "token", user, token },
    hint: token.length < minShown ? "" : `…${token.slice(-4)}`,
  };
}

const begin = "-----BEGIN OPENSSH PRIVATE KEY-----";

/** An OpenSSH key. @param knownHosts as `ssh-keyscan` prints. @throws {CredentialFault} without the key. */
export function readSshKey(input: string, knownHosts: string | undefined): ReadSecret {
  const text = `${input.replaceAll("\r", "").trim()}\n`;
  const body = new RegExp(`^${begin}\n([A-Za-z0-9+/=\n]+)\n-----END OPENSSH PRIVATE KEY-----\n$`).exec(text)?.[1];
  if (body === undefined || text.length > maxLength)
    throw new CredentialFault(
      `An SSH key must start with "${begin}". To convert another format: ssh-keygen -p -f <file>. To create a key: ssh-keygen -t ed25519 -N "" -f <file>.`,
    );
  const [magic, cipher, , , publicKey] = partsOf(Buffer.from(body, "base64"));
  if (magic !== "openssh-key-v1" || !publicKey) throw new CredentialFault("The SSH key is damaged. Copy it again.");
  if (cipher?.toString() !== "none")
    throw new CredentialFault(
      "The SSH key has a passphrase, which the worker cannot enter. Remove it: ssh-keygen -p -f <file>.",
    );
  if (knownHosts !== undefined && (/[^\t\n\r -~]/.test(knownHosts) || knownHosts.length > maxLength))
    throw new CredentialFault("The host keys must be lines as ssh-keyscan prints them.");
  const fingerprint = createHash("sha256").update(publicKey).digest("base64").replace(/=+$/, "");
  return {
    secrets: { kind: "ssh-key", privateKey: text, ...(knownHosts?.trim() && { knownHosts: `${knownHosts.trim()}\n` }) },
    hint: `SHA256:${fingerprint}`,
  };
}

/** The magic, then texts with their length before them: cipher, key derivation, its options, (4 bytes) the public key. */
function partsOf(bytes: Buffer): readonly [string, ...(Buffer | undefined)[]] {
  const end = bytes.indexOf(0);
  let at = end + 1;
  const next = (): Buffer | undefined => {
    if (at + 4 > bytes.length) return undefined;
    const length = bytes.readUInt32BE(at);
    at += 4 + length;
    return at <= bytes.length ? bytes.subarray(at - length, at) : undefined;
  };
  const head = [next(), next(), next()];
  // The number of keys.
  at += 4;
  return [bytes.toString("latin1", 0, Math.max(0, end)), ...head, next()];
}

/** Texts that no agent may push. */
export function secretTexts(secrets: Secrets): readonly string[] {
  if (secrets.kind === "token") return [secrets.token];
  // Its lines may be broken elsewhere.
  if (secrets.kind === "ssh-key") return [secrets.privateKey.replaceAll(/-----[^-]+-----|\s/g, "")];
  return [];
}

/** Why a credential cannot be added or used. The message is for clients: it contains no secret. */
export class CredentialFault extends Error {
  override readonly name = "CredentialFault";
}
