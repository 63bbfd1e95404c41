import { isContainer, type Json, type JsonObject } from "../../lib/json/index.js";
import { clip } from "../pages/nodes.js";

const maxDepth = 60;
const maxStringLength = 4_000;

/**
 * Returns a structure with only the members to print. @param key under which the structure stands; an item of a list
 * has the list's key with `[]` appended.
 */
type ViewOf = (structure: Structure, key: string) => Structure;
type Structure = JsonObject | readonly Json[];
/** @param lead text before the structure on its line. */
type StructureWriter = (structure: Structure, key: string, indent: string, lead: string, depth: number) => void;

export function createYamlPrinter(viewOf: ViewOf) {
  /** The printed text by object, then by key, position and lead. */
  const printed = new WeakMap<object, Map<string, string>>();
  /**
   * Prints a document as YAML, which is shorter than JSON and easier to read.
   * @param limit in UTF-16 code units; a longer document ends with a comment that says so.
   * @param shared objects whose text is cached for other documents that hold them at the same place.
   */
  return (value: Json, limit: number, shared: ReadonlySet<object>): string => {
    const out: string[] = [];
    let left = limit;
    const add = (text: string): void => {
      left -= text.length + 1;
      out.push(text);
    };
    const write = (value: Json, key: string, indent: string, lead: string, depth: number): void => {
      if (left <= 0) return;
      if (!isContainer(value)) {
        add(lead + scalar(value, indent));
        return;
      }
      if (shared.has(value)) writeShared(value, key, indent, lead, depth);
      else writeStructure(value, key, indent, lead, depth);
    };
    const writeShared: StructureWriter = (structure, key, indent, lead, depth) => {
      let texts = printed.get(structure);
      if (!texts) {
        texts = new Map();
        printed.set(structure, texts);
      }
      const place = JSON.stringify([key, indent, lead, depth]);
      const text = texts.get(place);
      if (text !== undefined && text.length < left) {
        add(text);
        return;
      }
      const start = out.length;
      writeStructure(structure, key, indent, lead, depth);
      if (left > 0) texts.set(place, out.slice(start).join("\n"));
    };
    const writeStructure: StructureWriter = (structure, key, indent, lead, depth) => {
      const shown = viewOf(structure, key);
      const isList = Array.isArray(shown);
      if (isEmpty(shown) || depth > maxDepth) {
        add(`${lead}${lead.endsWith(":") ? " " : ""}${isList ? "[]" : "{}"}`);
        return;
      }
      // The first member of a list item is on the line of its dash.
      let first = lead.endsWith("- ") ? lead : undefined;
      if (first === undefined && lead !== "") add(lead.trimEnd());
      const inner = `${indent}  `;
      for (const name in shown) {
        const start = first ?? indent;
        first = undefined;
        if (left <= 0) break;
        const item = (shown as JsonObject)[name]!;
        if (isList) write(item, `${key}[]`, inner, `${start}- `, depth + 1);
        else if (isContainer(item) && !isEmpty(item)) write(item, name, inner, `${start}${keyText(name)}:`, depth + 1);
        else write(item, name, inner, `${start}${keyText(name)}: `, depth + 1);
      }
    };
    write(value, "", "", "", 0);
    if (left <= 0) out.push("# … cut here: the whole document is longer.");
    return out.join("\n");
  };
}

function isEmpty(structure: Structure): boolean {
  for (const _ in structure) return false;
  return true;
}

const keyText = (key: string): string => (isPlain(key) ? key : JSON.stringify(key.toWellFormed()));

function scalar(value: Json, indent: string): string {
  if (typeof value !== "string") return JSON.stringify(value);
  const wellFormed = clip(value, maxStringLength).toWellFormed();
  if (isPlain(wellFormed)) return wellFormed;
  if (isBlock(wellFormed)) {
    const body = wellFormed.replace(/\n$/, "").split("\n");
    const lines = body.map((line) => (line === "" ? "" : indent + line));
    return `${wellFormed.endsWith("\n") ? "|" : "|-"}\n${lines.join("\n")}`;
  }
  return JSON.stringify(wellFormed);
}

/** Words with a special meaning in some versions of YAML. */
const reserved = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
const isPlain = (text: string): boolean =>
  text.length <= 120 && /^[A-Za-z$/_][\w$./(),]*(?:[ -][\w$./(),]+)*$/.test(text) && !reserved.test(text);

/** Text of several lines that a block scalar can hold unchanged. */
const isBlock = (text: string): boolean =>
  /^[^\s][^\n]*\n/.test(text) &&
  !/\n\n$/.test(text) &&
  !/[^\n\x20-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe]/.test(text);
