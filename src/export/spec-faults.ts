import type { Diagnostic, Location } from "../lib/diagnostic/index.js";
import { positionFinder } from "../lib/diagnostic/index.js";

/** Texts that precede the address of a link or an image, in Markdown, in HTML, and in HTML within JSON. */
const openings = ["(", "(<", '="', '=\\"', "='", "]: "];

/**
 * A fault in a description of an API is found on every page that shows the description. It becomes one fault, at the place in
 * the specification where its text is written, with the number of those pages. Other faults stay as they are.
 *
 * @param specs paths of the specifications.
 * @param readText returns a file of the site; undefined if it cannot be read.
 */
export function mergeSpecFaults(
  diagnostics: readonly Diagnostic[],
  specs: ReadonlySet<string>,
  readText: (sourcePath: string) => string | undefined,
): Diagnostic[] {
  const groups = new Map<string, Diagnostic[]>();
  const others: Diagnostic[] = [];
  for (const each of diagnostics) {
    if (!specs.has(each.location?.sourcePath ?? "")) others.push(each);
    else {
      const key = JSON.stringify([each.code, each.what, each.fix, each.location!.sourcePath]);
      const group = groups.get(key);
      if (group) group.push(each);
      else groups.set(key, [each]);
    }
  }
  const placeIn = createPlacer(readText);
  const merged = [...groups.values()].map((group) => {
    const [first] = group as [Diagnostic];
    const count = new Set(group.map(({ location }) => `${location!.line}:${location!.column}`)).size;
    const what = count < 2 ? first.what : `${first.what} ${count} pages of the API show it.`;
    return { ...first, what, location: placeIn(first) };
  });
  return [...others, ...merged];
}

/** Finds the text that a fault quotes. */
function createPlacer(readText: (sourcePath: string) => string | undefined) {
  const files = new Map<string, { readonly text: string; readonly positionOf: ReturnType<typeof positionFinder> }>();
  const open = (path: string) => {
    const known = files.get(path);
    if (known) return known;
    const text = readText(path) ?? "";
    const file = { text, positionOf: positionFinder(text) };
    files.set(path, file);
    return file;
  };
  return ({ what, location }: Diagnostic): Location | undefined => {
    const name = /"([^"\n]+)"/.exec(what)?.[1];
    if (name === undefined || name.endsWith("…")) return location;
    const { text, positionOf } = open(location!.sourcePath);
    const places = openings.flatMap((opening) => {
      const at = text.indexOf(opening + name);
      return at < 0 ? [] : [at + opening.length];
    });
    if (places.length === 0) return location;
    return { sourcePath: location!.sourcePath, ...positionOf(Math.min(...places)), length: name.length };
  };
}
