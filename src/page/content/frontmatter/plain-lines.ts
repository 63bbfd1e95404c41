/** Reads front matter in its plain form, which nearly every page has: one `key: value` a line, no nesting. */
import type { Frontmatter, FrontmatterValue } from "../../../site/site.js";

const line = /^(?:([A-Za-z_][\w-]*(?::[\w-]+)*)|"([\w:.-]+)"|'([\w:.-]+)'):(?:[ \t]+(.*))?$/;
/** Starts no other YAML construct, holds no `: ` and no ` #`. */
const plainScalar = /^(?![-?:](?:[ \t]|$))[^\s,[\]{}#&*!|>'"%@`](?:[^:#\\]|:(?!\s|$)|(?<!\s)#|\\)*$/;
const number = /^[-+]?(?:\d|\.\d)/;
const flowItem = /[ \t]*(?:"([^"\\]*)"|'([^']*)'|([A-Za-z_/][\w ./+-]*))[ \t]*(,|$)/y;

/** Whether a key could reach an object's prototype, or keep the object from becoming text. */
export const isRefusedKey = (key: string): boolean => refusedKeys.has(key);
const refusedKeys = new Set(["__proto__", "constructor", "prototype", "toString", "valueOf"]);

/** Reads a block of plain lines; undefined if it contains anything else and needs a YAML parser. */
export function parsePlainLines(text: string): Frontmatter | undefined {
  const out: Record<string, FrontmatterValue> = {};
  for (const raw of text.split("\n")) {
    const trimmed = raw.trimEnd();
    if (trimmed === "" || trimmed.startsWith("#")) continue;
    const match = line.exec(trimmed);
    if (match === null) return undefined;
    const key = match[1] ?? match[2] ?? match[3]!;
    if (isRefusedKey(key) || Object.hasOwn(out, key)) return undefined;
    const value = match[4] === undefined ? null : readScalar(match[4]);
    if (value === undefined) return undefined;
    out[key] = value;
  }
  return out;
}

/** The value of one line; undefined if it is more than a scalar or a list of plain words. */
export function readScalar(typed: string): FrontmatterValue | undefined {
  const first = typed[0];
  if (first === '"') return /^"[^"\\]*"$/.test(typed) ? typed.slice(1, -1) : undefined;
  if (first === "'") return /^'[^']*'$/.test(typed) ? typed.slice(1, -1) : undefined;
  if (first === "[") return typed.endsWith("]") ? readFlowList(typed.slice(1, -1)) : undefined;
  return plainScalar.test(typed) ? resolvePlain(typed) : undefined;
}

/** A plain scalar by YAML's core schema, except that a number stays text unless it is in its plain form. */
export function resolvePlain(typed: string): FrontmatterValue {
  if (/^(?:true|True|TRUE)$/.test(typed)) return true;
  if (/^(?:false|False|FALSE)$/.test(typed)) return false;
  if (/^(?:~|null|Null|NULL)$/.test(typed)) return null;
  return number.test(typed) && String(Number(typed)) === typed ? Number(typed) : typed;
}

function readFlowList(inner: string): FrontmatterValue[] | undefined {
  const items: FrontmatterValue[] = [];
  if (inner.trim() === "") return items;
  for (let at = 0; ; at = flowItem.lastIndex) {
    flowItem.lastIndex = at;
    const match = flowItem.exec(inner);
    if (match === null) return undefined;
    items.push(match[1] ?? match[2] ?? resolvePlain(match[3]!.trimEnd()));
    if (match[4] === "") return items;
  }
}
