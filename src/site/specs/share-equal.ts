import { isContainer, type Json, type JsonObject } from "../../lib/json/index.js";

/**
 * Makes equal structures of a document one object, in place, so that copies of a schema have one page, are shown once, and
 * are resolved once. Takes time in proportion to the document.
 *
 * @param document just parsed, and not in use yet.
 */
export function shareEqual(document: JsonObject): void {
  const byHash = new Map<number, Json[]>();
  const hashes = new Map<Json, number>();
  // Numbers that a double cannot hold are objects without a text.
  const hashOf = (value: Json): number =>
    typeof value === "object" && value !== null ? (hashes.get(value) ?? 0) : textHash(String(value));
  const share = (value: Json, depth: number): Json => {
    if (!isContainer(value) || hashes.has(value) || depth > maxDepth) return value;
    const members = value as { [name: string]: Json };
    let hash = Array.isArray(value) ? 1 : 2;
    for (const name in members) {
      const own = members[name]!;
      const shared = share(own, depth + 1);
      if (shared !== own) members[name] = shared;
      hash = mix(mix(hash, textHash(name)), hashOf(shared));
    }
    const candidates = byHash.get(hash);
    const equal = candidates?.find((candidate) => isEqual(candidate, value));
    if (equal !== undefined) return equal;
    if (candidates) candidates.push(value);
    else byHash.set(hash, [value]);
    hashes.set(value, hash);
    return value;
  };
  share(document, 0);
}

/** Deeper structures are left as they are. */
const maxDepth = 500;

const mix = (hash: number, value: number): number => Math.imul(hash ^ value, 0x9e3779b1) ^ (hash >>> 15);

/** Looks at few characters: long texts are compared only if their structures have one hash. */
function textHash(text: string): number {
  let hash = text.length;
  const step = 1 + (text.length >> 5);
  for (let at = 0; at < text.length; at += step) hash = mix(hash, text.charCodeAt(at));
  return hash;
}

/** Compares the members of two structures, whose inner structures are shared already. Their order matters on pages. */
function isEqual(a: Json, b: Json): boolean {
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a as JsonObject);
  const others = Object.keys(b as JsonObject);
  return (
    names.length === others.length &&
    names.every((name, i) => name === others[i] && Object.is((a as JsonObject)[name], (b as JsonObject)[name]))
  );
}
