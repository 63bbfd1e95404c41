import type { Citations, Output } from "./filter-output.js";

/** What the lines so far mean for the next characters. */
export interface InlineContext {
  readonly output: Output;
  readonly citations: Citations;
  /** The line may belong to a table, where `|` ends even code. */
  readonly inTable: boolean;
  /** Code with a `|` was written. */
  sawPipedCode(): void;
}

/** The input after the step. Undefined: the step needs more input to decide. */
export type Rest = string | undefined;

/** Longest text that is held back until its end; a longer one is not a link. */
const longest = 1000;

/** Writes the first element of a line's text and returns what remains. `isLast`: no more input follows. */
export function stepInline(text: string, isLast: boolean, context: InlineContext): Rest {
  const step = steps[text.charAt(0)];
  if (step) return step(text, isLast, context);
  if (/^[\w.+-]/.test(text)) return stepWord(text, isLast, context);
  const [plain = ""] = /^[^\w.+\-\\`[\]!<&【 \t\n]+/.exec(text) ?? [];
  return written(plain, text, plain.length, context);
}

const steps: Readonly<Record<string, (text: string, isLast: boolean, context: InlineContext) => Rest>> = {
  " ": stepSpace,
  "\t": stepSpace,
  "\\": stepEscape,
  "`": stepCode,
  "[": stepBracket,
  "【": stepBracket,
  "]": (text, _, context) => written("]", text, 1, context),
  "!": stepImage,
  "<": stepTag,
  "&": stepReference,
};

function written(out: string, text: string, length: number, { output }: InlineContext): string {
  output.put(out);
  return text.slice(length);
}

function skipped(text: string, length: number, { output }: InlineContext): string {
  output.skip();
  return text.slice(length);
}

/** The space before an unknown number is removed with it. */
function stepSpace(text: string, isLast: boolean, context: InlineContext): Rest {
  const [space = ""] = /^[ \t]+/.exec(text) ?? [];
  const after = text.slice(space.length);
  if (after === "" && !isLast && space.length < longest) return undefined;
  if (/^[[【]/.test(after)) {
    const citation = citationAt(after, isLast);
    if (citation === "unknown yet") return undefined;
    if (citation && !linksOf(citation.numbers, context)) return skipped(after, citation.length, context);
  }
  return written(space, text, space.length, context);
}

/**
 * `\*` stays. Of `\.`, `\:`, `\/`, `\@`, and of `\_`, `\-`, `\+` before an `@`, the character alone stays: it may be part
 * of an address. A backslash by itself becomes an escaped one.
 */
function stepEscape(text: string, isLast: boolean, context: InlineContext): Rest {
  if (!isLast && /^\\(?:[+_-]\\?)?$/.test(text)) return undefined;
  if (/^\\(?:[.:/@]|[+_-]\\?@)/.test(text)) return text.slice(1);
  const next = text[1];
  const isPair = next !== undefined && /[!-/:-@[-`{-~]/.test(next);
  return isPair
    ? written(text.slice(0, 2), text, 2, context)
    : written(next === "\n" ? "\\" : "\\\\", text, 1, context);
}

/** Code ends on its line. A backtick without a partner is escaped. */
function stepCode(text: string, isLast: boolean, context: InlineContext): Rest {
  const [run = ""] = /^`+/.exec(text) ?? [];
  const line = /^[^\n]*/.exec(text.slice(run.length))?.[0] ?? "";
  const isLineComplete = isLast || run.length + line.length < text.length || line.length > longest;
  const end = closingRun(line, run.length, isLineComplete);
  if (end === undefined && !isLineComplete) return undefined;
  const length = run.length + (end ?? 0) + run.length;
  const content = line.slice(0, end ?? 0);
  const hasPipe = content.includes("|");
  const endsBracket = context.output.isBracketOpen && content.includes("]:");
  if (end === undefined || endsBracket || (hasPipe && context.inTable))
    return written(run.replaceAll("`", "\\`"), text, run.length, context);
  if (hasPipe) context.sawPipedCode();
  return written(text.slice(0, length), text, length, context);
}

/** Where the next run of as many backticks begins. One at the end of a line that goes on may still grow. */
function closingRun(line: string, length: number, isComplete: boolean): number | undefined {
  for (const { 0: run, index } of line.matchAll(/`+/g)) {
    if (index > longest) return undefined;
    if (run.length === length && (isComplete || index + length < line.length)) return index;
  }
  return undefined;
}

/** A citation, a link, or a bracket. */
function stepBracket(text: string, isLast: boolean, context: InlineContext): Rest {
  const citation = citationAt(text, isLast);
  if (citation === "unknown yet") return undefined;
  if (citation) {
    const links = linksOf(citation.numbers, context);
    return links ? written(links, text, citation.length, context) : skipped(text, citation.length, context);
  }
  const label = /^\[([^[\]\n]{1,500})\](\(?)/.exec(text);
  if (!label && /^\[[^[\]\n]{0,500}$/.test(text) && !isLast) return undefined;
  if (!label?.[1]) return written(text.charAt(0), text, 1, context);
  const at = label[1].length + 2;
  if (text.length === at && !isLast) return undefined;
  const target = label[2] ? targetAt(text.slice(at), isLast) : { length: 0 };
  if (target === "unknown yet") return undefined;
  if (target.length === 0) return written("[", text, 1, context);
  const address = target.url === undefined ? undefined : context.citations.addressOf(target.url);
  const length = at + target.length;
  if (address !== undefined && isPlainLabel(label[1]))
    return written(`[${label[1]}](${address})`, text, length, context);
  // The text of the link is read like all text, but must not join what came before.
  context.output.skip();
  return label[1] + text.slice(length);
}

const isPlainLabel = (label: string): boolean => /^`[^`|\\]+`$/.test(label) || !/[`<&\\|!@]|:\/\/|www\./i.test(label);

interface Citation {
  readonly numbers: readonly number[];
  readonly length: number;
}

/** `[1]`, `[1, 2]`, `[^1]`, `[Passage 1]`, `【1†source】`, and the target that a model may write after it. */
function citationAt(text: string, isLast: boolean): Citation | "unknown yet" | undefined {
  const found = citation.exec(text);
  if (!found) return isLast || !/^(?:\[[^[\]\n]{0,60}|【[^【】\n]{0,60})$/.test(text) ? undefined : "unknown yet";
  const [all, listed, single] = found;
  const numbers = (listed ?? single ?? "").match(/\d+/g)?.map(Number) ?? [];
  if (text.length === all.length && !isLast) return "unknown yet";
  const target = text.charAt(all.length) === "(" ? targetAt(text.slice(all.length), isLast) : { length: 0 };
  if (target === "unknown yet") return "unknown yet";
  return { numbers, length: all.length + target.length };
}
const citation =
  /^(?:\[(?:\^|(?:passages?|sources?)[ \t])?[ \t]*(\d{1,3}(?:[ \t]*[,;][ \t]*\d{1,3}){0,9})[ \t]*\]|【(\d{1,3})(?:†[^【】\n]{0,50})?】)/i;

const linksOf = (numbers: readonly number[], { citations }: InlineContext): string =>
  [...new Set(numbers)].flatMap((number) => citations.linkTo(number) ?? []).join("");

interface LinkTarget {
  /** 0: this is no target. */
  readonly length: number;
  readonly url?: string;
}

/** Reads the parentheses after the text of a link. */
function targetAt(text: string, isLast: boolean): LinkTarget | "unknown yet" {
  let depth = 0;
  for (let at = 0; at < text.length && at < longest; at++) {
    const char = text[at];
    if (char === "\n") return { length: 0 };
    if (char === "(") depth++;
    if (char !== ")" || --depth > 0) continue;
    const url = /^[ \t]*<?([^\s<>]*)>?(?:[ \t]+["'(].*)?[ \t]*$/.exec(text.slice(1, at))?.[1];
    return url === undefined ? { length: 0 } : { length: at + 1, url };
  }
  return isLast || text.length >= longest ? { length: 0 } : "unknown yet";
}

/** An image becomes its text. The mark before a citation stays. */
function stepImage(text: string, isLast: boolean, context: InlineContext): Rest {
  if (!isLast && (text.length === 1 || text === "![" || text === "![^")) return undefined;
  const isImage = text.startsWith("![") && !/^!\[\^?\d/.test(text);
  return isImage ? skipped(text, 1, context) : written("!", text, 1, context);
}

/** Comments and the tags of HTML are left out. Another `<` is text. */
function stepTag(text: string, isLast: boolean, context: InlineContext): Rest {
  if (text.length === 1 && !isLast) return undefined;
  // `<~@host.example>` is an address of mail: nearly every character may begin one.
  if (!/^<[a-z/!?]/i.test(text)) return written(/^<\S/.test(text) ? "\\<" : "<", text, 1, context);
  const tag = /^<\/?([a-z][\w-]*)(?:[ \t/][^<>\n]{0,160})?>/i.exec(text);
  if (tag?.[1] && isElement.test(tag[1])) return skipped(text, tag[0].length, context);
  const address = /^<([a-z][\w+.-]{0,30}:[^\s<>]{0,500})>/i.exec(text);
  if (address) return `${address[1]} ${text.slice(address[0].length)}`;
  const comment = /^<!--[^\n]{0,500}?-->/.exec(text);
  if (comment) return skipped(text, comment[0].length, context);
  const mayEnd = /^(?:<\/?(?:[a-z][^<>\n]{0,200})?|<!(?:-|--[^\n]{0,502})?)$/i.test(text);
  return mayEnd && !isLast ? undefined : written("\\<", text, 1, context);
}
const isElement =
  /^(?:a|abbr|audio|b|blockquote|br|button|canvas|center|code|dd|del|details|div|dl|dt|em|embed|figcaption|figure|font|form|h[1-6]|hr|html|body|head|i|iframe|img|input|ins|kbd|li|link|mark|math|meta|object|ol|p|picture|pre|q|s|samp|script|small|source|span|strike|strong|style|sub|summary|sup|svg|table|tbody|td|textarea|tfoot|th|thead|title|tr|u|ul|var|video|(?:passage|contents|selection|earlier)-[0-9a-f]+)$/i;

/** A character reference is text, since it could write an address. */
function stepReference(text: string, isLast: boolean, context: InlineContext): Rest {
  const reference = /^&(?:#\d{1,8}|#x[0-9a-f]{1,7}|[a-z][a-z0-9]{0,31});/i.exec(text);
  if (!reference && !isLast && /^&(?:#x?[0-9a-f]{0,8}|[a-z][a-z0-9]{0,31})?$/i.test(text)) return undefined;
  const isHarmless = !reference || /^&(?:lt|gt|amp|quot|nbsp);$/i.test(reference[0]);
  return written(isHarmless ? "&" : "\\&", text, 1, context);
}

/** A word or an address. Renderers make links of `https://…`, `www.…` and `name@host.example`. */
function stepWord(text: string, isLast: boolean, context: InlineContext): Rest {
  const [word = ""] = /^[\w.+-]+/.exec(text) ?? [];
  if (word.length > longest) return code(word.slice(0, longest), text, context);
  if (word.length === text.length && !isLast) return undefined;
  const after = /^(?:@[\w.-]*|:\/{0,2})?/.exec(text.slice(word.length))?.[0] ?? "";
  const at = word.length + after.length;
  // The escape of a character that could go on with an address.
  if (text[at] === "\\" && (text[at + 1] === undefined ? !isLast : /[.:/@]/.test(text[at + 1]!)))
    return text[at + 1] === undefined ? undefined : text.slice(0, at) + text.slice(at + 1);
  // Some renderers also link `name@.example`.
  const isMail = after.startsWith("@") && /\w/.test(after.slice(after.indexOf(".") + 1 || after.length));
  const isAddress = after === "://" || /www\./i.test(word);
  if (at === text.length && !isLast && after.length <= longest) return undefined;
  if (isMail) return code((word + after).replace(/[.-]+$/, ""), text, context);
  if (!isAddress) return written(word, text, word.length, context);
  const [found = ""] = /^[^\s<>`|\\[\]"【】]+/.exec(text) ?? [];
  if (found.length === text.length && !isLast && found.length < longest) return undefined;
  const address = found.slice(0, longest).replace(found.includes("(") ? /[.,;:!?*_~']+$/ : /[.,;:!?*_~')]+$/, "");
  const href = /^[\w./:#?=&%-]+$/.test(address) ? context.citations.addressOf(address) : undefined;
  return href === undefined
    ? code(address, text, context)
    : written(`[${address}](${href})`, text, address.length, context);
}

/** As code: readable, but not a link. */
const code = (address: string, text: string, context: InlineContext): string =>
  written(`\`${address}\``, text, address.length, context);
