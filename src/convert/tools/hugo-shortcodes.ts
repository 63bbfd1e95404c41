/** The shortcodes of Hugo and of its usual themes. */

import { folderOf, joinPath, nameOf } from "../../lib/url/index.js";
import type { SiteFiles } from "../../site/source/index.js";
import { block, linesOf, mapText, type PageText, textOfLines } from "../page-text.js";
import type { PageContext } from "../project.js";
import { wasAttribute } from "../steps/anchors.js";
import { attribute, calloutTags, element, escapeMdx, noTags } from "../steps/blocks.js";
import { cardIcon } from "../steps/icons.js";
import { languageOf, videoFrame } from "../steps/parts.js";
import { fileIn, inside, isPage, isTrue, relativeTo } from "./shared.js";
import { componentOf, type Replacement, type Shortcode, shortcodes } from "./shortcode-syntax.js";

/** The shortcodes for callouts of Hugo and its usual themes. */
const callouts = "alert note notice hint callout admonition warning tip info caution danger important pageinfo".split(
  " ",
);
/** Shortcodes whose kind of callout is an argument. */
const generalCallouts = /^(?:alert|pageinfo|notice|callout|hint|admonition)$/;
const dropped = new Set(["toc", "br", "clear", "rawhtml", "unsafe", "html", "markdown"]);

const columns = { open: "<Columns cols={2}><Column>", close: "</Column></Columns>" };
type Get = (...names: readonly string[]) => string | undefined;
const disclosure = (get: Get) => element("Accordion", attribute("title", get("summary", "title", "0") ?? "Details"));
const code = (get: Get, isPaired: boolean) =>
  isPaired ? { info: get("0", "lang", "language") ?? "text" } : { text: "" };
const ifPaired = (replacement: Replacement) => (_: Get, isPaired: boolean) => (isPaired ? replacement : { text: "" });

/** Shortcodes whose replacement depends on their own arguments alone. */
const simple: Readonly<Record<string, (get: Get, isPaired: boolean) => Replacement>> = {
  ...{ highlight: code, code, details: disclosure, expand: disclosure, accordion: disclosure },
  comment: ifPaired({ info: "", isHidden: true }),
  mermaid: ifPaired({ info: "mermaid" }),
  katex: ifPaired({ open: "$$", close: "$$" }),
  steps: () => element("Steps"),
  cards: (get) => element("CardGroup", ` cols={${Number(get("cols")) || 2}}`),
  "filetree/container": () => element("Tree"),
  "filetree/folder": (get) =>
    element("Tree.Folder", `${attribute("name", get("name"))}${get("state") === "closed" ? "" : " defaultOpen"}`),
  "filetree/file": (get) => ({ open: `<Tree.File${attribute("name", get("name"))} />`, close: "" }),
  icon: (get) => ({ text: `<Icon${attribute("icon", get("name", "0"))} />` }),
  badge: (get) => ({ text: `<Badge>${wasAttribute}${get("content", "0") ?? ""}</Badge>` }),
};

/** @param paramOf gives the value of a parameter of the page or the site */
export function hugoShortcodes(
  lines: PageText,
  context: PageContext,
  paramOf: (name: string) => string | undefined,
  depth = 0,
): PageText {
  /** Of each group of tabs, the titles that it gives to the tabs that follow. */
  const titles: string[][] = [];
  /** The tabs around the line, if their content is code. */
  let pane: { readonly language: string | undefined } | undefined;
  /** The text of a file, within tags if there are some. */
  const included = (path: string, { args, line }: Shortcode, tags = noTags): Replacement | undefined => {
    const text = depth > 4 || path === "" ? undefined : includedText(path, context);
    if (text === undefined) return undefined;
    const language = args["codelang"] ?? args["language"];
    const isCode = isTrue(args["code"]) || language !== undefined;
    const shown = isCode
      ? `~~~~${language ?? args["lang"] ?? languageOf(path)}\n${text}\n~~~~`
      : textOfLines(hugoShortcodes(linesOf(text, line), context, paramOf, depth + 1));
    return { text: ["", tags.open, shown, tags.close, ""].join("\n\n") };
  };
  const separated = lines.flatMap((line) =>
    line.code || line.text.trim() !== "<--->" ? [line] : block(["</Column><Column>"], line.line),
  );
  // Authors write a third brace around tabs, which Hugo drops with all other text between them.
  const plain = mapText(separated, (text) =>
    text
      .replace(/\{(?=\{\{[<%]\s*tab\s)|(?<=\{\{[<%]\s*\/\s*tab\s*[>%]\}\})\}/g, "")
      .replace(
        /\{\{[<%] katex [>%]\}\}(.{1,1000}?)\{\{[<%] ?\/ ?katex [>%]\}\}/g,
        (_, formula: string) => `$${formula.trim()}$`,
      ),
  );
  return shortcodes(plain, (code): Replacement => {
    const { name, args, isPaired } = code;
    const get: Get = (...names) => names.map((argument) => args[argument]).find((value) => value !== undefined);
    if (callouts.includes(name)) {
      const named = generalCallouts.test(name) ? (args["0"] ?? "note") : name;
      const kind = get("color", "type", "style") ?? named;
      const title = get("title");
      return isPaired
        ? (calloutTags(bootstrap[kind] ?? kind, title) ?? element("Note", attribute("title", title)))
        : { text: "" };
    }
    const key = name.toLowerCase();
    if (Object.hasOwn(simple, key)) return simple[key]!(get, isPaired);
    switch (key) {
      case "columns":
        // Without a mark between the columns, each item of a list is one, which the list also shows.
        return separated.length > lines.length ? columns : noTags;
      case "button": {
        const href = get("href", "link", "url") ?? refAddress(get("relref") ?? "", context);
        return { open: `<a${attribute("href", href)}>`, close: "</a>" };
      }
      case "tabpane":
      case "tabs":
      case "tabgroup":
      case "code-tabs":
        titles.push(Object.keys(args).flatMap((key) => (/^\d+$/.test(key) ? [args[key]!] : [])));
        // In Docsy, the content of tabs is code unless they are for text.
        pane = name === "tabpane" && !isTrue(args["text"]) ? { language: get("lang") } : undefined;
        return element("Tabs");
      case "codetab":
      case "tab": {
        while (titles.length > 1 && titles.at(-1)!.length === 0) titles.pop();
        const title = get("header", "name", "title", "0", "lang") ?? titles.at(-1)?.shift() ?? "Tab";
        if (isTrue(args["disabled"])) return { text: "" };
        const tab = element("Tab", attribute("title", title));
        if (!isPaired) return included(get("include") ?? "", code, tab) ?? unknownShortcode(code, context);
        const language = get("codelang");
        const isText = pane === undefined || isTrue(args["text"]) || code.typed.startsWith("{{%");
        return isText && language === undefined
          ? tab
          : { info: language ?? get("lang") ?? pane?.language ?? "text", around: tab };
      }
      case "figure":
      case "img":
      case "image":
      case "imgproc": {
        const named = get("src", "0");
        // Docsy names a picture of the page's folder by a part of its name.
        const isNamed = (path: string): boolean =>
          folderOf(path) === folderOf(context.page.source) && nameOf(path).includes(named!) && !isPage(path);
        const picture = name !== "imgproc" || !named ? undefined : context.files.paths.find(isNamed);
        const source = picture === undefined ? named : nameOf(picture);
        const image = `<img${attribute("src", source)} alt=${JSON.stringify(get("alt", "caption", "title") ?? "")} />`;
        return source === undefined
          ? { text: "" }
          : { open: `<Frame${attribute("caption", get("caption", "title"))}>${image}`, close: "</Frame>" };
      }
      case "youtube":
      case "vimeo": {
        const site = key === "youtube" ? "https://youtu.be" : "https://vimeo.com";
        return videoFrame(`${site}/${get("id", "0") ?? ""}`) ?? unknownShortcode(code, context);
      }
      case "card": {
        const icon = cardIcon(get("icon") ?? "", context, code.line);
        const written = `${attribute("title", get("title", "header"))}${attribute("icon", icon)}${attribute("href", get("link"))}${attribute("img", get("image"))}`;
        return { open: `<Card${written}>${escapeMdx(get("subtitle") ?? "")}`, close: "</Card>" };
      }
      case "ref":
      case "relref":
        return { text: refAddress(get("path", "0") ?? "", context) };
      case "param": {
        const value = paramOf(get("0", "name") ?? "");
        if (value !== undefined) return { text: value };
        break;
      }
      case "include":
      case "readfile":
      case "include-md": {
        const text = included(get("file", "0") ?? "", code);
        if (text !== undefined) return text;
        break;
      }
      default:
        if (dropped.has(name)) return noTags;
    }
    return unknownShortcode(code, context);
  }).flatMap((line) =>
    line.text.includes("\n") ? linesOf(line.text, line.line).map((part) => ({ ...part, line: line.line })) : [line],
  );
}

const bootstrap: Readonly<Record<string, string>> = { primary: "note", secondary: "note", "": "note" };

/** A shortcode without a rule. Its template, if the site has it, shows whether its content is code. */
function unknownShortcode(code: Shortcode, { files, base, report }: PageContext): Replacement {
  if (code.isInTag || code.isInCode) {
    const place = code.isInCode ? "code" : "a tag";
    report("component", `"{{< ${code.name} >}}" is inside ${place}; write its output there.`, code.line);
    return { text: code.isInCode ? code.typed : "" };
  }
  const path = fileIn(
    files,
    [joinPath(base, "layouts/_shortcodes"), joinPath(base, "layouts/shortcodes")],
    [`${code.name}.html`],
  );
  const written = path === undefined || files.sizeOf(path) > 100_000 ? "" : files.readText(path);
  const template = written.replace(/<!--[\s\S]*?-->|\{\{-?\s*\/\*[\s\S]*?\*\/\s*-?\}\}/g, "");
  if (code.isPaired && /\.Inner/.test(template) && /highlight|Remarshal|<pre|<code/.test(template)) {
    const file = code.args["file"] ?? code.args["filename"];
    const language = code.args["lang"] ?? (file?.includes(".") ? languageOf(file) : "toml");
    return { info: [language, file].filter(Boolean).join(" ") };
  }
  return componentOf(code);
}

function includedText(path: string, { files, base, page, include }: PageContext): string | undefined {
  const roots = [folderOf(page.source), joinPath(base, "content"), ...languageFolders(files, base), base];
  const source = fileIn(files, roots, [path, `${path}.md`, `${path}/index.md`]);
  return source === undefined ? undefined : include(`/${source}`, "");
}

const languageFolders = (files: SiteFiles, base: string): string[] => {
  const content = joinPath(base, "content");
  return [
    ...new Set(
      files.paths.flatMap(
        (path) =>
          /^[a-z]{2}(?:-\w{2,4})?(?=\/)/.exec(inside(content, path) ? relativeTo(content, path) : "")?.[0] ?? [],
      ),
    ),
  ].map((name) => joinPath(content, name));
};

/** The address that `ref` returns, for a path from the page or from the content folder. */
function refAddress(path: string, { files, base, page }: PageContext): string {
  const [, file = "", suffix = ""] = /^([^#?]*)(.*)$/.exec(path)!;
  if (file === "") return suffix;
  // The language may be in the name of the file: `about.fr.md`.
  const language = /\.[a-z]{2}(?:-\w{2,4})?(?=\.md$)/i.exec(page.source)?.[0] ?? "";
  const stem = file.replace(/\.md$/, "");
  const ends = [".md", "/_index.md", "/index.md"].flatMap((end) => [end.replace(/(?=\.md$)/, language), end]);
  const names = [...ends.map((end) => stem + end), file];
  const relative = fileIn(files, [folderOf(page.source)], names);
  if (relative !== undefined && !file.startsWith("/")) return `@repo/${relative}${suffix}`;
  const target = fileIn(files, [joinPath(base, "content"), ...languageFolders(files, base)], names.filter(isPage));
  // A name without folders may be that of any page, preferably in the same language.
  const named = pagesByName(files, base).get(nameOf(file).replace(/\.md$/, "")) ?? [];
  const [root = ""] = languageFolders(files, base).filter((folder) => inside(folder, page.source));
  const other = named.find((path) => inside(root, path) && path.includes(folderOf(file))) ?? named[0];
  const source = target ?? other;
  return source === undefined ? file + suffix : `@repo/${source}${suffix}`;
}

const namedPages = new WeakMap<SiteFiles, ReadonlyMap<string, readonly string[]>>();

/** The pages by name. A start page has the name of its folder. */
function pagesByName(files: SiteFiles, base: string): ReadonlyMap<string, readonly string[]> {
  const cached = namedPages.get(files);
  if (cached) return cached;
  const pages = files.paths.filter((path) => isPage(path) && inside(joinPath(base, "content"), path));
  const named = Map.groupBy(pages, (path) => nameOf(path.replace(/(?:\/_?index)?\.\w+$/, "")));
  namedPages.set(files, named);
  return named;
}
