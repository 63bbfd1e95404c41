/** What expressions evaluate to, and the names in scope. */
import type { Function as EstreeFunction, Node } from "estree-jsx";
import { nearestName } from "../../../lib/diagnostic/index.js";
import type { JsxTree, PropValue } from "../page-content.js";

/** A value while a page is read: data that a property can hold, or something that only components can use. */
export type Value = PropValue | Opaque | readonly Value[] | { readonly [key: string]: Value };

/** A value that cannot be shown, compared or read. */
export abstract class Opaque {}

/** A function of the page. It can be called as a component if it does nothing but return JSX. */
export class Closure extends Opaque {
  constructor(
    readonly node: EstreeFunction,
    readonly env: Environment,
  ) {
    super();
  }
}
/** The default export of an `.mdx` or `.md` file. */
export class Snippet extends Opaque {
  constructor(readonly sourcePath: string) {
    super();
  }
}
/** A value that only a JavaScript engine can provide: a class, or an import of a script. */
export class Foreign extends Opaque {}

/** Evaluated on first use, since exports and imports can be anywhere in a file. */
export class Lazy {
  private state: "new" | "busy" | "done" = "new";
  private value: Value;
  private stop: Stop | undefined;

  constructor(private readonly evaluate: () => Value) {}

  get(name: string): Value {
    if (this.state === "busy") throw new Stop("undefined", name);
    if (this.state === "new") {
      this.state = "busy";
      try {
        this.value = this.evaluate();
      } catch (error) {
        if (!(error instanceof Stop)) throw error;
        this.stop = error;
      }
      this.state = "done";
    }
    if (this.stop !== undefined) throw this.stop;
    return this.value;
  }
}

/** The text that an expression was parsed from, so that it can be shown as written and located. */
export interface CodeText {
  readonly text: string;
  readonly sourcePath: string;
  /** Where the text begins in the file; both from 1. */
  readonly line: number;
  readonly column: number;
  /** Characters added before the text when it was parsed. */
  readonly shift: number;
}

/** Names in scope, innermost first. */
export class Environment {
  private readonly names = new Map<string, Value | Lazy>();

  constructor(
    readonly code: CodeText,
    readonly parent?: Environment,
  ) {}

  define(name: string, value: Value | Lazy): void {
    this.names.set(name, value);
  }
  has(name: string): boolean {
    return this.names.has(name) || this.parent?.has(name) === true;
  }
  /** @throws {Stop} if the name is not defined. */
  lookup(name: string): Value {
    for (let env: Environment | undefined = this; env !== undefined; env = env.parent) {
      if (env.names.has(name)) {
        const value = env.names.get(name);
        return value instanceof Lazy ? value.get(name) : value;
      }
    }
    throw new Stop("undefined", name, undefined, this);
  }
  /** The name of the file that is most like another one. */
  nearest(name: string): string | undefined {
    const own = [...this.names.keys()].filter((each) => each !== "user");
    return nearestName(name, own) ?? this.parent?.nearest(name);
  }
}

/** Evaluates an expression. @throws {Stop} */
export type Evaluate = (node: Node, env: Environment) => Value;

/**
 * Why an expression has no value. `undefined`: the name is not defined. `missing`: its import does not exist, which has
 * been reported. `text`: it is probably not meant as code (`{4|5}`), so it is shown as typed. `javascript`: only a
 * JavaScript engine can run it. `limit`: it gets too large.
 */
export class Stop {
  constructor(
    readonly reason: "undefined" | "missing" | "text" | "javascript" | "limit",
    readonly detail: string,
    readonly node?: Node,
    /** Where a name is not defined. */
    readonly env?: Environment,
  ) {}
}

/** What evaluating the rest of a page may use. */
export interface Budget {
  /** Visited nodes of expressions. */
  steps: number;
  /** Characters of new text. */
  chars: number;
  /** Nodes of the tree. */
  nodes: number;
}
export const createBudget = (): Budget => ({ steps: 200_000, chars: 8 * 1024 * 1024, nodes: 200_000 });

export const isJsxTree = (value: Value): value is JsxTree =>
  typeof value === "object" &&
  value !== null &&
  (value as { type?: unknown }).type === "jsxTree" &&
  Object.hasOwn(value, jsxTreeMark);

/** Distinguishes our trees from objects of the page that only look like one. */
const jsxTreeMark = Symbol("jsxTree");
export function jsxTree(children: JsxTree["children"]): JsxTree {
  const tree: JsxTree = { type: "jsxTree", children };
  Object.defineProperty(tree, jsxTreeMark, { value: true });
  return tree;
}

/** An object literal of the page. */
export const isPlainObject = (value: Value): value is { readonly [key: string]: Value } =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Opaque) &&
  !isJsxTree(value);
