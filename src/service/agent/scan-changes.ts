/** What a change contains that a person must review, and what must never be pushed. */
export interface ScannedChanges {
  /** Kinds of secrets, such as "a private key". If there is one, nothing is pushed. */
  readonly secrets: readonly string[];
  /** Sentences for the pull request. If there is one, it is a draft. */
  readonly suspicions: readonly string[];
}

const keyShapes: readonly (readonly [name: string, shape: RegExp])[] = [
  ["a private key", /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
  ["a GitHub token", /\b(gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{50,})/],
  ["a GitLab token", /\bgl(pat|dt|rt|ptt|cbt|soat)-[A-Za-z0-9_-]{20,}/],
  ["an AWS key", /\b(AKIA|ASIA)[A-Z0-9]{16}\b/],
  ["a Google API key", /\bAIza[A-Za-z0-9_-]{35}\b/],
  ["a model API key", /\bsk-(ant-|proj-)?[A-Za-z0-9_-]{32,}/],
  ["a Slack token", /\bxox[abeoprs]-[A-Za-z0-9-]{20,}/],
  ["a Stripe key", /\b[rs]k_live_[A-Za-z0-9]{20,}/],
  ["an npm token", /\bnpm_[A-Za-z0-9]{36}\b/],
  ["a key of this service", /\bsvc_(?!dsc_)[A-Za-z0-9_-]{20,}/],
  ["a signed token", /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/],
];

/** Marks that reorder or hide text. The zero-width joiners are letters of some languages and parts of emoji. */
const hidden = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\u00ad\ufeff\u{e0000}-\u{e007f}]/u;

/**
 * Scans a patch.
 *
 * @param patch as `git diff` prints it. Removed lines do not count.
 * @param ownSecrets of this service; also found in base64 and in the form of an address.
 * @param isKnownHost whether the site, or the prompt, names the host already.
 */
export async function scanChanges(
  patch: string,
  ownSecrets: readonly string[],
  isKnownHost: (host: string) => Promise<boolean>,
): Promise<ScannedChanges> {
  const lines = patch.split("\n");
  const added = lines.filter((line) => line.startsWith("+") && !line.startsWith("+++ ")).map((line) => line.slice(1));
  const removed = lines.filter((line) => line.startsWith("-") && !line.startsWith("--- ")).join("\n");
  const text = added.join("\n");
  // A secret in the name of a file would leak, too.
  const secrets = secretsIn(text, lines.join("\n"), ownSecrets);
  const suspicions: string[] = [];
  if (hidden.test(text)) suspicions.push("It adds invisible characters, such as bidirectional control characters.");
  const comments = (lines: string): number => lines.split(/<!--|\{\/\*/).length;
  if (comments(text) > comments(removed)) suspicions.push("It adds a comment, which readers of the page do not see.");
  const hosts: string[] = [];
  for (const host of hostsIn(text)) if (!hostsIn(removed).has(host) && !(await isKnownHost(host))) hosts.push(host);
  if (hosts.length > 0)
    suspicions.push(
      `It adds links to hosts that the site did not link to before: ${hosts
        .slice(0, 10)
        .map((host) => `\`${host}\``)
        .join(", ")}.`,
    );
  return { secrets, suspicions };
}

/**
 * Names of kinds of secrets.
 *
 * @param text is searched for keys of all kinds.
 * @param around is searched only for the service's own secrets.
 */
export function secretsIn(text: string, around: string, ownSecrets: readonly string[]): string[] {
  const keys = keyShapes.filter(([, shape]) => shape.test(text)).map(([name]) => name);
  // Also find a secret that a line break cuts in two.
  const joined = around + text.replaceAll(/\s+/g, "");
  const isOwn = ownSecrets.some((secret) => formsOf(secret).some((form) => joined.includes(form)));
  return isOwn ? [...keys, "a secret of this service"] : keys;
}

/** The hosts of the addresses in a text, in lower case. */
export function hostsIn(text: string): ReadonlySet<string> {
  const links = text.matchAll(/(?:\b[a-z][a-z0-9+.-]*:)?\/\/([a-z0-9\u0080-\uffff._-]+\.[a-z0-9\u0080-\uffff-]+)/gi);
  return new Set(Array.from(links, ([, host]) => host!.toLowerCase()));
}

/** Shorter texts would match by accident. */
const shortestSecret = 8;

function formsOf(secret: string): readonly string[] {
  if (secret.length < shortestSecret) return [];
  // Base64 depends on where in a longer text the secret begins; the characters at its ends are shared with neighbours.
  const encoded = [0, 1, 2].map((shift) => {
    const text = Buffer.from("\0".repeat(shift) + secret)
      .toString("base64")
      .replace(/=+$/, "");
    return text.slice(shift === 0 ? 0 : shift + 1, -1);
  });
  return [secret, encodeURIComponent(secret), Buffer.from(secret).toString("hex"), ...encoded];
}
