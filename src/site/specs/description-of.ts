import { type Json, textAt } from "../../lib/json/index.js";

/** The description of a part that may also have a summary, which comes first. */
export function descriptionOf(part: Json | undefined): string | undefined {
  const texts = ["summary", "description"].map((key) => textAt(part, key)?.trim()).filter(Boolean);
  return texts.length === 0 ? undefined : [...new Set(texts)].join("\n\n");
}
