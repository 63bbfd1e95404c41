import type { Json } from "../api-spec.js";

export interface Segment {
  /** `..`: of the value and everything in it. */
  readonly descendants: boolean;
  readonly selectors: readonly Selector[];
}
export type Step =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "index"; readonly index: number };
/** Of a list; what is absent is as in JavaScript's `slice`, in the direction of `step`, which is not 0. */
export interface Slice {
  readonly kind: "slice";
  readonly start?: number;
  readonly end?: number;
  readonly step: number;
}
export type Selector = Step | Slice | { readonly kind: "all" } | { readonly kind: "filter"; readonly filter: Filter };

export type Filter =
  | { readonly kind: "or" | "and"; readonly parts: readonly Filter[] }
  | { readonly kind: "not"; readonly part: Filter }
  | { readonly kind: "exists"; readonly operand: Operand }
  | { readonly kind: "compare"; readonly left: Operand; readonly operator: string; readonly right: Operand };
export type Operand =
  | { readonly kind: "literal"; readonly value: Json }
  /** From the value that is looked at. */
  | { readonly kind: "path"; readonly steps: readonly Step[] };

/** What is no JSONPath, or a part of it that is not read. */
export class JsonPathError extends Error {}

const longestPath = 4000;
const mostNested = 30;

/** @throws {JsonPathError} */
export function parseJsonPath(text: string): readonly Segment[] {
  if (text.length > longestPath) throw new JsonPathError(`it is longer than ${longestPath} characters`);
  return new Parser(text.trim()).path();
}

class Parser {
  #at = 0;
  #depth = 0;

  constructor(private readonly text: string) {}

  path(): Segment[] {
    if (!this.#take("$")) this.#fail('it does not begin with "$"');
    const segments: Segment[] = [];
    for (this.#skip(); this.#at < this.text.length; this.#skip()) segments.push(this.#segment());
    return segments;
  }

  #segment(): Segment {
    const descendants = this.#take("..");
    if (this.#take("[")) return { descendants, selectors: this.#bracket() };
    if (!descendants && !this.#take(".")) this.#fail(`"${this.text[this.#at]}" was not expected`);
    if (this.#take("*")) return { descendants, selectors: [{ kind: "all" }] };
    return { descendants, selectors: [{ kind: "name", name: this.#name() }] };
  }

  #bracket(): Selector[] {
    const selectors: Selector[] = [];
    do {
      this.#skip();
      if (this.#take("*")) selectors.push({ kind: "all" });
      else if (this.#take("?")) selectors.push({ kind: "filter", filter: this.#or() });
      else selectors.push(this.#slice() ?? this.#step());
      this.#skip();
    } while (this.#take(","));
    this.#want("]");
    return selectors;
  }

  #slice(): Slice | undefined {
    const found = this.#match(/(-?\d{1,9})?\s*:\s*(-?\d{1,9})?(?:\s*:\s*(-?\d{1,9})?)?/y);
    if (found === undefined) return undefined;
    const [start, end, step] = found.split(":").map((part) => (part.trim() === "" ? undefined : Number(part)));
    return { kind: "slice", start, end, step: step ?? 1 };
  }

  #step(): Step {
    const text = this.#string();
    if (text !== undefined) return { kind: "name", name: text };
    const number = this.#match(/-?\d{1,9}/y);
    if (number === undefined) this.#fail("a name in quotes, a number or * was expected");
    return { kind: "index", index: Number(number) };
  }

  #or(): Filter {
    if (++this.#depth > mostNested) this.#fail("its filter is nested too deep");
    const parts = [this.#and()];
    while (this.#taken("||")) parts.push(this.#and());
    this.#depth--;
    return parts.length === 1 ? parts[0]! : { kind: "or", parts };
  }

  #and(): Filter {
    const parts = [this.#test()];
    while (this.#taken("&&")) parts.push(this.#test());
    return parts.length === 1 ? parts[0]! : { kind: "and", parts };
  }

  #test(): Filter {
    this.#skip();
    if (this.#take("!")) {
      if (++this.#depth > mostNested) this.#fail("its filter is nested too deep");
      const part = this.#test();
      this.#depth--;
      return { kind: "not", part };
    }
    if (this.#take("(")) {
      const filter = this.#or();
      this.#skip();
      this.#want(")");
      return filter;
    }
    const left = this.#operand();
    this.#skip();
    const operator = this.#match(/==|!=|<=|>=|<|>/y);
    if (operator !== undefined) return { kind: "compare", left, operator, right: this.#operand() };
    if (left.kind === "literal") this.#fail("a comparison was expected");
    return { kind: "exists", operand: left };
  }

  #operand(): Operand {
    this.#skip();
    if (this.#take("@")) return { kind: "path", steps: this.#steps() };
    const text = this.#string();
    if (text !== undefined) return { kind: "literal", value: text };
    const number = this.#match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y);
    if (number !== undefined) return { kind: "literal", value: Number(number) };
    const word = this.#match(/(?:true|false|null)\b/y);
    if (word !== undefined) return { kind: "literal", value: JSON.parse(word) as Json };
    if (/[a-z_]/.test(this.text[this.#at] ?? "")) this.#fail("functions like length() are not read");
    return this.#fail('"@", a text, a number, true, false or null was expected');
  }

  #steps(): Step[] {
    const steps: Step[] = [];
    for (;;) {
      if (this.text.startsWith("..", this.#at)) this.#fail('".." in a filter is not read');
      if (this.#take("[")) {
        this.#skip();
        steps.push(this.#step());
        this.#skip();
        this.#want("]");
      } else if (this.#take(".")) steps.push({ kind: "name", name: this.#name() });
      else return steps;
    }
  }

  #name(): string {
    return this.#match(/[\p{L}\p{N}_$-]+/uy) ?? this.#fail("a name was expected");
  }

  #string(): string | undefined {
    const quoted = this.#match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/sy);
    return quoted?.slice(1, -1).replace(/\\(u[0-9a-fA-F]{4}|.)/gs, (_, escaped: string) => unescaped(escaped));
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #take(token: string): boolean {
    if (!this.text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }

  #taken(token: string): boolean {
    this.#skip();
    return this.#take(token);
  }

  #want(token: string): void {
    if (!this.#take(token)) this.#fail(`"${token}" was expected`);
  }

  #skip(): void {
    while (/\s/.test(this.text[this.#at] ?? "")) this.#at++;
  }

  #fail(reason: string): never {
    throw new JsonPathError(`${reason} (character ${this.#at + 1})`);
  }
}

function unescaped(escaped: string): string {
  if (escaped.startsWith("u") && escaped.length === 5)
    return String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
  return escapes[escaped] ?? escaped;
}
const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };
