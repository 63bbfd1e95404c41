/** Specifications and pages for tests: from a document to a tree or HTML. */
import { readFileSync } from "node:fs";
import type { RootContent } from "mdast";
import { parse } from "yaml";
import { createMarkdownLinks, createMarkdownVersion } from "../../src/bundle/outputs/markdown-version.js";
import type { Json, JsonObject } from "../../src/lib/json/index.js";
import { messagesFor } from "../../src/lib/language/index.js";
import { componentDefinitions } from "../../src/page/components/index.js";
import { createContentReader } from "../../src/page/content/index.js";
import { createReference, type ReferenceContent, type ReferencePage } from "../../src/reference/index.js";
import type { ApiSpec } from "../../src/site/api-spec.js";
import type { ApiConfig } from "../../src/site/config/site-config.js";
import { createAddresses } from "../../src/site/links/index.js";
import type { ApiTarget } from "../../src/site/specs/api-target.js";
import { makeSite } from "../bundle/outputs/support/site.js";
import { planOf, rendererOf } from "../page/render/render-markdown.js";

/** A document in YAML. */
export const documentOf = (yaml: string): JsonObject => parse(yaml, { maxAliasCount: -1 }) as JsonObject;

/** A schema that refers to another of the document. */
export const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** A schema of an object. */
export const object = (properties: JsonObject): JsonObject => ({ type: "object", properties });

/** A document with one operation, `POST /things`; `rest` is the rest of the document (`components:`, `servers:`). */
export const withOperation = (operation: string, rest = "", version = "3.1.0"): ApiSpec =>
  specOf({
    openapi: version,
    info: { title: "Things", version: "1" },
    paths: { "/things": { post: (documentOf(operation) ?? {}) as JsonObject } },
    ...(documentOf(rest) ?? {}),
  });

export function specOf(document: JsonObject, source = "openapi.json"): ApiSpec {
  return {
    source,
    format: "asyncapi" in document ? "asyncapi" : "arazzo" in document ? "arazzo" : "openapi",
    version: String(document["openapi"] ?? document["asyncapi"] ?? ""),
    document,
    resolve: (pointer) => resolve(document, pointer),
    locationOf: () => ({ sourcePath: source, line: 1, column: 1 }),
  };
}

function resolve(document: JsonObject, pointer: string): Json | undefined {
  if (!pointer.startsWith("#")) return undefined;
  let value: Json | undefined = document;
  for (const part of pointer.split("/").slice(1)) {
    const name = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as JsonObject)[name];
  }
  return value;
}

export const readSpec = (path: string, source: string): ApiSpec =>
  specOf(parse(readFileSync(path, "utf8"), { maxAliasCount: -1, logLevel: "silent" }) as JsonObject, source);

export const apiDefaults: ApiConfig = {
  openapi: [],
  asyncapi: [],
  graphql: [],
  arazzo: [],
  playground: { display: "interactive", proxy: true, credentials: false },
  params: { expanded: "closed", order: "required", post: [] },
  downloads: true,
  examples: { languages: [], defaults: "all", prefill: false, autogenerate: true },
  mdx: { servers: [] },
};

const reader = await createContentReader({
  files: { has: () => false, paths: [] } as never,
  config: { variables: {}, styling: { codeblocks: {} } } as never,
  markdownComponents: new Set(componentDefinitions.keys()),
});

export interface ContentOptions extends Partial<ReferencePage> {
  readonly api?: Partial<ApiConfig>;
  readonly excerpts?: boolean;
}

export const referenceOf = (spec: ApiSpec | undefined, { api = {}, excerpts = false }: ContentOptions = {}) =>
  createReference({
    spec: () => spec,
    api: { ...apiDefaults, ...api },
    readMarkdown: reader.readForeign,
    excerpts,
  });

export function contentOf(
  spec: ApiSpec | undefined,
  target: ApiTarget,
  options: ContentOptions = {},
): ReferenceContent {
  const { api: _, excerpts: __, ...page } = options;
  return referenceOf(spec, options).content(target, { messages: messagesFor("en"), ...page });
}

const methods = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]);

/** The only operation of the document, or the named one (`get /users`). */
export function operationTarget(spec: ApiSpec, name?: string): ApiTarget {
  const paths = spec.document["paths"] as JsonObject;
  for (const [path, item] of Object.entries(paths))
    for (const method of Object.keys(item as JsonObject).filter((key) => methods.has(key)))
      if (name === undefined || name === `${method} ${path}`)
        return { kind: "operation", spec: spec.source, method, path };
  throw new Error(`There is no operation ${name}.`);
}

/** All pages that a specification can have. */
export function targetsOf(spec: ApiSpec): ApiTarget[] {
  const { document } = spec;
  const items = (name: string) => Object.entries((document[name] ?? {}) as JsonObject);
  const verbs = (item: Json) => Object.keys(item as JsonObject).filter((key) => methods.has(key));
  return [
    ...items("paths").flatMap(([path, item]) =>
      verbs(item).map((method): ApiTarget => ({ kind: "operation", spec: spec.source, method, path })),
    ),
    ...items("webhooks").flatMap(([name, item]) =>
      verbs(item).map((method): ApiTarget => ({ kind: "webhook", spec: spec.source, method, name })),
    ),
    ...items("channels").map(([name]): ApiTarget => ({ kind: "channel", spec: spec.source, name })),
    ...Object.keys(((document["components"] ?? {}) as JsonObject)["schemas"] ?? {}).map(
      (name): ApiTarget => ({ kind: "schema", spec: spec.source, name }),
    ),
  ];
}

const usualRenderer = await rendererOf();

/** The page of a tree as HTML: title line, side column and body. */
export async function htmlOf(tree: readonly RootContent[], renderer = usualRenderer) {
  const plan = { ...planOf("api/page.mdx"), searchable: true };
  const page = await renderer.render(plan, {
    tree: { type: "root", children: [...tree] },
    ok: true,
    snippets: [],
    diagnostics: [],
  });
  return { lead: page.leadHtml ?? "", panel: page.panelHtml ?? "", body: page.html, page };
}

const siteForMarkdown = makeSite([{ sourcePath: "api/page.mdx", title: "Page" }]);
export const markdownMaker = () =>
  createMarkdownVersion(siteForMarkdown, {
    resolveLink: createMarkdownLinks(createAddresses(siteForMarkdown)),
    readSource: () => undefined,
  });
const usualMarkdown = markdownMaker();

/** A tree as the Markdown version of a page, without its title. @param source the page's own text. */
export const markdownOf = (tree: readonly RootContent[], source = "", maker = usualMarkdown): string =>
  maker(
    siteForMarkdown.pages[0]!,
    { tree: { type: "root", children: [...tree] }, ok: true, snippets: [], diagnostics: [] },
    source,
  )
    .replace(/^# Page\n\n?/, "")
    .trim();

/** The page of an operation as Markdown: whole, or one section of it (`Body`). */
export function operationMarkdown(spec: ApiSpec, wish: ContentOptions & { readonly section?: string } = {}): string {
  const { section, ...rest } = wish;
  const whole = markdownOf(contentOf(spec, operationTarget(spec), rest).tree);
  return section === undefined ? whole : sectionOf(whole, section);
}

/** The content under a heading of a Markdown version, without examples. */
export function sectionOf(markdown: string, heading: string): string {
  const parts = `\n${markdown}`
    .replace(/\n\*\*Example (?:request|response)\*\*\n[\s\S]*?(?=\n## |$)/g, "")
    .split(/\n## /);
  const found = parts.find(
    (part) => part === heading || part.startsWith(`${heading}\n`) || part.startsWith(`${heading}: `),
  );
  if (found === undefined) return "";
  const line = found.split("\n")[0]!;
  const rest = found.slice(line.length).trim();
  return line === heading ? rest : `${line.slice(heading.length + 2)}\n\n${rest}`.trim();
}
