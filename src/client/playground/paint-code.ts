import { create } from "../dom.js";

const parts =
  /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)|(?<![\w-])(--[\w-]+|-[A-Z]\b)|\b(\d+(?:\.\d+)?|true|false|null)\b/g;
/** Longer texts are not highlighted. */
const maxLength = 20_000;

/** Highlights strings, numbers and command-line options in code of any language. */
export function paintCode(text: string): Node[] {
  if (text.length > maxLength) return [document.createTextNode(text)];
  const nodes: Node[] = [];
  let at = 0;
  for (const match of text.matchAll(parts)) {
    nodes.push(document.createTextNode(text.slice(at, match.index)));
    const kind = match[1] !== undefined ? "string" : match[2] !== undefined ? "option" : "number";
    nodes.push(create("span", { "data-kind": kind }, match[0]));
    at = match.index + match[0].length;
  }
  nodes.push(document.createTextNode(text.slice(at)));
  return nodes;
}
