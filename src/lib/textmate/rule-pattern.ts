import type { Range } from "./line.js";
import type { RawRules } from "./raw-grammar.js";

/** A pattern of a rule. Its `\A` and `\G` match only at the start of a block or right after a match. */
export class RulePattern {
  readonly hasAnchors: boolean;
  /** Numbers of `\1` and the like, which in an `end` refer to groups of the `begin`. */
  readonly references: readonly number[];
  /** Numbers of the groups whose ranges are used. */
  readonly groups: readonly number[];
  readonly hasGroups: boolean;
  private readonly source: string;

  /** @param written may be missing or not a string. @param moreGroups groups that others than the captures use. */
  constructor(
    written: unknown,
    readonly captures: RawRules | undefined,
    moreGroups: readonly number[] = [],
  ) {
    const source = typeof written === "string" ? written : neverInCode;
    this.source = source.includes("\\z") ? replaceEscapes(source, { z: "$(?!\\n)(?<!\\n)" }) : source;
    this.hasAnchors = /\\[AG]/.test(source);
    this.references = Array.from(source.matchAll(/\\(\d+)/g), ([, index]) => Number(index));
    this.groups = [...groupsIn(captures), ...moreGroups];
    this.hasGroups = this.groups.some((group) => group > 0);
  }

  /** @param closing replaces the pattern: the pattern with its references filled in. */
  at(atFirst: boolean, atAnchor: boolean, closing: string | undefined): string {
    const source = closing ?? this.source;
    if (!this.hasAnchors || (atFirst && atAnchor)) return source;
    const never = `\\${neverInCode}`;
    return replaceEscapes(source, { ...(atFirst ? {} : { A: never }), ...(atAnchor ? {} : { G: never }) });
  }

  /** Fills in the references. @param texts of the groups of the `begin`. */
  withReferences(texts: readonly string[]): string {
    return this.source.replace(/\\(\d+)/g, (_, index: string) =>
      (texts[Number(index)] ?? "").replace(/[-\\{}*+?|^$.,[\]()#\s]/g, "\\$&"),
    );
  }
}

/** U+FFFF never occurs in the text, so a pattern with it cannot match. */
const neverInCode = "\uffff";

const replaceEscapes = (source: string, by: Readonly<Record<string, string>>): string =>
  source.replace(/\\(.)/gs, (whole, char: string) => by[char] ?? whole);

/** The groups of captures, and those whose text is part of the name of a scope. */
const groupsIn = (captures: RawRules | undefined): number[] =>
  Object.entries(captures ?? {}).flatMap(([key, capture]) => [
    Number.parseInt(key, 10),
    ...new ScopeName(capture?.name).groups,
    ...new ScopeName(capture?.contentName).groups,
  ]);

const groupSigns = /\$(\d+)|\$\{(\d+):\/(downcase|upcase)\}/g;

/** The scopes that a rule gives to its match: names separated by blanks, in which `$1` is the text of a group. */
export class ScopeName {
  /** Numbers of the groups it uses. */
  readonly groups: readonly number[];
  private readonly written: string | undefined;

  constructor(written: unknown) {
    this.written = typeof written === "string" && written !== "" ? written : undefined;
    this.groups = this.written?.includes("$")
      ? Array.from(this.written.matchAll(groupSigns), ([, plain, changed]) => Number(plain ?? changed))
      : [];
  }

  in(text: string, groups: readonly Range[]): string | undefined {
    if (this.groups.length === 0) return this.written;
    return this.written!.replace(
      groupSigns,
      (whole, plain: string | undefined, changed: string, change: string | undefined) => {
        const group = groups[Number(plain ?? changed)];
        if (!group) return whole;
        const groupText = text.slice(group.start, group.end).replace(/^\.+/, "");
        return change === "downcase"
          ? groupText.toLowerCase()
          : change === "upcase"
            ? groupText.toUpperCase()
            : groupText;
      },
    );
  }
}
