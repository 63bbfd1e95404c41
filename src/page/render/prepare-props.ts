import type { ElementContent } from "hast";
import { type Location, likelyName, quoted, warningOf } from "../../lib/diagnostic/index.js";
import type { ComponentDefinition, LinkTarget, PropKind } from "../components/index.js";
import type { PropValue } from "../content/index.js";
import { checkColor, type Props } from "./element-attributes.js";
import { iconOf } from "./handlers/icon.js";
import { imageSource } from "./handlers/image.js";
import { allOf, element, isBlank, pageOf, type State } from "./nodes.js";
import { linkTo, reportEmpty } from "./page-links.js";
import type { PageRender } from "./page-render.js";
import { booleanOf, isRecord, isTree, listOf, numberOf, plainOf, textOfProp } from "./prop-values.js";

/** Converts properties to the kinds in the component's definition, and reports values that cannot be used. */
export function prepareProps(
  state: State,
  definition: ComponentDefinition,
  written: Props,
  location: Location,
): Record<string, unknown> {
  const prepared: Record<string, unknown> = {};
  for (const name in definition.props) {
    const value = Object.hasOwn(written, name) ? written[name] : undefined;
    if (value === undefined || value === null) continue;
    const kind = definition.props[name]!;
    const ready = prepare(state, kind, value, written, location);
    const choices = definition.choices?.[name]?.split(" ");
    const form = definition.forms?.[name];
    const texts =
      kind === "list" ? (listOf(value) ?? []) : isRecord(value) ? Object.values(value) : [textOfProp(value)];
    const wrong = isTree(value)
      ? undefined
      : texts.find((text) => {
          if (typeof text !== "string" || text.trim() === "") return false;
          return form ? !form.test.test(text.trim()) : choices && !choices.includes(text.trim().toLowerCase());
        });
    // Of a string that is no link, image or icon, another message tells.
    const isReported = typeof value === "string" && /^(?:href|image|icon)$/.test(kind);
    if (wrong !== undefined || (ready === undefined && !isReported && expected[kind] !== undefined)) {
      const right = form?.wanted ?? choices ?? expected[kind]!;
      reportValue(pageOf(state), `<${definition.name}>`, name, (wrong as string) ?? value, right, location);
    } else if (kind === "color") checkColor(pageOf(state), definition.name, name, String(value), location);
    if (kind === "list" && typeof value === "string" && value.includes(","))
      reportJoined(state, definition.name, name, value, location);
    if (ready !== undefined) prepared[name] = ready;
  }
  if (prepared["icon"] !== undefined)
    for (const [name, words] of iconChoices) {
      const typed = textOfProp(written[name])?.trim().toLowerCase();
      if (typed && !words.includes(typed.replace(/^sharp-/, "")))
        reportValue(pageOf(state), `<${definition.name}>`, name, written[name], words, location);
    }
  return prepared;
}

/** Reports `tags="new, fix"`, which is a single tag. */
function reportJoined(state: State, tag: string, name: string, value: string, location: Location): void {
  const parts = value.split(",").flatMap((part) => part.trim() || []);
  pageOf(state).collector.reportOnce(`PROPERTY_VALUE ${tag} ${name} ${value}`, () => ({
    ...warningOf("PROPERTY_VALUE", location),
    what: `"${name}" of <${tag}> is ${quoted(value)}, which counts as one entry.`,
    fix: `write ${name}={${JSON.stringify(parts).replaceAll('","', '", "')}}.`,
  }));
}

/** Properties of every component with an icon, with their allowed values. */
const iconChoices = [
  ["iconType", "solid regular light thin duotone brands sharp-solid".split(" ")],
  ["iconLibrary", "fontawesome lucide tabler".split(" ")],
] as const;

/** Descriptions of valid values. */
const expected: Readonly<Partial<Record<PropKind, string>>> = {
  number: "a number",
  boolean: "true or false",
  color: "a CSS color, such as #0D9373",
  href: 'a URL, such as "/guide"',
  image: 'a path, such as "/images/tree.png"',
  icon: 'the name of an icon, such as "rocket"',
};

function reportValue(
  page: PageRender,
  tag: string,
  name: string,
  value: PropValue,
  right: string | readonly string[],
  location: Location,
): void {
  const typed = typeof value === "boolean" ? String(value) : textOfProp(value)?.trim();
  if (!typed) return;
  const words = typeof right === "string" ? undefined : right;
  const nearest =
    right === "true or false"
      ? `{${/^(?:no?|off|0|none|f.*)$/i.test(typed) ? "false" : "true"}}`
      : /^-?\d+$/.test(typed) && words
        ? `{${words[Number(typed) < 1 ? 0 : words.length - 1]}}`
        : right === expected.number && Number.isFinite(Number.parseFloat(typed))
          ? `{${Number.parseFloat(typed)}}`
          : words && quotedOrNone(likelyName(typed, words)?.name ?? longerOrShorter(typed.toLowerCase(), words));
  page.collector.reportOnce(`PROPERTY_VALUE ${tag} ${name} ${typed}`, () => ({
    ...warningOf("PROPERTY_VALUE", location),
    what: `"${name}" of ${tag} is ${quoted(typed)}, but must be ${words ? `one of ${words.join(", ")}` : right}.`,
    fix: nearest ? `write ${name}=${nearest}.` : `write ${words ? "one of these" : right}, or remove it.`,
  }));
}
/** The only word that starts with the text or that the text starts with: "warning" for "warn". */
function longerOrShorter(text: string, words: readonly string[]): string | undefined {
  const matches = words.filter((word) => text.length > 2 && (word.startsWith(text) || text.startsWith(word)));
  return matches.length === 1 ? matches[0] : undefined;
}
const quotedOrNone = (name: string | undefined): string | undefined => name && `"${name}"`;

/** `class` and `className`, joined. Values other than strings are ignored. */
export function writtenClassName(written: Props): string | undefined {
  const names = [written["className"], written["class"]].filter(
    (value) => typeof value === "string" && !isBlank(value),
  );
  return names.length > 0 ? names.join(" ") : undefined;
}

function prepare(state: State, kind: PropKind, value: PropValue, written: Props, location: Location): unknown {
  const page = pageOf(state);
  switch (kind) {
    case "text":
      return textOfProp(value);
    case "number":
      return numberOf(value);
    case "boolean":
      return booleanOf(value);
    case "content":
      return renderContent(state, value, (text) => allOf(state, page.context.tools.readInline(text)));
    case "label":
      if (typeof value === "string") reportMarks(page, value, location);
      return renderContent(state, value, parseLabel);
    case "icon":
      return iconOf(state, value, written, location);
    case "href":
      return linkTarget(page, value, location);
    case "image":
      return typeof value === "string" && !isBlank(value) ? imageSource(page, value, location) : undefined;
    case "color":
      return typeof value === "string" ? safeColor(value) : undefined;
    case "list":
      return listOf(value);
    case "value":
      return plainOf(value);
  }
}

const marks =
  /\*\*(?=\S)([^*\n]+)\*\*|\[([^[\]\n]+)\]\((?:https?:|[./#])[^)\s]*\)|<(?:b|i|em|strong|code)>([^<\n]+)<\/\w+>/g;

/** Reports Markdown in a label, in which only code is read. */
function reportMarks(page: PageRender, value: string, location: Location): void {
  const [typed] = value.match(marks) ?? [];
  if (typed === undefined) return;
  const what = `"${typed.slice(0, 60)}" is shown as typed: this text has no marks but backticks for code.`;
  const fix = `write "${value.replace(marks, "$1$2$3").slice(0, 100)}".`;
  page.collector.diagnostics.push({ code: "PROPERTY_VALUE", severity: "warning", what, location, fix });
}

function renderContent(
  state: State,
  value: PropValue,
  read: (text: string) => ElementContent[],
): ElementContent[] | undefined {
  if (isTree(value)) return allOf(state, value.children);
  if (Array.isArray(value)) return value.flatMap((item) => renderContent(state, item, read) ?? []);
  const text = textOfProp(value);
  return text === undefined || text === "" ? undefined : read(text);
}

/** Text in backticks becomes code; nothing else is Markdown. */
function parseLabel(text: string): ElementContent[] {
  if (!text.includes("`")) return [{ type: "text", value: text }];
  const out: ElementContent[] = [];
  let end = 0;
  for (const match of text.matchAll(/(`{1,3})([^`]+)\1/g)) {
    if (match.index > end) out.push({ type: "text", value: text.slice(end, match.index) });
    out.push(element("code", {}, [{ type: "text", value: match[2]! }]));
    end = match.index + match[0].length;
  }
  if (end < text.length) out.push({ type: "text", value: text.slice(end) });
  return out;
}

function linkTarget(page: PageRender, value: PropValue, location: Location): LinkTarget | undefined {
  if (typeof value !== "string") return undefined;
  if (isBlank(value)) return void reportEmpty(page, "LINK_NOT_FOUND", "link", location);
  const target = linkTo(page, value, location);
  return target && { href: target.href, external: target.external };
}

/** A CSS colour that cannot end the style or the attribute that contains it; undefined for any other text. */
function safeColor(written: string): string | undefined {
  const color = written.trim();
  if (/^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(color)) return color;
  if (/^[0-9a-f]{6}$/i.test(color) && /\d/.test(color)) return `#${color}`;
  if (/^[a-z]{3,30}$/i.test(color)) return color;
  const isFunction =
    /^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark|var)\([\w\s.,%/+#()-]{1,200}\)$/i;
  return isFunction.test(color) && balanced(color) ? color : undefined;
}

function balanced(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if (char === "(") depth += 1;
    if (char === ")" && --depth < 0) return false;
  }
  return depth === 0;
}
