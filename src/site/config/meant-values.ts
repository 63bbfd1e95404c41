/** What a diagnostic of the settings says to write. */
import { type JsonValue, shortened, shown } from "./json-value.js";

/** The value of the expected form that was likely meant, as JSON. */
export function meantBy(value: JsonValue, expected: string): string | undefined {
  if (value.kind === "array" && value.items.length === 1 && expected === "a text") {
    const [item] = value.items;
    return item?.kind === "string" && item.value.trim() !== "" ? shown(item) : undefined;
  }
  if (value.kind === "object") return expected === "a list" ? "[ before it and ] after it" : undefined;
  if (value.kind === "array" || value.kind === "null" || value.value === "") return undefined;
  if (expected === "a text") return shortened(JSON.stringify(String(value.value)));
  if (expected === "a list") return `[${shown(value)}]`;
  if (expected !== "true or false") return undefined;
  const word = String(value.value).trim().toLowerCase();
  return ["true", "yes", "on", "1"].includes(word)
    ? "true"
    : ["false", "no", "off", "0"].includes(word)
      ? "false"
      : undefined;
}

/** What is written for a required name, as JSON. */
export const exampleOf = (name: string): string =>
  /^(?:items|options)$/.test(name)
    ? "[ … ]"
    : name === "metatags"
      ? "{ … }"
      : /^(?:href|destination|base)$/.test(name)
        ? '"/guides/install"'
        : name === "source"
          ? '"/old/page"'
          : '"…"';

/** What to do about a name that is not allowed. */
export function nameLike(name: string, isName: (name: string) => boolean): string {
  const near = name
    .trim()
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return near !== "" && isName(near) ? `write "${near}".` : "choose another name.";
}
