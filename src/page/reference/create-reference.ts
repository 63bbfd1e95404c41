import type { RootContent } from "mdast";
import type { Diagnostic } from "../../lib/diagnostic/index.js";
import type { JsonObject } from "../../lib/json/index.js";
import { isObject, member, pointerTo, textAt } from "../../lib/json/index.js";
import type { Messages } from "../../lib/language/index.js";
import type { ApiSpec } from "../../site/api-spec.js";
import type { ApiConfig } from "../../site/config/index.js";
import type { ApiTarget } from "../../site/specs/index.js";
import { channelPart } from "./channel-page.js";
import { createDescriber } from "./describe.js";
import { component, fence, text } from "./nodes.js";
import { operationPart } from "./operation-page.js";
import { createPageContext, type PageContext, type Part, type SpecContext } from "./page-context.js";
import { createPlayground, displayOf, type PlaygroundAssets, type ReferenceFile } from "./playground/playground.js";
import { createReferences } from "./references.js";
import { createSampler } from "./sampler.js";
import { maxDepth, maxFields } from "./schema-outline.js";
import { schemaPart } from "./schema-page.js";
import { createSchemaReader } from "./schema-reader.js";
import { createSharedContents, type SharedContents } from "./shared-contents.js";
import { createSpecExcerpts } from "./spec-excerpt.js";
import { indexOfFields, operationOf, type WrittenEndpoint } from "./written-endpoint.js";

export interface ReferenceOptions {
  /** The specification of a target; undefined if it could not be read, which is already reported. */
  readonly spec: (source: string) => ApiSpec | undefined;
  readonly api: ApiConfig;
  /** Reads untrusted Markdown as blocks: tags are not components, nothing is evaluated. */
  readonly readMarkdown: (text: string) => RootContent[];
  /** Whether to add the specification itself, for AI agents. */
  readonly excerpts: boolean;
}

export interface ReferencePage {
  /** Messages in the language of the page. */
  readonly messages: Messages;
  /** The description already shown under the title. */
  readonly description?: string;
  /** The page's own content, which comes first; its examples replace generated ones. */
  readonly own?: readonly RootContent[];
  /**
   * What its front matter says about the playground, and the files of the playground; without the files it has none.
   */
  readonly playground?: { readonly display: unknown; readonly assets: PlaygroundAssets | undefined };
}

export interface ReferenceContent {
  readonly tree: RootContent[];
  readonly diagnostics: readonly Diagnostic[];
  /** Files that the page loads when a reader opens the playground. */
  readonly files: readonly ReferenceFile[];
}

export interface Reference {
  /**
   * The content of a page of the API reference, as a tree of the content stage.
   *
   * Fails: what the specification lacks is left out; without a specification only the page's own content is returned. A
   *        page that would grow too large omits its deepest fields and reports it.
   */
  content(target: ApiTarget, page: ReferencePage): ReferenceContent;
  /** The same for a page that describes an endpoint with fields of its own; undefined if it names no endpoint. */
  written(endpoint: WrittenEndpoint, page: ReferencePage): ReferenceContent | undefined;
}

/** One for each thread; what is computed for a specification is shared by all its pages. */
export function createReference(options: ReferenceOptions): Reference {
  const describe = createDescriber(options.readMarkdown);
  const known = new Map<string, SpecContext | undefined>();
  const contextOf = (source: string): SpecContext | undefined => {
    if (known.has(source)) return known.get(source);
    const spec = options.spec(source);
    const context = spec && specContext(spec);
    known.set(source, context);
    return context;
  };

  const pageContext = (found: SpecContext, { messages, playground }: ReferencePage): PageContext => {
    const { api } = options;
    const offered = createPlayground(displayOf(playground?.display, api), playground?.assets);
    return createPageContext(found, { api, messages, describe, playground: offered });
  };

  return {
    content(target, page) {
      const { own = [] } = page;
      const found = contextOf(target.spec);
      const context = found && pageContext(found, page);
      const subject = context && subjectOf(context, target);
      if (!context || !subject) return { tree: [...own], diagnostics: [], files: [] };
      context.outline.open();
      const generated = subject.write();
      const tree = [
        ...generated.filter(isHeader),
        ...restOfDescription(subject.description, page.description, describe.page),
        ...withExamples(
          [...own, ...generated.filter((node) => !isHeader(node) && !isExample(node))],
          generated.filter(isExample),
        ),
        ...(options.excerpts ? [excerptNode(context, target)] : []),
      ];
      const { files } = context.playground;
      return { tree, diagnostics: context.outline.isCut() ? [tooLarge(context, subject.pointer)] : [], files };
    },
    written(endpoint, page) {
      const { own = [] } = page;
      const made = operationOf(endpoint, own, options.api.mdx);
      if (made === undefined) return undefined;
      const context = pageContext(specContext(made.spec), page);
      const write = operationPart(context, made.subject);
      context.outline.open();
      const generated = write();
      const at = indexOfFields(own);
      const rest = generated.filter((node) => !isHeader(node) && !isExample(node));
      const tree = [
        ...generated.filter(isHeader),
        ...withExamples([...own.slice(0, at), ...rest, ...own.slice(at)], generated.filter(isExample)),
      ];
      return { tree, diagnostics: [], files: context.playground.files };
    },
  };
}

function specContext(spec: ApiSpec): SpecContext {
  const references = createReferences(spec);
  const reader = createSchemaReader(references);
  return {
    spec,
    references,
    reader,
    sampler: createSampler(reader),
    sharedIn: sharedContentsByWords(),
    excerpt: createSpecExcerpts(spec, references),
  };
}

function sharedContentsByWords(): SpecContext["sharedIn"] {
  const known = new Map<Messages, SharedContents>();
  return (messages) => {
    const contents = known.get(messages) ?? createSharedContents();
    known.set(messages, contents);
    return contents;
  };
}

/** The subject of a page, with its schemas added to the outline. */
interface Subject {
  readonly written: JsonObject;
  readonly description: string | undefined;
  readonly pointer: string;
  readonly write: Part;
}

function subjectOf(context: PageContext, target: ApiTarget): Subject | undefined {
  const { spec, references } = context;
  const { document } = spec;
  switch (target.kind) {
    case "operation":
    case "webhook": {
      const isWebhook = target.kind === "webhook";
      const path = isWebhook ? target.name : target.path;
      const holder = isWebhook ? "webhooks" : "paths";
      const pathItem = references.followObject(member(document[holder], path));
      const written = member(pathItem, target.method);
      if (pathItem === undefined || !isObject(written)) return undefined;
      return {
        written,
        description: textAt(written, "description") ?? textAt(pathItem, "description"),
        pointer: pointerTo(holder, path, target.method),
        write: operationPart(context, { pathItem, written, method: target.method, path, isWebhook }),
      };
    }
    case "schema": {
      const schema = member(member(document["components"], "schemas"), target.name);
      if (schema === undefined) return undefined;
      const { description } = context.reader.flatten(schema);
      return {
        written: isObject(schema) ? schema : {},
        description,
        pointer: pointerTo("components", "schemas", target.name),
        write: schemaPart(context, schema, target.name),
      };
    }
    case "channel": {
      const written = member(document["channels"], target.name);
      const channel = references.follow(written);
      if (!isObject(channel)) return undefined;
      return {
        written: channel,
        description: textAt(channel, "description") ?? textAt(channel, "summary"),
        pointer: pointerTo("channels", target.name),
        write: channelPart(context, channel),
      };
    }
  }
}

const isComponent = (node: RootContent, name: string): boolean =>
  (node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement") && node.name === name;
const isHeader = (node: RootContent): boolean => isComponent(node, "ApiHeader");

const examples = ["RequestExample", "ResponseExample"];
const isExample = (node: RootContent): boolean => examples.some((name) => isComponent(node, name));

/**
 * Adds the generated examples that the page does not have itself, even within a panel. Requests come before responses.
 */
function withExamples(nodes: readonly RootContent[], made: readonly RootContent[]): RootContent[] {
  const missing = made.filter((each) => {
    const name = examples.find((one) => isComponent(each, one))!;
    return !nodes.some((node) => holds(node, name));
  });
  const requests = missing.filter((each) => isComponent(each, "RequestExample"));
  const at = nodes.findIndex((node) => isComponent(node, "ResponseExample"));
  if (at < 0) return [...nodes, ...missing];
  return [
    ...nodes.slice(0, at),
    ...requests,
    ...nodes.slice(at),
    ...missing.filter((each) => !requests.includes(each)),
  ];
}

const holds = (node: RootContent, name: string): boolean =>
  isComponent(node, name) ||
  ("children" in node &&
    node.data?.props !== undefined &&
    node.children.some((child) => holds(child as RootContent, name)));

/** The part of a description that is not shown under the title. */
function restOfDescription(
  whole: string | undefined,
  shown: string | undefined,
  read: (markdown: string) => RootContent[],
): RootContent[] {
  if (whole === undefined) return [];
  const text = whole.trim();
  const rest = text.slice(lengthOfStart(text, shown?.trim() ?? ""));
  return rest === "" ? [] : read(rest);
}

/** The length of the start of a text that is already shown, ignoring line breaks; 0 if the text begins differently. */
function lengthOfStart(text: string, shown: string): number {
  let at = 0;
  for (const word of shown.split(/\s+/)) {
    if (!text.startsWith(word, at)) return 0;
    gap.lastIndex = at + word.length;
    at = gap.lastIndex + gap.exec(text)![0].length;
  }
  return at;
}
/** White space, and the backslash of a hard line break. */
const gap = /(?:\s|\\(?=\r?\n))*/y;

/** Only AI agents see this. */
const excerptNode = ({ spec, excerpt }: PageContext, target: ApiTarget): RootContent =>
  component("Visibility", { for: "agents" }, [
    { type: "heading", depth: 2, children: [text(spec.format === "openapi" ? "OpenAPI" : "AsyncAPI")] },
    fence("yaml", excerpt(target)),
  ]);

const tooLarge = ({ spec }: PageContext, pointer: string): Diagnostic => ({
  code: "API_PAGE_TOO_LARGE",
  severity: "warning",
  what: `The schemas of this page hold more than the ${maxFields} fields, or the ${maxDepth} levels, that one page can show; the deepest are left out.`,
  location: spec.locationOf(pointer),
  fix: "give large parts a page of their own with openapi-schema, or split the operation.",
});
