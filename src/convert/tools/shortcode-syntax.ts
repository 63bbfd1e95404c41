/** Shortcodes of Hugo: `{{< name a="b" >}} … {{< /name >}}`, also with `%`. Those without a rule become components. */
import { block, codeSpans, indentOf, type Line, linesOf, type PageText, textOfLines } from "../page-text.js";
import { attribute, type BlockTags, element, noTags } from "../steps/blocks.js";
import { fenced } from "../steps/parts.js";

export interface Shortcode {
  readonly name: string;
  /** By name, and by position from "0". */
  readonly args: Readonly<Record<string, string>>;
  /** It has an end. */
  readonly isPaired: boolean;
  readonly line: number;
  /** In a tag of HTML, which can hold no component: `<a {{% button %}} href="a">`. */
  readonly isInTag: boolean;
  /** In code, which can hold no component either. */
  readonly isInCode: boolean;
  readonly typed: string;
}

/** What a shortcode becomes: text on its line, a block around its content, or a code block with its content. */
export type Replacement = { readonly text: string } | BlockTags | CodeContent;

interface CodeContent {
  readonly info: string;
  /** Around the code. Content that contains a code block is then text. */
  readonly around?: BlockTags;
  readonly isHidden?: true;
}

const shortcode =
  /\{\{([<%])(\/\*)?\s*(\/?)\s*([\w./-]+)((?:\s+(?:[\w.-]+\s*=\s*)?(?:"(?:[^"\\]|\\.)*"|`[^`]*`|[^\s"`{}>%/]+(?:\/[^\s"`{}>%]+)*))*)\s*(\/?)\s*(?:\*\/)?[>%]\}\}/g;

export function shortcodes(lines: PageText, replace: (code: Shortcode) => Replacement): PageText {
  const closed = new Set([...textOfLines(lines).matchAll(/\{\{[<%]\s*\/\s*([\w./-]+)/g)].map(([, name]) => name!));
  const out: Line[] = [];
  const open: {
    readonly name: string;
    readonly tags?: BlockTags;
    readonly code?: CodeContent & { readonly line: number };
  }[] = [];
  /** The end tags of the components that are in the middle of a line. */
  const inline = new Map<string, string>();
  let raw: string[] = [];
  const lineOfCode = (): boolean => open.at(-1)?.code !== undefined;

  const emit = (line: Line, text: string): void => {
    if (lineOfCode()) raw.push(text);
    else if (text.trim() !== "" || line.text.trim() === "") out.push(text === line.text ? line : { ...line, text });
  };
  const end = (name: string, indent: string, line: number): void => {
    const at = open.findLastIndex((code) => code.name === name);
    while (at >= 0 && open.length > at) {
      const { tags, code } = open.pop()!;
      if (code !== undefined) {
        const text = raw.join("\n").replace(/^(?:[ \t]*\n)+|\s+$/g, "");
        const hasFences = (code.around ? /^\s*(?:`{3,}|~{3,})/m : /^\s*(?:`{3,}|~{3,})/).test(text);
        const inner = linesOf(hasFences ? text : fenced(text, code.info), 0).map((each) => ({
          ...each,
          line: code.line,
        }));
        // Several code blocks, and nothing else, are one example in several languages.
        const isGroup =
          inner.filter(({ opens }) => opens).length > 1 && inner.every((each) => each.code || each.text.trim() === "");
        const { open: before, close: after } = code.around ?? (isGroup ? element("CodeGroup") : noTags);
        const tag = (written: string, at: number): Line[] => block(written === "" ? [] : [indent + written], at);
        if (!code.isHidden) out.push(...tag(before, code.line), ...inner, ...tag(after, line));
        raw = [];
      } else if (tags !== undefined && tags.close !== "") out.push(...block([indent + tags.close], line));
    }
  };

  for (const line of joined(lines)) {
    if (!line.text.includes("{{")) {
      emit(line, line.text);
      continue;
    }
    const indent = indentOf(line.text);
    let text = "";
    let done = 0;
    const flush = (): void => {
      if (text.trim() !== "") emit(line, text);
      text = "";
    };
    for (const match of line.text.matchAll(shortcode)) {
      const [whole, , comment, slash, name = "", written = "", empty] = match;
      text += line.text.slice(done, match.index);
      done = match.index + whole.length;
      // A comment may contain a shortcode and its end: `{{</* name >}} … {{< /name */>}}`.
      if (comment !== undefined || /\*\/[>%]\}\}$/.test(whole)) {
        text += whole.replace("/*", "").replace("*/", "");
        continue;
      }
      if (lineOfCode() && !(slash === "/" && open.at(-1)!.name === name)) {
        text += whole;
        continue;
      }
      if (slash === "/") {
        const close = inline.get(name);
        inline.delete(name);
        if (close !== undefined) text += close;
        else {
          flush();
          end(name, indent, line.line);
        }
        continue;
      }
      const isPaired = empty !== "/" && closed.has(name);
      const replaced = replace({
        ...{ name, args: argsOf(written), isPaired, line: line.line },
        typed: whole,
        isInCode: line.code || codeSpans(line.text).some(([start, end]) => start <= match.index && match.index < end),
        isInTag: /<[A-Za-z][^<>]{0,2000}$/.test(text.slice(-2000)),
      });
      if ("text" in replaced) text += replaced.text;
      else if (line.code) text += whole;
      else if ("info" in replaced) {
        flush();
        if (isPaired) open.push({ name, code: { ...replaced, line: line.line } });
      } else if (isPaired && /^<Shortcode/.test(replaced.open) && /[^\s>*+-]/.test(text)) {
        // A component in the middle of a line, such as in a cell of a table, stays there.
        text += replaced.open;
        inline.set(name, replaced.close);
      } else {
        flush();
        if (replaced.open !== "")
          out.push(...block([indent + replaced.open + (isPaired ? "" : replaced.close)], line.line));
        if (isPaired) open.push({ name, tags: replaced });
      }
    }
    emit(line, text + line.text.slice(done));
  }
  while (open.length > 0) end(open.at(-1)!.name, "", lines.at(-1)?.line ?? 1);
  return out;
}

/** Joins the lines of a shortcode that spans several. */
function joined(lines: PageText): PageText {
  const out: Line[] = [];
  for (let i = 0; i < lines.length; i++) {
    let line = lines[i]!;
    for (
      let more = 0;
      more < 12 &&
      !line.code &&
      /\{\{[<%](?:(?![>%]\}\})[\s\S])*$/.test(line.text.slice(-2000)) &&
      i + 1 < lines.length &&
      !lines[i + 1]!.code;
      more++
    )
      line = { ...line, text: `${line.text} ${lines[++i]!.text.trim()}` };
    out.push(line);
  }
  return out;
}

function argsOf(written: string): Record<string, string> {
  const args: Record<string, string> = Object.create(null) as Record<string, string>;
  let position = 0;
  for (const [, name, double, back, plain] of written.matchAll(
    /(?:([\w.-]+)\s*=\s*)?(?:"((?:[^"\\]|\\.)*)"|`([^`]*)`|([^\s"`=]+))/g,
  )) {
    const value = double?.replace(/\\(.)/g, "$1") ?? back ?? plain ?? "";
    args[name ?? String(position++)] = value;
  }
  return args;
}

/** A component for a shortcode or macro without a rule: `glossary-term` is `<ShortcodeGlossaryTerm>`. */
export function componentOf(
  { name, args, isPaired }: Pick<Shortcode, "name" | "args" | "isPaired">,
  prefix = "Shortcode",
): BlockTags | { readonly text: string } {
  const component = `${prefix}${name.replace(/(?:^|[^A-Za-z\d]+)(\w?)/g, (_, letter: string) => letter.toUpperCase())}`;
  const written = Object.entries(args)
    .map(([key, value]) => attribute(/^\d/.test(key) ? `value${key}` : key.replace(/[^\w-]/g, ""), value))
    .join("");
  return isPaired
    ? { open: `<${component}${written}>`, close: `</${component}>` }
    : { text: `<${component}${written} />` };
}
