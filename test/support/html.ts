import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parse, type DefaultTreeAdapterTypes as Tree } from "parse5";

/** A parsed document, as a browser would read the emitted bytes. */
export interface ParsedDocument {
  readonly html: string;
  readonly elements: readonly Tree.Element[];
  /** Text outside `pre`, `code`, `script`, `style` and `svg`. */
  readonly prose: string;
}

export function parseDocument(html: string): ParsedDocument {
  const elements: Tree.Element[] = [];
  const prose: string[] = [];
  const walk = (node: Tree.Node, quiet: boolean): void => {
    if (node.nodeName === "#text") {
      if (!quiet) prose.push((node as Tree.TextNode).value);
      return;
    }
    if ("tagName" in node) elements.push(node);
    const below = quiet || ["pre", "code", "script", "style", "svg", "math"].includes(node.nodeName);
    if ("childNodes" in node) for (const child of node.childNodes) walk(child, below);
    if (node.nodeName === "template") walk((node as Tree.Template).content, below);
  };
  walk(parse(html), false);
  return { html, elements, prose: prose.join(" ") };
}

export function readDocument(bundle: string, outputPath: string): ParsedDocument {
  return parseDocument(readFileSync(join(bundle, outputPath), "utf8"));
}

export function attribute(element: Tree.Element, name: string): string | undefined {
  return element.attrs.find((each) => each.name === name)?.value;
}

/** Files of the bundle that a document refers to, each with the reference as written. */
export function localTargets(document: ParsedDocument, outputPath: string): { reference: string; path: string }[] {
  const found: { reference: string; path: string }[] = [];
  for (const element of document.elements)
    for (const name of ["href", "src", "poster"]) {
      const reference = attribute(element, name);
      if (reference === undefined || reference.startsWith("#") || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(reference))
        continue;
      const path = reference.replace(/[?#].*$/s, "");
      if (path !== "") found.push({ reference, path: posix.join(posix.dirname(outputPath), decodeURIComponent(path)) });
    }
  return found;
}
