import type { Island, ParseError } from "../../../page/content/index.js";
import { markdownLine } from "../escape.js";
import { codeSpan, quote } from "./markdown.js";

/** Empty for a component whose content is known. */
export const islandNote = ({ name, outcome }: Island): string =>
  name === undefined || outcome === "static" || outcome === "live"
    ? ""
    : `*(Interactive: ${codeSpan(name)}, shown on the page only.)*`;

export function parseErrorNote({ line, column, reason }: ParseError, sourcePath: string): string {
  const location = [sourcePath, line, column].filter((part) => part !== undefined).join(":");
  return quote(`**This page could not be read.** ${markdownLine(reason)} (${location})`);
}
