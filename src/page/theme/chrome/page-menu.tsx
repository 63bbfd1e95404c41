import { escapeHtml } from "../../../lib/html/escape.js";
import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { fill, type Messages } from "../../../lib/language/index.js";
import { shellWord } from "../../../lib/shell-word.js";
import type { ContextualOption } from "../../../site/config/index.js";
import type { PagePlan } from "../../../site/site.js";
import { createTemplate, fillTemplate, htmlOf, type Template } from "../html.js";
import { Glyph, type GlyphName } from "../icons.js";
import { anyPrefix, type Links, withPrefix } from "../settings-links.js";
import assistants from "./assistants.json" with { type: "json" };
import type { ChromeContext } from "./chrome-context.js";

export interface PageMarkdown {
  /** Output path of the Markdown version. */
  readonly path: string;
  /** Output path of a script with the same text, for the copy button; absent if nothing copies it. */
  readonly script?: string;
  /** URL of the Markdown version; absent if unknown. */
  readonly url?: string;
}

/** The menu for the pages of one sidebar, rendered once; `fillPageMenu` fills in the links of a page. */
export interface PageMenu {
  readonly button: Template;
  /** A list, for the side column. */
  readonly list: Template;
  readonly entries: readonly Entry[];
  readonly messages: Messages;
}

interface Entry {
  readonly title: string;
  readonly hint: string;
  readonly icon: JsxNode | undefined;
  /** The action of a click. Each page fills in its own links. */
  readonly action:
    | { readonly kind: OwnKind }
    | { readonly kind: "text"; readonly text: string }
    | { readonly kind: "assistant"; readonly base: string }
    | { readonly kind: "link"; readonly href: string; readonly external: boolean };
}

type OwnKind = "copy" | "ask" | "print" | "view" | "spec" | "section";

/** `icons` and `links` serve pages at any depth. */
interface PageMenuOptions extends Pick<ChromeContext, "messages" | "icons" | "links"> {
  readonly options: readonly ContextualOption[];
  /** Logos of assistants by option name, as output paths. */
  readonly marks: Readonly<Record<string, string>>;
  /** Whether assistants can read the published pages. */
  readonly isPublic: boolean;
  /** Whether the site has an assistant of its own. */
  readonly hasAssistant: boolean;
  /** URL of the site's MCP server; undefined if none is known. */
  readonly mcp: string | undefined;
  readonly siteName: string;
  /** Whether the menu is for pages made from a specification in the bundle. */
  readonly hasSpec: boolean;
  /** Whether the menu is for pages of a section that can be printed. */
  readonly hasSection: boolean;
}

/**
 * The actions for a page as a whole: a button for the first option, and a menu of all options. Options that need an
 * unknown server are left out; without options there is no menu.
 *
 * For the client: `[data-page-copy]` copies the Markdown in the script at `data-markdown`, `[data-page-href]` is the
 * URL of a link with `%24page` in place of that Markdown, `[data-print]` prints, `[data-ask-page]` opens the assistant,
 * `[data-copy-text]` copies its value.
 */
export function createPageMenu(options: PageMenuOptions): PageMenu | undefined {
  const { messages } = options;
  const entries = options.options.flatMap((option) => entryOf(option, options) ?? []);
  if (options.hasSection) entries.push(ownEntry(messages, "printSection", "printSectionHint", "print", "section"));
  const [first] = entries;
  if (!first) return undefined;
  const button = (
    <div id="page-context-menu" class="page-menu" data-mark="markdown text">
      {control(first, 0, "page-menu-button", <span class="copy-label page-menu-label">{first.title}</span>)}
      {entries.length > 1 && (
        <details class="menu page-menu-more">
          <summary id="page-context-menu-button" class="page-menu-button" aria-label={messages.pageActions}>
            <Glyph name="down" />
          </summary>
          <div class="menu-panel">
            {entries.map((entry, index) => control(entry, index, "menu-item", lines(entry)))}
          </div>
        </details>
      )}
    </div>
  );
  const list = (
    <div id="page-context-menu" class="page-menu-list" data-mark="markdown text">
      {entries.map((entry, index) =>
        control(entry, index, "page-menu-item", <span class="copy-label">{entry.title}</span>),
      )}
    </div>
  );
  return { button: createTemplate(htmlOf(button)), list: createTemplate(htmlOf(list)), entries, messages };
}

/**
 * The HTML of the menu for a page. @param template one of the menu's two forms.
 *
 * @param spec output path of the specification, for a menu that has an entry for it.
 * @param section output path of the printed section, for a menu that has an entry for it.
 */
export function fillPageMenu(
  template: Template,
  { entries, messages }: Pick<PageMenu, "entries" | "messages">,
  plan: PagePlan,
  { spec, section, ...markdown }: PageMarkdown & { readonly spec?: string; readonly section?: string },
  { links, prefix }: { readonly links: Links; readonly prefix: string },
): string {
  const values = new Map<string, string>();
  const { script, path, url } = markdown;
  if (script !== undefined) values.set("markdown", attribute("data-markdown", links.file(prefix, script)));
  const question = url === undefined ? "" : encodeURIComponent(fill(messages.askPrompt, url));
  entries.forEach(({ action }, index) => {
    const file = { view: path, spec, section }[action.kind as string];
    if (file !== undefined) values.set(`e${index}`, attribute("href", links.file(prefix, file)));
    if (action.kind === "assistant") values.set(`e${index}`, attribute("href", action.base + question));
    if (action.kind !== "link") return;
    const href = action.href.replaceAll("%24path", encodeURI(plan.urlPath.toWellFormed()));
    values.set(`e${index}`, attribute(href.includes("%24page") ? "data-page-href" : "href", href));
  });
  return withPrefix(fillTemplate(template, [], values), prefix);
}

const attribute = (name: string, value: string): string => ` ${name}="${escapeHtml(value)}"`;

const lines = ({ title, hint }: Entry): JsxNode => (
  <span class="nav-dropdown-item-text-container">
    <span class="copy-label nav-dropdown-item-title">{title}</span>
    <span class="nav-dropdown-item-description">{hint}</span>
  </span>
);

function control(entry: Entry, index: number, className: string, label: JsxNode): JsxNode {
  const { action, icon } = entry;
  const content = [icon && <span class="page-menu-icon">{icon}</span>, label];
  const mark = buttonMarks[action.kind];
  if (mark !== undefined)
    return (
      <button type="button" class={className} {...{ [mark]: action.kind === "text" ? action.text : "" }}>
        {content}
      </button>
    );
  const isOutside = action.kind === "assistant" || (action.kind === "link" && action.external);
  const outside = isOutside ? { target: "_blank", rel: "noopener noreferrer" } : {};
  return (
    <a class={className} data-mark={`e${index} text`} download={action.kind === "spec"} {...outside}>
      {content}
    </a>
  );
}

/** The attributes by which scripts of the page find the buttons. */
const buttonMarks: Readonly<Partial<Record<Entry["action"]["kind"], string>>> = {
  copy: "data-page-copy",
  print: "data-print",
  ask: "data-ask-page",
  text: "data-copy-text",
};

/** Options that work without another site: title, hint, glyph and action. */
const ownOptions: Readonly<Record<string, OwnOption | undefined>> = {
  copy: ["copyPage", "copyPageHint", "copy", "copy"],
  view: ["viewMarkdown", "viewMarkdownHint", "file", "view"],
  assistant: ["askAssistant", "askHint", "sparkles", "ask"],
  "download-pdf": ["savePdf", "savePdfHint", "print", "print"],
  "download-spec": ["downloadSpec", "downloadSpecHint", "download", "spec"],
};

type OwnOption = readonly [title: keyof Messages, hint: keyof Messages, glyph: GlyphName, kind: OwnKind];

function ownEntry(messages: Messages, ...[title, hint, glyph, kind]: OwnOption): Entry {
  return { title: messages[title], hint: messages[hint], icon: <Glyph name={glyph} />, action: { kind } };
}

function entryOf(option: ContextualOption, options: PageMenuOptions): Entry | undefined {
  const { messages, links, isPublic } = options;
  if (typeof option !== "string") return linkEntry(option, options);
  if ((option === "assistant" && !options.hasAssistant) || (option === "download-spec" && !options.hasSpec))
    return undefined;
  const pageAction = Object.hasOwn(ownOptions, option) ? ownOptions[option] : undefined;
  if (pageAction) return ownEntry(messages, ...pageAction);
  if (Object.hasOwn(mcpOptions, option)) return mcpEntry(option as McpOption, options);
  if (!isPublic || !Object.hasOwn(assistants, option)) return undefined;
  // Assistants open with a question in the URL. An entry has a name, and the URL before the question.
  const [name, base] = assistants[option as keyof typeof assistants] as [string, string];
  const mark = options.marks[option];
  return {
    title: fill(messages.openIn, name),
    hint: messages.askHint,
    icon:
      mark === undefined ? (
        <Glyph name="chat" />
      ) : (
        <img src={links.file(anyPrefix, mark)} width={16} height={16} alt="" loading="lazy" />
      ),
    action: { kind: "assistant", base },
  };
}

/** Options for agents: the text that an entry copies or the URL that it opens, for a server's URL and name. */
const mcpOptions = {
  mcp: { title: "copyMcp", text: (url: string) => url },
  "add-mcp": { title: "copyMcpCommand", text: (url: string) => `npx add-mcp ${shellWord(url)}` },
  cursor: {
    program: "Cursor",
    href: (url: string, name: string) =>
      `cursor://anysphere.cursor-deeplink/mcp/install?name=${name}&config=${encode(Buffer.from(JSON.stringify({ url })).toString("base64"))}`,
  },
  vscode: {
    program: "VS Code",
    href: (url: string, name: string) => `vscode:mcp/install?${encode(JSON.stringify({ name, type: "http", url }))}`,
  },
} as const;
type McpOption = keyof typeof mcpOptions;

/** Undefined if no server is known. */
function mcpEntry(name: McpOption, { mcp, messages, siteName }: PageMenuOptions): Entry | undefined {
  if (mcp === undefined) return undefined;
  const option = mcpOptions[name];
  const hint = messages.mcpHint;
  if ("text" in option)
    return {
      title: messages[option.title],
      hint,
      icon: <Glyph name="copy" />,
      action: { kind: "text", text: option.text(mcp) },
    };
  const serverName =
    siteName
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.join("-") ?? "docs";
  const href = option.href(mcp, serverName);
  return {
    title: fill(messages.connectTo, option.program),
    hint,
    icon: <Glyph name="external" />,
    // The browser passes the URL to the program, so it needs no new tab.
    action: { kind: "link", href, external: false },
  };
}

/** An entry with a link of the site; undefined if it needs an unknown server. */
function linkEntry(
  option: Exclude<ContextualOption, string>,
  { icons, links, mcp }: PageMenuOptions,
): Entry | undefined {
  const { title, description, href } = option;
  if (mcp === undefined && JSON.stringify(href).includes("$mcp")) return undefined;
  const written = (typeof href === "string" ? href : href.base).replaceAll("$mcp", () => encode(mcp ?? ""));
  const link = links.written(anyPrefix, written);
  const query =
    typeof href === "string"
      ? []
      : href.query.map(({ key, value }) => `${encode(key)}=${encode(value.replaceAll("$mcp", () => mcp ?? ""))}`);
  const joint = query.length === 0 ? "" : link.href.includes("?") ? "&" : "?";
  return {
    title,
    hint: description,
    icon: icons.of(option.icon) ?? <Glyph name="external" />,
    action: {
      kind: "link",
      href: link.href.replaceAll("$", "%24") + joint + query.join("&"),
      external: link.external,
    },
  };
}

const encode = (text: string): string => encodeURIComponent(text.toWellFormed());
