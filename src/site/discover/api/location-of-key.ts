import { type Location, positionAt } from "../../../lib/diagnostic/index.js";

/** Where the value of a front matter key was written, found without parsing. */
export function locationOfKey(sourcePath: string, text: string, key: string): Location {
  const line = new RegExp(`^[ \\t]*["']?${key}["']?[ \\t]*:[ \\t]*([^\\r\\n]*)`, "im").exec(
    text.slice(0, longestBlock),
  );
  if (!line) return { sourcePath };
  const value = line[1]!.trimEnd();
  // A value on the lines below is at its key.
  const shown = value === "" ? line[0].trim() : value;
  const offset = line.index + line[0].indexOf(shown, value === "" ? 0 : line[0].length - line[1]!.length);
  return { sourcePath, ...positionAt(text, offset), length: Math.max(1, shown.length) };
}

const longestBlock = 64 * 1024;
