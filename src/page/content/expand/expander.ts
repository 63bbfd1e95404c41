/**
 * Expands a parsed file into the page's tree in one walk: placeholders become formulas and variables, expressions values,
 * imported components their content, JSX attributes properties.
 */
import type { Code, InlineCode, Nodes, Paragraph, Root, RootContent, Text } from "mdast";
import type { Location } from "../../../lib/diagnostic/index.js";
import { withoutIndent } from "../../../lib/plain-text.js";
import { createInterpreter, type Interpreter } from "../expressions/interpret.js";
import { createScope, type Mode, type Scope } from "../expressions/scope.js";
import { Closure, Stop, type Value } from "../expressions/values.js";
import { nodeLocation } from "../location.js";
import { diagnosticsOf, type MarkdownModule } from "../modules.js";
import type { JsxElement } from "../page-content.js";
import type { PageState } from "../page-state.js";
import type { Span } from "../parse/mask-source.js";
import { copyNodes, inlineOnly, isBlock, liftLoneJsx, maxTreeDepth, splitParagraph, wrapLoose } from "../tree-shape.js";
import { createVariables, type Variables } from "../variables.js";
import { evaluateAttributes } from "./evaluate-attributes.js";
import type { Expansion, ExpansionOptions } from "./expansion.js";
import { expressionNodes, shownAt } from "./expression-nodes.js";
import { tagIsland } from "./islands.js";
import { evaluateJsx } from "./jsx-expression.js";
import { splitText, unmaskedText } from "./masked-text.js";
import { ownName, ownProps, reportOtherName, titleTabs } from "./other-tools.js";
import {
  type ComponentUse,
  expandPageComponent,
  findPageComponent,
  takesFunctions,
  takesHtml,
} from "./page-components.js";
import { reportAdmonition, reportUnclosedFence, reportUnknownProps, tooDeep, tooManyNodes } from "./reports.js";
import type { Shown } from "./show-value.js";

export class Expander implements Expansion {
  readonly interpreter: Interpreter;
  readonly variables: Variables;
  private depth = 0;
  /** Lists of nodes that the page shows already. */
  private readonly shownOnce = new WeakSet<readonly RootContent[]>();

  constructor(
    readonly page: PageState,
    readonly options: ExpansionOptions,
  ) {
    this.interpreter = createInterpreter(page.budget, (node, env) => evaluateJsx(node, env, this));
    this.variables = createVariables(options.variables, page);
  }

  expandPage(module: MarkdownModule): Root {
    this.reportFile(module);
    const { tree } = module.parsed;
    const scope = this.scopeOf(module);
    // As in MDX, a component that is the default export is the layout of its page.
    const { declarations, exports } = module.parts;
    const exported = exports.get("default");
    const named = declarations.find(({ names }) => names[0] === exported)?.names[1];
    const name = named ?? exported;
    const { position } = tree.children.find(({ type }) => type === "mdxjsEsm") ?? tree;
    const whole = { type: "mdxJsxFlowElement", name, attributes: [], children: tree.children, position };
    const hasLayout = name !== undefined && findPageComponent(name, scope.env, {}, this) !== undefined;
    const shown = hasLayout ? [whole as unknown as RootContent] : tree.children;
    return { ...tree, children: this.children(shown, scope, "block") };
  }

  reportFile(module: MarkdownModule): void {
    for (const diagnostic of diagnosticsOf(module)) this.page.report(diagnostic);
  }

  scopeOf(module: MarkdownModule, props?: { readonly [key: string]: Value }): Scope {
    return createScope(module, this, props);
  }

  children(nodes: readonly RootContent[], scope: Scope, mode: Mode): RootContent[] {
    const out: RootContent[] = [];
    if (nodes.length === 0) return out;
    if (this.depth >= maxTreeDepth) {
      this.page.reportOnce("NESTING_TOO_DEEP", () => tooDeep(nodeLocation(nodes[0]!, scope.module.sourcePath)));
      return out;
    }
    this.depth++;
    for (const node of nodes) this.node(node, scope, mode, out);
    this.depth--;
    return out;
  }

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
    if (!this.spendNodes(1, () => nodeLocation(node, scope.module.sourcePath))) return;
    switch (node.type) {
      case "text":
        this.text(node, scope, out);
        return;
      case "paragraph":
        this.paragraph(node, scope, mode, out);
        return;
      case "code":
        this.page.budget.nodes -= extraNodes.code;
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
        out.push(...expressionNodes(node, scope, mode, this));
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

  /** Whether the page may have this many more nodes. Reports the first excess. */
  private spendNodes(count: number, location: () => Location): boolean {
    this.page.budget.nodes -= count;
    if (this.page.budget.nodes >= 0) return true;
    this.page.reportOnce("PAGE_TOO_MANY_NODES", () => tooManyNodes(location()));
    return false;
  }

  /** Expands only the strings and children of a node. */
  private other(node: RootContent, scope: Scope): RootContent {
    const copy = this.own(node, scope);
    if (scope.module.parsed.spans.length > 0 || this.variables.any) {
      const strings = copy as unknown as Record<string, unknown>;
      for (const key of ["url", "title", "alt", "label", "identifier", "value"]) {
        const value = strings[key];
        if (typeof value === "string") strings[key] = this.unmaskedText(value, scope, node);
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

  /** The node itself if it is the page's own; a marked copy if it is of a file that pages share. */
  private own<T extends RootContent>(node: T, scope: Scope): T {
    if (!scope.shared) return node;
    return { ...node, data: { ...node.data, sourcePath: scope.sourcePath } };
  }

  private text(node: Text, scope: Scope, out: RootContent[]): void {
    if (scope.module.parsed.spans.length === 0) {
      out.push(this.own(node, scope));
      return;
    }
    for (const part of splitText(node, scope, this.variables))
      if (typeof part === "string") out.push(this.own({ ...node, value: part }, scope));
      else this.span(part, scope, out);
  }

  private span(span: Span, scope: Scope, out: RootContent[]): void {
    const position = { start: scope.pointAt(span.start), end: scope.pointAt(span.end) };
    if (span.kind === "tag") {
      for (const node of this.options.parseTag(span.value)) {
        const type = node.type === "mdxJsxFlowElement" ? "mdxJsxTextElement" : node.type;
        this.node({ ...node, type, position } as RootContent, scope, "inline", out);
      }
    } else {
      const location = () => nodeLocation({ position }, scope.module.sourcePath);
      if (!this.spendNodes(1 + extraNodes.formula, location)) return;
      const type = span.kind === "displayMath" ? "math" : "inlineMath";
      out.push(this.own({ type, value: span.value, position } as RootContent, scope));
    }
  }

  unmaskedText(text: string, scope: Scope, node: RootContent): string {
    return unmaskedText(text, node.position?.start.offset ?? 0, scope, this.variables, node.type.startsWith("mdxJsx"));
  }

  private paragraph(node: Paragraph, scope: Scope, mode: Mode, out: RootContent[]): void {
    const lone = liftLoneJsx(node);
    if (lone !== undefined) {
      for (const child of lone) this.node(child, scope, mode, out);
      return;
    }
    reportAdmonition(node, scope, this.page);
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
    reportUnclosedFence(node, scope, this.page);
    if (node.lang === "math" && !node.meta && this.options.latex)
      return this.own({ type: "math", value: node.value, position: node.position } as RootContent, scope);
    const copy = this.own(node, scope);
    copy.value = this.fill(node.value, scope, node.position?.start.offset);
    if (copy.meta) copy.meta = this.fill(copy.meta, scope);
    return copy;
  }

  private inlineCode(node: InlineCode, scope: Scope): RootContent {
    const copy = this.own(node, scope);
    copy.value = this.fillCode(node.value, scope, node.position?.start.offset);
    return copy;
  }

  private fillCode(text: string, scope: Scope, start = 0): string {
    const { source, sourcePath } = scope.module;
    const locate = (typed: string): Location => {
      const { line, column } = scope.pointAt(Math.max(start, source.indexOf(typed, start)));
      return { sourcePath, line, column, length: typed.length };
    };
    return this.variables.fill(text, locate, true);
  }

  /** Fills in variables in code, and in a snippet its properties. */
  private fill(text: string, scope: Scope, start?: number): string {
    const filled = this.fillCode(text, scope, start);
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
    const { props, live } = evaluateAttributes(node, scope, this);
    const component = findPageComponent(name, scope.env, props, this);
    const shown = (): Shown => shownAt(node, scope, mode);
    if (live.length > 0 ? takesFunctions(name, component, live, this) : takesHtml(name, component, props, this)) {
      out.push(tagIsland(node, shown(), scope, this));
      return;
    }
    for (const { report } of live) report();
    if (component !== undefined) {
      // The island needs the children as written, and expanding changes the page's own nodes.
      const island =
        component instanceof Closure && !scope.shared ? { ...node, children: structuredClone(node.children) } : node;
      const use: ComponentUse = {
        ...shown(),
        name,
        props,
        isLayout: node.children === scope.module.parsed.tree.children,
        children: () => this.children(node.children as RootContent[], scope, inner),
        island: () => tagIsland(island as JsxElement, shown(), scope, this),
      };
      out.push(...expandPageComponent(component, use, this));
      return;
    }
    const likely = ownName(name, this.options.builtIns);
    const ownProperties = ownProps(likely ?? name, props);
    // A button that is no link runs code.
    const other = likely === "a" && ownProperties["href"] === undefined ? undefined : likely;
    const ownTag = other ?? name;
    if (this.options.builtIns.has(ownTag)) this.page.budget.nodes -= extraNodes.component;
    if (other !== undefined) reportOtherName(this.page, node, other, nodeLocation(node, scope.module.sourcePath));
    const typed = ownTag === "CodeBlock" || ownTag === "Mermaid" ? textAsTyped(node, scope.module.source) : undefined;
    const titles = ownTag === "Tabs" && Array.isArray(props["items"]) ? props["items"] : undefined;
    if (other === undefined && titles === undefined) reportUnknownProps(node, scope, this);
    const copy = this.own(node as RootContent, scope) as JsxElement;
    const children: RootContent[] =
      typed === undefined
        ? this.children(node.children as RootContent[], scope, inner)
        : [{ type: "text", value: this.fill(typed, scope), position: node.position }];
    if (titles) titleTabs(children, titles);
    copy.name = ownTag;
    copy.data = {
      ...(scope.sourcePath === undefined ? {} : { sourcePath: scope.sourcePath }),
      ...(node.data?.isMisnamed && { isMisnamed: true }),
      props: other === undefined && name !== "a" ? props : ownProperties,
    };
    copy.children = children as typeof copy.children;
    out.push(copy as RootContent);
  }

  /** Content that is shown for the first time needs no copy: a copy at each level of nested components would be costly. */
  copies(nodes: readonly RootContent[], mode: Mode, location: Location): RootContent[] {
    const copied = this.shownOnce.has(nodes) ? copyNodes(nodes, () => void this.page.budget.nodes--) : [...nodes];
    this.shownOnce.add(nodes);
    if (!this.spendNodes(0, () => location)) return [];
    return mode === "inline" && copied.length === 1 ? inlineOnly(copied) : copied;
  }
}

/** The text of an element with the lines and marks that Markdown would remove; undefined if it contains tags, fences or values. */
function textAsTyped({ children }: JsxElement, source: string): string | undefined {
  const isText = (node: Nodes | JsxElement["children"][number]): boolean => {
    if (node.type === "mdxFlowExpression" || node.type === "mdxTextExpression")
      return !/^\s*(?:["'`]|[\w$.]*\s*$)/.test(node.value);
    if (node.type === "code" || node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement") return false;
    return !("children" in node) || node.children.every(isText);
  };
  const start = children[0]?.position?.start.offset;
  const end = children.at(-1)?.position?.end.offset;
  if (start === undefined || end === undefined || !children.every(isText)) return undefined;
  const lineStart = source.lastIndexOf("\n", start - 1) + 1;
  const typed = source.slice(/\S/.test(source.slice(lineStart, start)) ? start : lineStart, end);
  return withoutIndent(`\n${typed}`)
    .slice(1)
    .replace(/\\(?=[{}<])/g, "");
}

/** How many more nodes than a paragraph these count: even empty ones become some hundred bytes of HTML. */
const extraNodes = { code: 4, formula: 2, component: 1 } as const;

const blockParents = new Set(["blockquote", "listItem", "footnoteDefinition"]);
/** Nodes whose children are rows, cells and items. */
const structural = new Set(["list", "table", "tableRow"]);
