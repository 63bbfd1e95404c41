import { type LikelyName, likelyName } from "../../../lib/diagnostic/index.js";
import type { YamlFault } from "../../../lib/yaml/yaml-advice.js";
import type { Frontmatter } from "../../../site/site.js";

/** Keys that mean something, as written in pages; case is ignored. The schema of front matter has them. */
export const frontmatterKeys = [
  "title description sidebarTitle icon iconType tag deprecated mode hidden noindex searchable boost keywords url draft",
  "openapi openapi-schema asyncapi graphql arazzo sdk api authMethod auth playground hideApiMarker version contentType groups",
  "public isPublic rss timestamp lastUpdatedDate createdDate authors hideFooterPagination related contextual canonical",
  "robots og:title og:description og:image og:url og:type og:image:width og:image:height twitter:title",
  "twitter:description twitter:image twitter:card twitter:site twitter:image:width twitter:image:height",
].flatMap((line) => line.split(" "));
const knownLower = new Set(frontmatterKeys.map((key) => key.toLowerCase()));
/** A site's own data: common names that only look like misspellings. */
const ofSites = new Set("author date name tags type".split(" "));

/** Keys of other tools that writers expect to work. */
const ofOtherTools: Readonly<Record<string, readonly [what: string, fix: string]>> = {
  slug: [
    "does not change the page's address, which comes from the path of its file",
    "rename the file, and add a redirect from the old address to docs.json.",
  ],
  permalink: [
    "does not change the page's address, which comes from the path of its file",
    "rename the file, and add a redirect from the old address to docs.json.",
  ],
  sidebar_label: ["is not read", "write sidebarTitle."],
  sidebar_position: ["is not read: docs.json gives the order of pages", "list the page at its place in docs.json."],
};

/** Keys whose value is a text. */
const texts = new Set("title sidebartitle description tag icontype mode url".split(" "));

/** Texts that YAML reads as an object, a list or nothing: `title: {name}`. An empty text is only missed as a title. */
export function misreadTexts(frontmatter: Frontmatter, text: string): YamlFault[] {
  return Object.entries(frontmatter).flatMap(([key, value]) => {
    const lower = key.toLowerCase();
    if (!texts.has(lower) || typeof value !== "object" || (value === null && lower !== "title")) return [];
    const kind = value === null ? "empty" : Array.isArray(value) ? "a list in YAML" : "an object in YAML";
    const [line, lead, typed] = lineOf(key, text);
    const [offset, length] = typed === "" ? [line, key.length] : [line + lead.length, typed.length];
    const fix = /^[^"\\\n]+$/.test(typed) ? `write ${key}: "${typed}"` : `write a text: ${key}: "…"`;
    return {
      code: "FRONTMATTER_NOT_A_TEXT",
      what: `The value of "${key}" is ${kind}, so it is ignored.`,
      offset,
      length,
      fix,
    };
  });
}

/** Where the line of a key begins, what is before its value, and the value as typed. */
function lineOf(key: string, text: string): readonly [offset: number, lead: string, typed: string] {
  const line = new RegExp(`^(["']?${key.replace(/\W/g, "\\$&")}["']?[ \\t]*:[ \\t]*)(.*?)[ \\t\\r]*$`, "m").exec(text);
  return line ? [line.index, line[1]!, line[2]!] : [0, "", ""];
}

/** Keys that are not read but that the writer expects to be read. */
export function misleadingKeys(frontmatter: Frontmatter, text: string): YamlFault[] {
  const faults: YamlFault[] = [];
  for (const key of Object.keys(frontmatter)) {
    const lower = key.toLowerCase();
    if (knownLower.has(lower) || ofSites.has(lower)) continue;
    const [what, fix, near] = adviceFor(key) ?? [];
    if (what === undefined || fix === undefined) continue;
    const [offset, lead] = lineOf(key, text);
    const start = offset + (/["']/.test(text[offset]!) ? 1 : 0);
    const isFree = near !== undefined && lead !== "" && !Object.hasOwn(frontmatter, near.name);
    faults.push({
      code: "FRONTMATTER_KEY_UNKNOWN",
      what: `The front matter key "${key}" ${what}.`,
      offset,
      length: key.length,
      fix,
      ...(isFree && { edits: [{ start, end: start + key.length, replacement: near.name, certain: near.certain }] }),
    });
  }
  return faults;
}

function adviceFor(key: string): readonly [what: string, fix: string, near?: LikelyName] | undefined {
  if (Object.hasOwn(ofOtherTools, key)) return ofOtherTools[key];
  const near = likelyName(key, frontmatterKeys);
  return near && ["is not read", `write ${near.name}.`, near];
}
