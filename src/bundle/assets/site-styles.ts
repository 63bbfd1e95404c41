import {
  type Declaration,
  type FontFamily,
  type ReturnedRule,
  type Selector,
  type SelectorComponent,
  type StyleRule,
  transform,
} from "lightningcss";
import type { Diagnostic, Location } from "../../lib/diagnostic/index.js";
import { parseAddress } from "../../lib/url/index.js";
import { type ExternalUse, misspeltProperty } from "../../page/render/index.js";
import { hooks } from "../../page/theme/chrome/hooks.js";
import componentNames from "./component-names.json" with { type: "json" };
import { createImports } from "./import-rule.js";
import styleFaults from "./style-faults.json" with { type: "json" };

export interface SiteStyle {
  readonly code: Uint8Array;
  readonly external: readonly ExternalUse[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface OwnNames {
  /** Custom properties that the site's style sheets declare and ours read. */
  readonly properties: ReadonlySet<string>;
  /** Classes that only our pages have. */
  readonly classes: readonly string[];
}

/** Resolves an address in a style sheet of the site for its place in the bundle. */
export type HrefIn = (
  written: string,
  kind: "image" | "style",
  place: { readonly location: Location; readonly inMask: boolean },
) => string;

/** Names that style sheets of this format select as elements; in our pages they are classes. */
const elementNames = new Set(componentNames);

/**
 * Adapts a style sheet of the site: rewrites its URLs for its path in the bundle, and selects classes in place of elements
 * named after components. Invalid rules are dropped and reported.
 *
 * @param own names of our style sheets
 */
export function siteStyle(
  sourcePath: string,
  text: string,
  hrefIn: HrefIn,
  own: OwnNames = { properties: new Set(), classes: [] },
  changesRules = true,
): SiteStyle {
  const external: ExternalUse[] = [];
  const diagnostics: Diagnostic[] = [];
  const imports = createImports(text);
  let inMask = false;
  const rebase = (url: string, kind: "image" | "style", location: Location): string => {
    const address = parseAddress(url);
    if (address.kind !== "path" && (address.kind !== "external" || !address.host)) return url;
    const href = hrefIn(url, kind, { location, inMask });
    if (address.kind === "external" && href === address.url) external.push({ kind, url: href, location });
    return href;
  };
  try {
    const { code, warnings } = transform({
      filename: sourcePath,
      code: new TextEncoder().encode(text),
      minify: true,
      errorRecovery: true,
      visitor: {
        Rule: {
          import({ value }) {
            // All style sheets of the site are in the page already.
            if (parseAddress(value.url).kind !== "external") {
              rebase(value.url, "style", locationAt(sourcePath, value.loc));
              return [];
            }
            const url = rebase(value.url, "style", locationAt(sourcePath, value.loc));
            return url === value.url ? undefined : imports.importOf(value, url);
          },
          ...(changesRules && { style: colorIcons }),
        },
        Declaration(declaration) {
          inMask = mayMask(declaration);
          if (declaration.property !== "font-family") return undefined;
          return { ...declaration, value: withFallback(declaration.value) };
        },
        DeclarationExit() {
          inMask = false;
        },
        Url: (url) => ({ ...url, url: rebase(url.url, "image", { sourcePath, ...url.loc }) }),
        Selector: (selector) => withClasses(selector, own.classes),
        ...(own.properties.size > 0 && {
          DashedIdent: (name) => (own.properties.has(name) ? `--site${name.slice(1)}` : name),
        }),
      },
    });
    for (const { message, loc } of warnings) diagnostics.push(fault(sourcePath, message, loc.line, loc.column));
    return {
      code: withMeasure(imports.finish(code)),
      external,
      diagnostics: [...diagnostics, ...written(sourcePath, text)],
    };
  } catch (error) {
    // The parser may not accept a rule that it returned.
    if (changesRules) return siteStyle(sourcePath, text, hrefIn, own, false);
    const { loc } = error as { loc?: { line: number; column: number } };
    diagnostics.push(fault(sourcePath, (error as Error).message, loc?.line, loc?.column));
    return { code: new Uint8Array(), external: [], diagnostics };
  }
}

/**
 * Style sheets widen the text by the width of the element around it. Here it has a padding, and its children have the
 * width of `--measure`. Its 100 % does not include the outline, so nothing is subtracted from it. A body that hides what is
 * wide would be the box in which the header sticks, since here the root scrolls.
 */
function withMeasure(code: Uint8Array): Uint8Array {
  const css = Buffer.from(code.buffer, code.byteOffset, code.length);
  if (!css.includes("#content-area{") && !css.includes("overflow-x:hidden")) return code;
  const clipped = css.toString("utf8").replace(/(?<=(?:^|[},\s])body\{[^{}]*)overflow-x:hidden/g, "overflow-x:clip");
  const adapted = clipped.replace(/#content-area\{([^{}]*)\}/g, (_, declarations: string) => {
    const own = declarations.split(";").map((each) => each.replace(/^max-width:/, "--measure:"));
    return `#content-area{${own.map((each) => each.replace(/^width:calc\(100% - [^!]*/, "width:100%")).join(";")}}`;
  });
  return Buffer.from(adapted);
}

/**
 * Elsewhere an icon is a mask, whose color is its background. Here it is a drawing, so the background of an icon becomes its
 * color; other drawings keep their background.
 */
function colorIcons(rule: { readonly value: StyleRule }): ReturnedRule[] | undefined {
  if (!rule.value.selectors.some(selectsSvg)) return undefined;
  // The parser returns `null` for what is absent, but does not accept it.
  const value = withoutNulls(rule.value);
  const { selectors, declarations: { declarations = [], importantDeclarations = [] } = {} } = value;
  if (![...declarations, ...importantDeclarations].some(isBackground)) return undefined;
  const add = (rules: Rules, read: (declarations: Declaration[]) => Declaration[], where?: SelectorComponent) => ({
    type: "style" as const,
    value: {
      ...value,
      rules,
      selectors: selectors.flatMap((each) =>
        where && selectsSvg(each) ? [[...each, where]] : where === icon ? [] : [each],
      ),
      declarations: { declarations: read(declarations), importantDeclarations: read(importantDeclarations) },
    },
  });
  return [
    add(value.rules, (each) => each.filter((declaration) => !isBackground(declaration))),
    add([], (each) => each.filter(isBackground), noIcon),
    add([], (each) => each.filter(isBackground).flatMap(asColor), icon),
  ];
}
type Rules = StyleRule["rules"];

function withoutNulls<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutNulls) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(entries.map(([name, each]) => [name, withoutNulls(each)])) as T;
}

const icon: SelectorComponent = { type: "pseudo-class", kind: "where", selectors: [[{ type: "class", name: "icon" }]] };
const noIcon: SelectorComponent = {
  type: "pseudo-class",
  kind: "where",
  selectors: [[{ type: "pseudo-class", kind: "not", selectors: [[{ type: "class", name: "icon" }]] }]],
};

const selectsSvg = (selector: Selector): boolean => {
  const last = selector.slice(selector.findLastIndex(({ type }) => type === "combinator") + 1);
  return last.some((part) => part.type === "type" && part.name === "svg") && last.at(-1)!.type !== "pseudo-element";
};

const isBackground = (declaration: Declaration): boolean => /^background(?:-color)?$/.test(nameOf(declaration));

/** A transparent background stays one, and an image has no color. */
function asColor(declaration: Declaration): Declaration[] {
  if (declaration.property === "unparsed")
    return [{ ...declaration, value: { ...declaration.value, propertyId: { property: "color" } } }];
  const value =
    declaration.property === "background"
      ? declaration.value.every(({ image }) => image.type === "none") && declaration.value.at(-1)?.color
      : declaration.property === "background-color" && declaration.value;
  return !value || (typeof value === "object" && "alpha" in value && value.alpha === 0)
    ? []
    : [{ property: "color", value }];
}

/** What the parser does not report: properties that no browser has, `//`, which spoils what is behind it, and a missing `}`. */
function written(sourcePath: string, text: string): Diagnostic[] {
  const css = text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, " "));
  const at = (index: number, typed: string, what: string, fix: string): Diagnostic => {
    const before = css.slice(0, index).split("\n");
    const location = { sourcePath, line: before.length, column: before.at(-1)!.length + 1, length: typed.length };
    return { code: "STYLE_SYNTAX", severity: "warning", what, location, fix };
  };
  const names = [...css.matchAll(/(?<=[{;]\s{0,80})([a-z-]{4,40})[ \t]*:(?=[^;{}]{1,400}[;}])/gi)];
  const comments = [...css.matchAll(/(?<=^[^"'(\n]{0,200})(?<![:\w])\/\/[ \t]*\S.*$/gm)];
  const open: number[] = [];
  for (const { index, 0: sign } of css.matchAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\\.|[{}]/g))
    if (sign === "{") open.push(index);
    else if (sign === "}") open.pop();
  return [
    ...open.slice(-1).map((index) => {
      const what = "The { has no closing }, so browsers read the rules after it as parts of this rule.";
      return at(index, "{", what, "write } where the rule ends.");
    }),
    ...names.flatMap(({ index, 1: name = "" }) => {
      const near = misspeltProperty(name.toLowerCase());
      const what = `"${name}" is not a property of CSS, so browsers ignore it.`;
      return near === undefined ? [] : [at(index, name, what, `write ${near}.`)];
    }),
    ...comments.map(({ index, 0: typed }) => {
      const what = "CSS has no comments that begin with //, so browsers ignore the rule or declaration after it.";
      return at(index, typed.trimEnd(), what, `write /* ${typed.slice(2).trim()} */`);
    }),
  ];
}

/** Whether the declaration sets a mask, or a variable that may become one. */
const mayMask = (declaration: Declaration): boolean => /^(?:mask(?:-image)?$|--)/.test(nameOf(declaration));

const nameOf = ({ property, value }: Declaration): string =>
  property === "unparsed" ? value.propertyId.property : property === "custom" ? value.name : property;

/** A font of the site may fail to load, for example from disk; browsers would then use a font with serifs. */
function withFallback(families: FontFamily[]): FontFamily[] {
  if (families.some((family) => genericFamily.test(family))) return families;
  return [
    ...families,
    ...(families.some((family) => /mono|code/i.test(family)) ? ["monospace"] : ["Inter", "sans-serif"]),
  ];
}
const genericFamily =
  /^(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|math|emoji|ui-.+|fangsong|inherit|initial|unset|revert(?:-layer)?)$/;

function withClasses(selector: Selector, ownClasses: readonly string[]): Selector | undefined {
  const adapted = selector.flatMap((part) => {
    if (isOfContent(part)) return [part, outsideChrome];
    if (part.type === "attribute") return [part, ...withoutOwn(part, ownClasses)];
    return namesComponent(part) ? [pseudo("is", [[part], [classPart(part.name)]])] : [part];
  });
  return adapted.length === selector.length && !selector.some(namesComponent) ? undefined : adapted;
}

/** Classes of the format, by which style sheets of sites select elements. */
const formatClasses = [
  ...["dark", "light", "prose", "not-prose", "topbar-cta-button", "button-primary"],
  ...componentNames,
  ...Object.keys(hooks).flatMap((hook) => (hook.startsWith(".") ? [hook.slice(1)] : [])),
];
/** A shorter part of a name is in too many of them. */
const minClassPart = 4;

/** `[class*="navbar"]` is for the elements that have such a class elsewhere, and not for those that only have one here. */
function withoutOwn(part: SelectorComponent & { type: "attribute" }, ownClasses: readonly string[]): Selector {
  const { name, operation } = part;
  if (name !== "class" || operation?.operator !== "substring" || operation.value.length < minClassPart) return [];
  const having = (names: readonly string[]) => names.filter((each) => each.includes(operation.value)).map(classPart);
  const ofFormat = having(formatClasses).map((each) => [each]);
  const own = having(ownClasses).map((each) => (ofFormat.length > 0 ? [each, pseudo("not", ofFormat)] : [each]));
  return own.length > 0 ? [pseudo("where", [[pseudo("not", own)]])] : [];
}

const pseudo = (kind: "is" | "not" | "where", selectors: Selector[]) =>
  ({ type: "pseudo-class", kind, selectors }) as SelectorComponent;

const classPart = (name: string): SelectorComponent => ({ type: "class", name });

/** Menus and nested groups have these elements only here, so rules for them are for the content. */
const isOfContent = (part: SelectorComponent): boolean =>
  part.type === "type" && (part.name === "details" || part.name === "summary");
const outsideChrome = pseudo("where", [
  [
    pseudo(
      "not",
      ["menu", "sidebar-nested"].flatMap((name): Selector[] => [
        [{ type: "class", name }],
        [{ type: "class", name }, { type: "combinator", value: "child" }, { type: "universal" }],
      ]),
    ),
  ],
]);

const namesComponent = (part: SelectorComponent): part is SelectorComponent & { type: "type"; name: string } =>
  part.type === "type" && elementNames.has(part.name);

const locationAt = (sourcePath: string, { line, column }: { line: number; column: number }) => ({
  sourcePath,
  line: line + 1,
  column,
});

/** @param message the parser's; the beginnings of its most frequent ones have a reason and a fix in our words */
function fault(sourcePath: string, message: string, line?: number, column?: number): Diagnostic {
  const [, reason = message, fix = "correct the rule; browsers ignore it as well."] =
    styleFaults.find(([said = ""]) => message.startsWith(said)) ?? [];
  const what = `This rule of the style sheet is not valid CSS, so it is left out: ${reason.replace(/[?.]+$/, "")}.`;
  // The parser names the place after the name of the rule.
  const name = /^@\w+(?= )|@\w+$/.exec(message)?.[0].length ?? 0;
  const at = column === undefined || name === 0 ? { column } : { column: column - name, length: name };
  return { code: "STYLE_SYNTAX", severity: "warning", what, location: { sourcePath, line, ...at }, fix };
}
