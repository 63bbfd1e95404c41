import type { Json } from "../json/index.js";
import { PatternError } from "../regexp/parse-pattern.js";
import { readTextPattern, type TextPattern } from "./text-pattern.js";

/** An invalid JSONPath. The message completes a sentence after "because". */
export class JsonPathError extends Error {}

const maxLength = 4000;
const maxNested = 30;

/** @throws {JsonPathError} */
export function parseJsonPath(text: string): readonly Segment[] {
  if (text.length > maxLength) throw new JsonPathError(`it is longer than ${maxLength} characters`);
  return new Parser(text.trim()).path();
}

class Parser {
  #at = 0;
  #depth = 0;

  constructor(private readonly text: string) {}

  path(): Segment[] {
    if (!this.#take("$")) this.#fail('it must begin with "$"');
    const segments: Segment[] = [];
    for (this.#skip(); this.#at < this.text.length; this.#skip()) segments.push(this.#segment());
    return segments;
  }

  #segment(): Segment {
    const descendants = this.#take("..");
    if (this.#take("[")) return { descendants, selectors: this.#bracket() };
    if (!descendants && !this.#take(".")) this.#fail(`"${this.text[this.#at]}" is unexpected`);
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
    const text = this.#match(/(-?\d{1,9})?\s*:\s*(-?\d{1,9})?(?:\s*:\s*(-?\d{1,9})?)?/y);
    if (text === undefined) return undefined;
    const [start, end, step] = text.split(":").map((part) => (part.trim() === "" ? undefined : Number(part)));
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
    if (++this.#depth > maxNested) this.#fail("its filter is nested too deeply");
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
      if (++this.#depth > maxNested) this.#fail("its filter is nested too deeply");
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
    const call = this.#call();
    if (call?.gives === "truth") return call.filter;
    const at = this.#at;
    const query = call === undefined ? this.#query() : undefined;
    if (call === undefined && query === undefined) {
      const left = this.#literal();
      return this.#comparison(left) ?? this.#fail("a comparison was expected");
    }
    const left = call?.operand ?? { kind: "query", query: query! };
    const comparison = this.#comparison(left, at);
    if (comparison !== undefined) return comparison;
    return query === undefined ? this.#fail("a comparison was expected") : { kind: "exists", query };
  }

  /** @param at the position of `left`. */
  #comparison(left: Operand, at = this.#at): Filter | undefined {
    this.#skip();
    const operator = this.#match(/==|!=|<=|>=|<|>/y);
    if (operator === undefined) return undefined;
    return { kind: "compare", left: this.#single(left, at), operator, right: this.#operand() };
  }

  /** A value to compare, or the argument of a function. */
  #operand(): Operand {
    this.#skip();
    const at = this.#at;
    const call = this.#call();
    if (call?.gives === "truth") this.#fail("match() and search() are true or false and cannot be compared");
    if (call !== undefined) return call.operand;
    const query = this.#query();
    return query === undefined ? this.#literal() : this.#single({ kind: "query", query }, at);
  }

  /** A path that can select several values cannot be compared. */
  #single(operand: Operand, at: number): Operand {
    if (operand.kind !== "query" || isSingular(operand.query)) return operand;
    this.#at = at;
    return this.#fail("a path that selects one value was expected; count() and value() take other paths");
  }

  #call(): Call | undefined {
    const name = this.#match(/[a-z][a-z0-9_]*\(/y)?.slice(0, -1);
    if (name === undefined) return undefined;
    if (++this.#depth > maxNested) this.#fail("its filter is nested too deeply");
    const call = this.#callOf(name);
    this.#skip();
    this.#want(")");
    this.#depth--;
    return call;
  }

  #callOf(name: string): Call {
    switch (name) {
      case "length":
        return { gives: "value", operand: { kind: name, of: this.#operand() } };
      case "count":
      case "value":
        this.#skip();
        return {
          gives: "value",
          operand: { kind: name, query: this.#query() ?? this.#fail(`a path was expected in ${name}()`) },
        };
      case "match":
      case "search": {
        const text = this.#operand();
        this.#skip();
        this.#want(",");
        return { gives: "truth", filter: { kind: name, text, pattern: this.#pattern() } };
      }
    }
    return this.#fail(`there is no function ${name}()`);
  }

  #pattern(): Extract<Filter, { kind: "match" | "search" }>["pattern"] {
    const operand = this.#operand();
    if (operand.kind !== "literal" || typeof operand.value !== "string") return operand;
    try {
      return { kind: "pattern", pattern: readTextPattern(operand.value) };
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      return this.#fail(error.message);
    }
  }

  #literal(): Operand {
    const text = this.#string();
    if (text !== undefined) return { kind: "literal", value: text };
    const number = this.#match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y);
    if (number !== undefined) return { kind: "literal", value: Number(number) };
    const word = this.#match(/(?:true|false|null)\b/y);
    if (word !== undefined) return { kind: "literal", value: JSON.parse(word) as Json };
    return this.#fail('"@", a string, a number, true, false, null or a function was expected');
  }

  #query(): Query | undefined {
    const from = this.#take("@") ? "@" : this.#take("$") ? "$" : undefined;
    if (from === undefined) return undefined;
    const segments: Segment[] = [];
    for (;;) {
      const at = this.#at;
      this.#skip();
      if (this.text[this.#at] !== "[" && this.text[this.#at] !== ".") {
        this.#at = at;
        break;
      }
      segments.push(this.#segment());
    }
    return { from, segments };
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
    const match = pattern.exec(this.text)?.[0];
    if (match !== undefined) this.#at += match.length;
    return match;
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

type Call =
  | { readonly gives: "value"; readonly operand: Operand }
  | { readonly gives: "truth"; readonly filter: Filter };

/** Whether a path selects at most one value. */
const isSingular = ({ segments }: Query): boolean =>
  segments.every(
    ({ descendants, selectors: [selector, ...others] }) =>
      !descendants && others.length === 0 && (selector?.kind === "name" || selector?.kind === "index"),
  );

function unescaped(escaped: string): string {
  if (escaped.startsWith("u") && escaped.length === 5)
    return String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
  return escapes[escaped] ?? escaped;
}
const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/** A segment of a parsed JSONPath. */
export interface Segment {
  /** `..`: applies to the value and everything in it. */
  readonly descendants: boolean;
  readonly selectors: readonly Selector[];
}
type Step = { readonly kind: "name"; readonly name: string } | { readonly kind: "index"; readonly index: number };

/** A slice of a list; absent bounds are as in JavaScript's `slice`, in the direction of `step`, which is not 0. */
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
  | { readonly kind: "exists"; readonly query: Query }
  | { readonly kind: "compare"; readonly left: Operand; readonly operator: string; readonly right: Operand }
  /** `match` tests the whole text, `search` any part. A literal expression is parsed with the path. */
  | {
      readonly kind: "match" | "search";
      readonly text: Operand;
      readonly pattern: Operand | { readonly kind: "pattern"; readonly pattern: TextPattern };
    };

/** An operand: one value, or nothing. */
export type Operand =
  | { readonly kind: "literal"; readonly value: Json }
  | { readonly kind: "query"; readonly query: Query }
  | { readonly kind: "length"; readonly of: Operand }
  | { readonly kind: "count" | "value"; readonly query: Query };

/** A path within a filter. */
export interface Query {
  /** Relative to the current value, or to the whole document. */
  readonly from: "@" | "$";
  readonly segments: readonly Segment[];
}
