import { isContainer, type Json } from "../../lib/json/index.js";
import { clip } from "../pages/nodes.js";
import { unicode, unseen } from "./languages/text.js";

/** Length limit of a sample, in UTF-16 code units; a longer one has `"…"` where something is missing. */
export const maxSampleLength = 20_000;
const maxDepth = 40;
/** A string keeps at least this much, whatever is left of the limit. */
const minStringLength = 2_000;
/** Arrays of short values stay on one line. */
const maxLineLength = 60;

/** JSON with two blanks a level; still valid JSON if it is cut. */
export function printJson(value: Json, limit: number = maxSampleLength): string {
  let left = limit;
  const quoted = (text: string): string => escaped(clip(text, Math.max(left, minStringLength)));
  const take = (text: string): string => {
    left -= text.length;
    return text;
  };
  const print = (part: Json, indent: string): string => {
    if (typeof part === "string") return take(quoted(part));
    if (!isContainer(part)) return take(JSON.stringify(part));
    const entries = Array.isArray(part) ? part.map((item) => ["", item] as const) : Object.entries(part);
    const [open, close] = Array.isArray(part) ? "[]" : "{}";
    if (entries.length === 0) return take(`${open}${close}`);
    if (indent.length / 2 >= maxDepth) return take('"…"');
    const line = Array.isArray(part) ? onOneLine(part) : undefined;
    if (line !== undefined) return take(line);
    const inner = `${indent}  `;
    const lines: string[] = [];
    for (const [key, item] of entries) {
      const label = Array.isArray(part) ? "" : `${take(quoted(key))}: `;
      if (left <= 0) {
        lines.push(Array.isArray(part) ? `${inner}"…"` : `${inner}"…": "…"`);
        break;
      }
      take(inner);
      lines.push(`${inner}${label}${print(item as Json, inner)}`);
    }
    return `${open}\n${lines.join(",\n")}\n${indent}${close}`;
  };
  return print(value, "");
}

function onOneLine(values: readonly Json[]): string | undefined {
  if (values.length > maxLineLength / 3 || values.some(isContainer)) return undefined;
  if (values.some((value) => typeof value === "string" && value.length > maxLineLength)) return undefined;
  const line = `[${values.map((value) => (typeof value === "string" ? escaped(value) : JSON.stringify(value))).join(", ")}]`;
  return line.length <= maxLineLength ? line : undefined;
}

/** Escapes invisible characters. */
const escaped = (text: string): string =>
  JSON.stringify(text).replace(unseen, (char) => unicode(char.charCodeAt(0).toString(16)));
