/** Finds what is wrong inside a tag that the Markdown parser does not accept, and says what to type instead. */
import { lengthOnLine } from "../../lib/diagnostic/index.js";
import { parseExpression } from "./estree.js";
import { skipBraces } from "./skip-code.js";

export interface TagFault {
  readonly what: string;
  readonly fix: string;
  readonly offset: number;
  readonly length: number;
}

const tagName = /<[A-Za-z][\w.:-]*/y;
const blank = /\s*/y;
const attributeName = /[A-Za-z_$][\w$:.-]*/y;
const equals = /\s*=\s*/y;
const unquoted = /(?:[^\s>/"'{]|\/(?!\s*>))+/y;
const curly = /[“”„‟‘’«»]([^“”„‟‘’«»\n]*)[“”„‟‘’«»]?/y;
const maxTagChars = 10_000;

/**
 * The first fault in the tag that opens at `at`; undefined if there is none, or if it does not look like a tag.
 *
 * @param isOpen whether the parser has not found the end of the tag: a quote that closes after a `>` is missing before it.
 */
export function findTagFault(source: string, at: number, isOpen = false): TagFault | undefined {
  const tag = source.slice(at, at + maxTagChars);
  const take = (pattern: RegExp, from: number): RegExpExecArray | null => {
    pattern.lastIndex = from;
    return pattern.exec(tag);
  };
  const fault = (what: string, fix: string, offset: number, length: number): TagFault => ({
    what,
    fix,
    offset: at + offset,
    length: lengthOnLine(tag, offset, length),
  });
  let next = take(tagName, 0)?.[0].length;
  if (next === undefined) return undefined;
  for (let count = 0; ; ) {
    next += take(blank, next)![0].length;
    if (tag[next] === "," && count > 0) return fault("A comma is between attributes.", "remove the comma.", next, 1);
    if (tag[next] === "{") {
      const end = skipBraces(tag, next);
      if (end === undefined) return undefined;
      next = end;
      continue;
    }
    const name = take(attributeName, next)?.[0];
    if (name === undefined) return undefined;
    const nameAt = next;
    next += name.length;
    count++;
    const sign = take(equals, next);
    if (sign === null) continue;
    next += sign[0].length;
    const quote = tag[next];
    if (quote === '"' || quote === "'") {
      const end = tag.indexOf(quote, next + 1);
      const value = tag.slice(next + 1, end === -1 ? undefined : end);
      if (end === -1 || (isOpen && value.includes(">"))) {
        const typed = /^[^>\n]*/.exec(value)![0].replace(/\s*\/?$/, "");
        const what = `The value of "${name}" has no closing ${quote}.`;
        return fault(what, `write ${name}=${quote}${typed}${quote}.`, next, typed.length + 1);
      }
      next = end + 1;
    } else if (quote === "{") {
      const end = skipBraces(tag, next);
      const typed = (end === undefined ? /^\{[^{}<>\n]*/.exec(tag.slice(next))![0] : tag.slice(next, end)).trimEnd();
      if (end === undefined) {
        const what = `The { of "${name}" has no closing }.`;
        return fault(what, `write ${name}=${typed}}.`, next, typed.length);
      }
      const code = typed.slice(1, -1);
      if (parseExpression(code).kind === "fault") {
        const what = `The value of "${name}" is not a JavaScript expression.`;
        return fault(what, adviceFor(name, code.trim()), next, typed.length);
      }
      next = end;
    } else {
      const inCurly = take(curly, next);
      if (inCurly) {
        const what = `The quotes of "${name}" are typographic ones, which code does not know.`;
        return fault(what, `write ${name}="${inCurly[1]}".`, next, inCurly[0].length);
      }
      const typed = take(unquoted, next)?.[0];
      if (typed === undefined)
        return fault(`"${name}" has no value.`, `write ${name}="…", or ${name} alone.`, nameAt, next - nameAt);
      const value = /^(?:-?\d+(?:\.\d+)?|true|false)$/.test(typed) ? `{${typed}}` : `"${typed}"`;
      return fault(`The value of "${name}" has no quotes.`, `write ${name}=${value}.`, next, typed.length);
    }
  }
}

/** A text where code should be was mostly meant as a text. */
const adviceFor = (name: string, text: string): string =>
  /["{}\n]/.test(text) || text.length > 100
    ? `correct it, or write a text as ${name}="…".`
    : `write ${name}="${text}" for a text.`;
