import type { ElementContent } from "hast";
import type { RootContent } from "mdast";
import type { ComponentDefinition, ImageSource, LinkTarget, PropKind } from "../components/definition.js";
import type { IconLibrary } from "../config/site-config.js";
import type { JsxTree, PropValue } from "../content/page-content.js";
import type { Place } from "../diagnostic/diagnostic.js";
import { isRecord, type Props } from "./attributes.js";
import { safeColor } from "./color.js";
import { isBlank, markdownText } from "./hast-text.js";
import { imageSource } from "./image.js";
import { linkTo } from "./page-links.js";
import type { PageRun, RenderTools } from "./page-run.js";
import { allOf, runOf, type State } from "./to-hast.js";
import { cleanUrl } from "./url-safety.js";

/** What a component receives of the properties that were written, by the kinds that its definition names. */
export function prepareProps(
  state: State,
  definition: ComponentDefinition,
  written: Props,
  place: Place,
): Record<string, unknown> {
  const prepared: Record<string, unknown> = {};
  for (const [name, kind] of Object.entries(definition.props)) {
    const value = Object.hasOwn(written, name) ? written[name] : undefined;
    if (value === undefined || value === null) continue;
    const ready = prepare(state, kind, value, written, place);
    if (ready !== undefined) prepared[name] = ready;
  }
  return prepared;
}

/** `class` and `className`, joined; other values than text are of no use. */
export function classNameOf(written: Props): string | undefined {
  const names = [written["className"], written["class"]].filter(
    (value) => typeof value === "string" && !isBlank(value),
  );
  return names.length > 0 ? names.join(" ") : undefined;
}

function prepare(state: State, kind: PropKind, value: PropValue, written: Props, place: Place): unknown {
  const run = runOf(state);
  switch (kind) {
    case "text":
      return textOfProp(value);
    case "number":
      return numberOf(value);
    case "boolean":
      return booleanOf(value);
    case "content":
      return contentOf(state, value, (text) => allOf(state, run.tools.inline.read(text)));
    case "label":
      return contentOf(state, value, labelFrom);
    case "icon":
      return iconOf(state, value, written, place);
    case "href":
      return linkOf(run, value, place);
    case "image":
      return imageOf(run, value, place);
    case "color":
      return typeof value === "string" ? safeColor(value) : undefined;
    case "list":
      return listOf(value);
    case "value":
      return plainOf(value);
  }
}

/** Text of a property: a number written out, JSX without its marks; undefined for what is none. */
export function textOfProp(value: PropValue): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : undefined;
  if (isTree(value)) return markdownText(value.children).replace(/\s+/g, " ").trim();
  if (Array.isArray(value)) return value.map((each) => textOfProp(each) ?? "").join("");
  return undefined;
}

function numberOf(value: PropValue): number | undefined {
  const number = typeof value === "string" && !isBlank(value) ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

function booleanOf(value: PropValue): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (typeof value === "number") return value !== 0;
  if (typeof value !== "string") return undefined;
  const word = value.trim().toLowerCase();
  return word === "true" || word === "" ? true : word === "false" ? false : undefined;
}

function contentOf(
  state: State,
  value: PropValue,
  read: (text: string) => ElementContent[],
): ElementContent[] | undefined {
  if (isTree(value)) return allOf(state, value.children);
  if (Array.isArray(value)) return value.flatMap((each) => contentOf(state, each, read) ?? []);
  const text = textOfProp(value);
  return text === undefined || text === "" ? undefined : read(text);
}

/** Text as it is; what stands in backticks is code. */
function labelFrom(text: string): ElementContent[] {
  if (!text.includes("`")) return [{ type: "text", value: text }];
  const out: ElementContent[] = [];
  let end = 0;
  for (const match of text.matchAll(/(`{1,3})([^`]+)\1/g)) {
    if (match.index > end) out.push({ type: "text", value: text.slice(end, match.index) });
    out.push({ type: "element", tagName: "code", properties: {}, children: [{ type: "text", value: match[2]! }] });
    end = match.index + match[0].length;
  }
  if (end < text.length) out.push({ type: "text", value: text.slice(end) });
  return out;
}

/** A drawing by name, a picture by address, or the JSX that was given. */
function iconOf(state: State, value: PropValue, written: Props, place: Place): ElementContent | undefined {
  const run = runOf(state);
  if (isTree(value)) {
    const drawn = allOf(state, value.children).filter((node) => node.type !== "text" || !isBlank(node.value));
    return drawn.length <= 1 ? drawn[0] : { type: "element", tagName: "span", properties: {}, children: drawn };
  }
  if (typeof value !== "string" || isBlank(value)) return undefined;
  const choice = iconChoice(run.tools, value, written);
  if (choice === undefined) return pictureIcon(run, value, place);
  const drawn = run.tools.icons.icon(choice, place);
  run.diagnostics.push(...drawn.diagnostics);
  return drawn.node;
}

/** The named icon that a property means; undefined for the address of a picture. */
export function iconChoice(
  tools: Pick<RenderTools, "iconLibrary">,
  written: string,
  props: Props,
): { name: string; style?: string; library: IconLibrary } | undefined {
  const name = cleanUrl(written);
  if (/^(?:\.{0,2}\/|[a-z][a-z0-9+.-]*:)|\.(?:svg|png|jpe?g|gif|webp|avif|ico)$/i.test(name)) return undefined;
  const style = textOfProp(props["iconType"] as PropValue);
  const library = props["iconLibrary"];
  return {
    name,
    ...(style === undefined ? {} : { style }),
    library: library === "fontawesome" || library === "lucide" || library === "tabler" ? library : tools.iconLibrary,
  };
}

function pictureIcon(run: PageRun, written: string, place: Place): ElementContent | undefined {
  const source = imageSource(run, written, place);
  if (!source) return undefined;
  const properties = { className: ["icon-image"], src: source.src, alt: "", width: 24, height: 24 };
  return { type: "element", tagName: "img", properties, children: [] };
}

function linkOf(run: PageRun, value: PropValue, place: Place): LinkTarget | undefined {
  if (typeof value !== "string" || isBlank(value)) return undefined;
  const target = linkTo(run, value, place);
  return target && { href: target.href, external: target.external };
}

function imageOf(run: PageRun, value: PropValue, place: Place): ImageSource | undefined {
  return typeof value === "string" && !isBlank(value) ? imageSource(run, value, place) : undefined;
}

function listOf(value: PropValue): string[] | undefined {
  const items = Array.isArray(value) ? value : [value];
  const texts = items.map(textOfProp).filter((text) => text !== undefined && text !== "");
  return texts.length > 0 ? (texts as string[]) : undefined;
}

/** JSON data: JSX in it is left out. */
function plainOf(value: PropValue): unknown {
  if (isTree(value)) return undefined;
  if (Array.isArray(value)) return value.map((each) => plainOf(each) ?? null);
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (!isRecord(value)) return value;
  const plain: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(value)) {
    const ready = plainOf(each as PropValue);
    if (ready !== undefined && name !== "__proto__") plain[name] = ready;
  }
  return plain;
}

export const isTree = (value: PropValue): value is JsxTree & { readonly children: RootContent[] } =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  (value as { type?: unknown }).type === "jsxTree";
