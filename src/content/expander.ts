/**
 * Turns a parsed file into the page's tree in one walk: placeholders become formulas and variables, expressions their
 * values, imports the content they name, JSX attributes their properties.
 */
import type { Code, InlineCode, Paragraph, Root, RootContent, Text } from "mdast";
import type { Position } from "unist";
import type { Place } from "../diagnostic/diagnostic.js";
import { evaluateAttributes } from "./attributes.js";
import { type ComponentUse, expandComponent, findComponent } from "./components.js";
import type { ReadExpression } from "./expression-reader.js";
import { createInterpreter, type Interpreter } from "./interpret.js";
import { evaluateJsx } from "./jsx-expression.js";
import { splitMasked } from "./mask-source.js";
import { type FrameSources, frameOf } from "./module-frames.js";
import { diagnosticsOf, type MarkdownModule } from "./modules.js";
import type { JsxElement } from "./page-content.js";
import type { PageRun } from "./page-run.js";
import { createPointFinder, type PointFinder, placeOf } from "./place.js";
import type { Span } from "./scan-source.js";
import { nodesOfValue, showStopped } from "./show-value.js";
import { copyNodes, inlineOnly, isBlock, liftLoneJsx, maxTreeDepth, splitParagraph, wrapLoose } from "./tree-shape.js";
import { Frame, Stop, type Value } from "./values.js";
import { createVariables, type Variables } from "./variables.js";

/** `block`: text needs a paragraph around it. `jsx`: text may stand as it is. `inline`: within a line of text. */
export type Mode = "block" | "jsx" | "inline";

/** The file whose nodes are being walked, and the names they see. */
export interface Scope {
  readonly module: MarkdownModule;
  readonly frame: Frame;
  /** Set on every node of a file that is not the page. */
  readonly sourcePath?: string;
  /** Properties that replace `{name}` in fences. */
  readonly fills?: ReadonlyMap<string, string>;
  /** The file is shared between pages: its nodes are copied, not changed. */
  readonly shared: boolean;
  readonly pointAt: PointFinder;
}

export interface ExpanderOptions extends FrameSources {
  readonly readExpression: ReadExpression;
  readonly variables: Readonly<Record<string, string>>;
  /** Whether formulas are read. */
  readonly latex: boolean;
  /** A tag that the parser did not see, as nodes: for repairs. */
  readonly parseTag: (source: string) => RootContent[];
}

export class Expander {
  readonly interpreter: Interpreter;
  readonly variables: Variables;
  private depth = 0;

  constructor(
    readonly run: PageRun,
    readonly options: ExpanderOptions,
  ) {
    this.interpreter = createInterpreter(run.budget, (node, frame) => evaluateJsx(node, frame, this));
    this.variables = createVariables(options.variables, run);
  }

  expandPage(module: MarkdownModule): Root {
    this.reportFile(module);
    const children = this.children(module.parsed.tree.children, this.scopeOf(module), "block");
    return { ...module.parsed.tree, children };
  }

  /** What parsing a file has found; once in a page. */
  reportFile(module: MarkdownModule): void {
    for (const diagnostic of diagnosticsOf(module)) this.run.report(diagnostic);
  }

  /** @param props set for a file that is used as a component. */
  scopeOf(module: MarkdownModule, props?: { readonly [key: string]: Value }): Scope {
    let frame = frameOf(module, this.run, this.interpreter, this.options);
    const isPage = module.sourcePath === this.run.sourcePath;
    const fills = new Map<string, string>();
    if (props !== undefined) {
      const outer = frame;
      frame = new Frame(outer.code, outer);
      if (!outer.has("props")) frame.define("props", props);
      for (const [name, value] of Object.entries(props)) {
        if (!outer.has(name)) frame.define(name, value);
        if (typeof value === "string" || typeof value === "number") fills.set(name, String(value));
      }
    }
    return {
      module,
      frame,
      shared: !isPage,
      pointAt: createPointFinder(module.source),
      ...(isPage ? {} : { sourcePath: module.sourcePath }),
      ...(fills.size === 0 ? {} : { fills }),
    };
  }

  children(nodes: readonly RootContent[], scope: Scope, mode: Mode): RootContent[] {
    const out: RootContent[] = [];
    if (nodes.length === 0) return out;
    if (this.depth >= maxTreeDepth) {
      this.reportDeep(nodes[0], scope);
      return out;
    }
    this.depth++;
    for (const node of nodes) this.node(node, scope, mode, out);
    this.depth--;
    return out;
  }

  /** One level further in, for elements that code makes. @throws {Stop} where no page goes. */
  deeper<T>(make: () => T): T {
    if (this.depth >= maxTreeDepth) throw new Stop("limit", `elements are nested more than ${maxTreeDepth} deep`);
    this.depth++;
    try {
      return make();
    } finally {
      this.depth--;
    }
  }

  private node(node: RootContent, scope: Scope, mode: Mode, out: RootContent[]): void {
    if (--this.run.budget.nodes < 0) {
      this.reportTooMany(placeOf(node, scope.module.sourcePath));
      return;
    }
    switch (node.type) {
      case "text":
        this.text(node, scope, out);
        return;
      case "paragraph":
        this.paragraph(node, scope, mode, out);
        return;
      case "code":
        out.push(this.code(node, scope));
        return;
      case "inlineCode":
        out.push(this.inlineCode(node, scope));
        return;
      case "mdxJsxFlowElement":
      case "mdxJsxTextElement":
        this.element(node as JsxElement, scope, mode, out);
        return;
      case "mdxFlowExpression":
      case "mdxTextExpression":
        this.expression(node, scope, mode, out);
        return;
      case "mdxjsEsm":
        return;
      case "heading": {
        const id = scope.module.parsed.headingIds.get(node.position?.start.line ?? 0);
        const copy = this.own(node, scope);
        if (id !== undefined) copy.data = { ...copy.data, id };
        copy.children = inlineOnly(this.children(node.children, scope, "inline")) as typeof copy.children;
        out.push(copy);
        return;
      }
      default:
        out.push(this.other(node, scope));
    }
  }

  /** A node that needs nothing but its strings and children looked at. */
  private other(node: RootContent, scope: Scope): RootContent {
    const copy = this.own(node, scope);
    if (scope.module.parsed.spans.length > 0 || this.variables.any) {
      const strings = copy as unknown as Record<string, unknown>;
      for (const key of ["url", "title", "alt", "label", "identifier", "value"]) {
        const value = strings[key];
        if (typeof value === "string") strings[key] = this.plainText(value, scope, node);
      }
    }
    if ("children" in copy) {
      const holdsBlocks = blockParents.has(copy.type);
      const children = this.children(copy.children as RootContent[], scope, holdsBlocks ? "block" : "inline");
      (copy as { children: unknown }).children =
        holdsBlocks || structural.has(copy.type) ? children : inlineOnly(children);
    }
    return copy;
  }

  /** The node itself for a page, whose tree is nobody else's; a marked copy for a shared file. */
  private own<T extends RootContent>(node: T, scope: Scope): T {
    if (!scope.shared) return node;
    return { ...node, data: { ...node.data, sourcePath: scope.sourcePath } };
  }

  private text(node: Text, scope: Scope, out: RootContent[]): void {
    const { spans } = scope.module.parsed;
    const parts = spans.length === 0 ? [] : splitMasked(node.value, spans, node.position?.start.offset ?? 0);
    if (parts.length === 0 && spans.length > 0) return;
    if (spans.length === 0 || (parts.length === 1 && typeof parts[0] === "string")) {
      out.push(this.own(node, scope));
      return;
    }
    let text = "";
    const flush = (): void => {
      if (text !== "") out.push(this.own({ ...node, value: text }, scope));
      text = "";
    };
    for (const part of parts) {
      if (typeof part === "string") text += part;
      else if (part.kind === "literal") text += part.value;
      else if (part.kind === "variable")
        text += this.variables.named(part.value, typedText(part, scope), this.placeOfSpan(part, scope));
      else if (part.kind !== "drop") {
        flush();
        this.span(part, scope, out);
      }
    }
    flush();
  }

  private span(span: Span, scope: Scope, out: RootContent[]): void {
    const position = positionOf(span, scope);
    if (span.kind === "tag") {
      for (const node of this.options.parseTag(span.value)) {
        const type = node.type === "mdxJsxFlowElement" ? "mdxJsxTextElement" : node.type;
        this.node({ ...node, type, position } as RootContent, scope, "inline", out);
      }
    } else {
      const type = span.kind === "displayMath" ? "math" : "inlineMath";
      out.push(this.own({ type, value: span.value, position } as RootContent, scope));
    }
  }

  /** A string of the tree as the writer typed it, variables filled in. */
  plainText(text: string, scope: Scope, node: { readonly position?: Position | undefined }): string {
    const { spans } = scope.module.parsed;
    if (spans.length === 0) return this.variables.fill(text);
    return splitMasked(text, spans, node.position?.start.offset ?? 0)
      .map((part) => {
        if (typeof part === "string") return part;
        const typed = typedText(part, scope);
        return part.kind === "variable"
          ? this.variables.named(part.value, typed, this.placeOfSpan(part, scope))
          : typed;
      })
      .join("");
  }

  private paragraph(node: Paragraph, scope: Scope, mode: Mode, out: RootContent[]): void {
    const lone = liftLoneJsx(node);
    if (lone !== undefined) {
      for (const child of lone) this.node(child, scope, mode, out);
      return;
    }
    const children = this.children(node.children, scope, "inline");
    if (children.length === 0) return;
    if (children.some(isBlock)) {
      out.push(...splitParagraph(this.own({ ...node, children: [] }, scope), children));
      return;
    }
    const copy = this.own(node, scope);
    copy.children = children as typeof copy.children;
    out.push(copy);
  }

  private code(node: Code, scope: Scope): RootContent {
    if (node.lang === "math" && !node.meta && this.options.latex)
      return this.own({ type: "math", value: node.value, position: node.position } as RootContent, scope);
    const copy = this.own(node, scope);
    copy.value = this.fill(node.value, scope);
    if (copy.meta) copy.meta = this.fill(copy.meta, scope);
    return copy;
  }

  private inlineCode(node: InlineCode, scope: Scope): RootContent {
    const copy = this.own(node, scope);
    copy.value = this.variables.fill(node.value);
    return copy;
  }

  /** Variables, and in a snippet the properties it was given, within code. */
  private fill(text: string, scope: Scope): string {
    const filled = this.variables.fill(text);
    const { fills } = scope;
    if (fills === undefined || !filled.includes("{")) return filled;
    return filled.replace(/\{(?:props\.)?([A-Za-z_$][\w$]*)\}/g, (typed, name: string) => fills.get(name) ?? typed);
  }

  private element(node: JsxElement, scope: Scope, mode: Mode, out: RootContent[]): void {
    const { name } = node;
    const inner: Mode = mode === "inline" ? "inline" : "jsx";
    if (name === null) {
      const children = this.children(node.children as RootContent[], scope, mode);
      out.push(...(mode === "block" ? wrapLoose(children) : children));
      return;
    }
    const props = evaluateAttributes(node, scope, this);
    const component = findComponent(name, scope.frame, props, this);
    if (component !== undefined) {
      const use: ComponentUse = {
        name,
        props,
        mode,
        position: node.position,
        place: placeOf(node, scope.module.sourcePath),
        sourcePath: scope.sourcePath,
        typed: sliceOf(node, scope),
        children: () => this.children(node.children as RootContent[], scope, inner),
      };
      out.push(...expandComponent(component, use, this));
      return;
    }
    const copy = this.own(node as RootContent, scope) as JsxElement;
    copy.data = { ...(scope.sourcePath === undefined ? {} : { sourcePath: scope.sourcePath }), props };
    copy.children = this.children(node.children as RootContent[], scope, inner) as typeof copy.children;
    out.push(copy as RootContent);
  }

  private expression(
    node: RootContent & { readonly value: string },
    scope: Scope,
    mode: Mode,
    out: RootContent[],
  ): void {
    const typed = sliceOf(node, scope);
    const parsed = this.options.readExpression(node.value);
    if (parsed.kind === "empty") return;
    const { line, column } = node.position?.start ?? { line: 1, column: 1 };
    const code = { text: node.value, sourcePath: scope.module.sourcePath, line, column: column + 1, shift: 1 };
    const shown = {
      typed,
      mode,
      position: node.position,
      place: placeOf(node, scope.module.sourcePath),
      sourcePath: scope.sourcePath,
    };
    let nodes: RootContent[];
    try {
      if (parsed.kind !== "tree") throw new Stop("text", "expression");
      nodes = nodesOfValue(this.interpreter.evaluate(parsed.node, new Frame(code, scope.frame)), shown, this);
    } catch (error) {
      nodes = showStopped(error, shown, this);
    }
    out.push(...(mode === "block" ? wrapLoose(nodes) : nodes));
  }

  /** Copies of nodes that an expression names, which may stand in several places. */
  copies(nodes: readonly RootContent[], mode: Mode, place: Place): RootContent[] {
    const copied = copyNodes(nodes, () => {
      this.run.budget.nodes--;
    });
    if (this.run.budget.nodes < 0) {
      this.reportTooMany(place);
      return [];
    }
    return mode === "inline" && copied.length === 1 ? inlineOnly(copied) : copied;
  }

  reportTooMany(place: Place): void {
    this.run.reportOnce("PAGE_TOO_MANY_NODES", () => ({
      code: "PAGE_TOO_MANY_NODES",
      severity: "error",
      what: "With its snippets put in, the page grows too large; the rest is left out.",
      place,
      fix: "split it into several pages, or put in fewer snippets.",
    }));
  }

  private reportDeep(node: RootContent | undefined, scope: Scope): void {
    this.run.reportOnce("NESTING_TOO_DEEP", () => ({
      code: "NESTING_TOO_DEEP",
      severity: "error",
      what: `Lists, quotes or elements are nested more than ${maxTreeDepth} deep; what lies deeper is left out.`,
      place: placeOf(node ?? {}, scope.module.sourcePath),
      fix: "nest less: browsers stop at 512 elements.",
    }));
  }

  private placeOfSpan(span: Span, scope: Scope): Place {
    const { line, column } = scope.pointAt(span.start);
    return { sourcePath: scope.module.sourcePath, line, column, length: span.end - span.start };
  }
}

const blockParents = new Set(["blockquote", "listItem", "footnoteDefinition"]);
/** Their children are rows, cells and items. */
const structural = new Set(["list", "table", "tableRow"]);

const typedText = (span: Span, scope: Scope): string =>
  span.kind === "literal" ? span.value : scope.module.source.slice(span.start, span.end);

const positionOf = (span: Span, scope: Scope): Position => ({
  start: scope.pointAt(span.start),
  end: scope.pointAt(span.end),
});

function sliceOf(node: { readonly position?: Position | undefined; readonly value?: string }, scope: Scope): string {
  const start = node.position?.start.offset;
  const end = node.position?.end.offset;
  return start === undefined || end === undefined ? `{${node.value ?? ""}}` : scope.module.source.slice(start, end);
}
