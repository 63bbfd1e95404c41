import { type LikelyName, likelyName } from "../../../lib/diagnostic/index.js";
import type { YamlFault } from "../../../lib/yaml/yaml-advice.js";
import type { Frontmatter } from "../../../site/site.js";
import keys from "./keys.json" with { type: "json" };

const words = (lines: string | readonly string[]): string[] => [lines].flat().flatMap((line) => line.split(" "));

/** Keys that are read, as written in pages; case is ignored. The schema of front matter lists them. */
export const frontmatterKeys = words(keys.read);
/** Further names of the vocabularies of link previews. They go into the head as written, like any name with such a prefix. */
const socialKeys = words(keys.previews);
const knownLower = new Set([...frontmatterKeys, ...socialKeys].map((key) => key.toLowerCase()));
/** Common names of a site's own data, which only look like misspellings. */
const siteKeys = new Set(words(keys.ofSites));
/** Keys of other tools that authors expect to work: what is wrong, and what to write. */
const otherToolKeys = keys.ofOtherTools as Readonly<Record<string, readonly string[]>>;
/** Keys whose value is a text. */
const texts = new Set(words(keys.texts));
/** Keys whose value is true or false. */
const flags = new Set(words(keys.flags));
const usualNames = new Map(frontmatterKeys.map((key) => [key.toLowerCase(), key]));

/**
 * Gives each key that is read its usual spelling, and each flag in quotes its boolean. If a key is there in two spellings,
 * the usual one wins.
 */
export function withUsualNames(frontmatter: Frontmatter): Frontmatter {
  const usual: Record<string, Frontmatter[string]> = {};
  for (const [written, value] of Object.entries(frontmatter)) {
    const lower = written.toLowerCase();
    const name = usualNames.get(lower) ?? written;
    if (name !== written && (Object.hasOwn(frontmatter, name) || Object.hasOwn(usual, name))) continue;
    const isWord = flags.has(lower) && typeof value === "string" && /^(?:true|false)$/i.test(value.trim());
    usual[name] = isWord ? /true/i.test(value) : value;
  }
  return usual;
}

/** The values of keys that have only a few. */
const choices: Readonly<Record<string, string>> = keys.choices;
const methods = "get post put patch delete head options trace connect ws wss".split(" ");
const titleMarks =
  /\*\*([^*]+)\*\*|`([^`]+)`|\[([^[\]]+)\]\([^)\s]+\)|<(?:b|i|em|strong|code|br|span|sup|sub)\b[^<>]*>(?:([^<]*))?/i;
/** Quotes are needed where YAML would read more than a text. */
const asValue = (text: string): string => (/^[\w][^:#"]*$/.test(text) ? text : JSON.stringify(text));
const endpoint = /^[a-z]+\s+\S+$/i;

/** Reports values that do not have the form that their key needs. Only a title may not be empty. */
export const misreadValues = (frontmatter: Frontmatter, text: string): YamlFault[] =>
  Object.entries(frontmatter).flatMap(([key, value]) => {
    const lower = key.toLowerCase();
    const [line, lead, typed] = keyLine(key, text);
    const isCut =
      /^(?:title|description|sidebartitle)$/.test(lower) && /^[^"'|>#].*? #\S/.test(typed) && typeof value === "string";
    const isMarked = texts.has(lower) && (value === null ? /^[*&!]\S/ : /^[&!]\S* \S/).test(typed);
    const items = typed === "" && typeof value === "string" && /^-[^\s-]/.test(value) ? value.slice(1).split(" -") : [];
    const fault =
      items.length > 0
        ? { what: "is read as one text, because no space follows the -", right: `[${items.map(asValue).join(", ")}]` }
        : isMarked
          ? { what: `starts with ${typed[0]}, which has a special meaning in YAML`, right: JSON.stringify(typed) }
          : isCut
            ? { what: `ends before the #, which starts a comment in YAML`, right: JSON.stringify(typed) }
            : faultOf(lower, value);
    if (fault === undefined) return [];
    const [offset, length] = typed === "" ? [line, key.length] : [line + lead.length, typed.length];
    const asText = /^[^"\\\n]+$/.test(typed) ? `"${typed}"` : undefined;
    const right = fault.right ?? asText;
    const fix = right === undefined ? `write a string: ${key}: "…"` : `write ${key}: ${right}`;
    return { code: "FRONTMATTER_NOT_A_TEXT", what: `The value of "${key}" ${fault.what}.`, offset, length, fix };
  });

/** @param key in lower case. `right` is what to write. */
function faultOf(
  key: string,
  value: Frontmatter[string],
): { readonly what: string; readonly right?: string } | undefined {
  const isIcon = key === "icon" && !Array.isArray(value);
  if (texts.has(key) && typeof value === "object" && (value !== null || key === "title") && !isIcon) {
    const kind = value === null ? "empty" : Array.isArray(value) ? "a list in YAML" : "an object in YAML";
    const first = Array.isArray(value) && key !== "title" && key !== "description" ? value[0] : undefined;
    return { what: `is ${kind}, so it is ignored`, ...(typeof first === "string" && { right: asValue(first) }) };
  }
  if (key === "icon" && (typeof value === "number" || typeof value === "boolean"))
    return { what: `is ${value} in YAML, not the name of an icon, so it is ignored`, right: "rocket" };
  if (value === true && texts.has(key) && !/^(?:sidebar)?title$|^description$/.test(key))
    return { what: "is true in YAML, so it is ignored" };
  if (typeof value !== "string" || value.trim() === "") return undefined;
  const word = value.trim().toLowerCase();
  const [, quoted] = (texts.has(key) && /^[“”„«‘]([^“”„«»‘’"\\]+)[“”»’]$/.exec(value)) || [];
  if (quoted !== undefined) return { what: "is in typographic quotes, which appear on the page", right: `"${quoted}"` };
  if (flags.has(key) && word !== "true" && word !== "false")
    return {
      what: "is neither true nor false, so it is ignored",
      right: /^(?:no|off|n|0)$/.test(word) ? "false" : "true",
    };
  const words = Object.hasOwn(choices, key) ? choices[key]!.split(" ") : undefined;
  if (words && !words.includes(value.trim()))
    return {
      what: `is none of ${words.join(", ")}, so it is ignored`,
      right: likelyName(value, words)?.name ?? (key === "mode" && /full|wide/.test(word) ? "wide" : words[0]!),
    };
  if (key === "lastupdateddate" && !/^\d{4}-\d\d-\d\d/.test(word)) {
    const [, day, month, year] = /^(\d\d?)\.(\d\d?)\.(\d{4})$/.exec(word) ?? [];
    const parsed = /^[a-z]/.test(word) ? Date.parse(`${word} UTC`) : Number.NaN;
    const date = year ? `${year}-${month!.padStart(2, "0")}-${day!.padStart(2, "0")}` : undefined;
    const right = Number.isNaN(parsed) ? (date ?? "YYYY-MM-DD") : new Date(parsed).toISOString().slice(0, 10);
    return { what: "does not start with a date such as 2026-01-31, so it is ignored", right };
  }
  if (key === "boost") return { what: "is not a number, so it is ignored", right: "2" };
  if (key === "canonical" && value.startsWith("/"))
    return { what: "is a path, so it is ignored", right: `https://docs.example.com${value.trim()}` };
  if (key === "url" && /^(?:\.|[\w-]+(?:\/|$))/.test(value) && !/^[\w-]+:/.test(value))
    return { what: "is neither a URL nor a path that starts with a slash", right: `/${value.replace(/^[./]+/, "")}` };
  if ((key === "url" || key === "canonical") && !/^(?:\/|#|(?!ht\w*:\/\/)[a-z][\w+.-]*:|https?:\/\/)/i.test(value))
    return {
      what: 'is not a URL, since it does not start with "https://"',
      right: `https://${value.replace(/^[a-z]*:?\/+/i, "")}`,
    };
  const mark = /^(?:title|sidebartitle)$/.test(key) && titleMarks.exec(value);
  if (mark) {
    const plain = value.replace(new RegExp(titleMarks, "gi"), "$1$2$3$4").replace(/<\/?[a-z]+>/gi, "");
    return {
      what: `contains ${mark[4] === undefined ? "Markdown" : "HTML"}, which titles show as typed`,
      right: asValue(plain),
    };
  }
  const method = /^([a-z]+)\s+\S/i.exec(value)?.[1]?.toLowerCase();
  if (key === "api" && method !== undefined && !methods.includes(method))
    return {
      what: `starts with "${method.toUpperCase()}", which is no HTTP method`,
      right: (likelyName(method, methods)?.name ?? "get").toUpperCase() + value.trim().slice(method.length),
    };
  if (key === "api" && !endpoint.test(value.trim()))
    return {
      what: "has no method and path, so the page shows no endpoint",
      right: value
        .replace(
          /^\s*(?:(get|post|put|patch|delete|head|options)\s*:?\s*)?(?=\S)/i,
          (_, method = "GET") => `${method} `,
        )
        .trim()
        .replace(/^(\S+ \S+) .*$/s, "$1"),
    };
  return undefined;
}

/** The offset of a key's line, the text before its value, and the value as typed. */
function keyLine(key: string, text: string): readonly [offset: number, lead: string, typed: string] {
  const line = new RegExp(`^(["']?${key.replace(/\W/g, "\\$&")}["']?[ \\t]*:[ \\t]*)(.*?)[ \\t\\r]*$`, "m").exec(text);
  return line ? [line.index, line[1]!, line[2]!] : [0, "", ""];
}

/** Reports keys that are not read although the author expects it. */
export function misleadingKeys(frontmatter: Frontmatter, text: string): YamlFault[] {
  const faults: YamlFault[] = [];
  for (const key of Object.keys(frontmatter)) {
    const lower = key.toLowerCase();
    const isSecond = key === "api" && typeof frontmatter["openapi"] === "string";
    // Authors write // before a line to leave it out.
    const usual = usualNames.get(lower) ?? key;
    const isTwice = usual !== key && Object.hasOwn(frontmatter, usual);
    if (!isSecond && !isTwice && (knownLower.has(lower) || siteKeys.has(lower) || key.startsWith("//"))) continue;
    const twice = [`is ignored, since "${usual}" is there, too`, "remove one of the two lines.", undefined] as const;
    const [what, fix, near] = isSecond ? secondEndpoint : isTwice ? twice : (adviceFor(key) ?? []);
    if (what === undefined || fix === undefined) continue;
    const [offset, lead] = keyLine(key, text);
    const start = offset + (/["']/.test(text[offset]!) ? 1 : 0);
    const isFree = near !== undefined && lead !== "" && !Object.hasOwn(frontmatter, near.name);
    faults.push({
      code: "FRONTMATTER_KEY_UNKNOWN",
      what: `The front matter key "${key}" ${what}.`,
      offset,
      length: key.length,
      fix,
      cause: key,
      ...(isFree && { edits: [{ start, end: start + key.length, replacement: near.name, certain: near.certain }] }),
    });
  }
  return faults;
}

const secondEndpoint = [
  'is ignored, since "openapi" already names an endpoint',
  'remove "api", or remove "openapi".',
  undefined,
] as const;

function adviceFor(key: string): readonly [what: string, fix: string, near?: LikelyName] | undefined {
  if (Object.hasOwn(otherToolKeys, key)) return otherToolKeys[key] as [string, string];
  const [prefix = ""] = /^(?:og|twitter|article|fb):/i.exec(key) ?? [];
  const names = [...frontmatterKeys, ...socialKeys].filter((name) => name.startsWith(prefix.toLowerCase()));
  const rests = names.map((name) => name.slice(prefix.length));
  const near = likelyName(key.slice(prefix.length), rests);
  // "versionTo" is a name of the site's own, not a misspelt "version".
  if (near === undefined || (!near.certain && /^[A-Z_-]/.test(key.slice(prefix.length + near.name.length))))
    return undefined;
  const name = prefix.toLowerCase() + near.name;
  const what = prefix === "" ? "is not read" : "is not a name that link previews have";
  return [what, `write ${name}.`, { ...near, name }];
}
