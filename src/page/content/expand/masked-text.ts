/** Restores the placeholders in strings of the tree: fills in variables, and everything else as typed. */
import type { Text } from "mdast";
import type { Location } from "../../../lib/diagnostic/index.js";
import type { Scope } from "../expressions/scope.js";
import { type Span, splitMasked } from "../parse/mask-source.js";
import type { Variables } from "../variables.js";

/** Splits a text into strings and the spans that become nodes (formulas, tags). */
export function splitText(node: Text, scope: Scope, variables: Variables): (string | Span)[] {
  const pieces: (string | Span)[] = [];
  let words = "";
  const flush = (): void => {
    if (words !== "") pieces.push(words);
    words = "";
  };
  for (const part of splitMasked(node.value, scope.module.parsed.spans, node.position?.start.offset ?? 0)) {
    if (typeof part === "string") words += part;
    else if (part.kind === "literal") words += part.value;
    else if (part.kind === "variable") words += variableOf(part, scope, variables);
    else if (part.kind !== "drop") {
      flush();
      pieces.push(part);
    }
  }
  flush();
  return pieces;
}

/**
 * @param offset where the string starts in the source, or before.
 * @param reports whether variables that are not defined are reported.
 */
export function unmaskedText(
  text: string,
  offset: number,
  scope: Scope,
  variables: Variables,
  reports: boolean,
): string {
  const { source, sourcePath, parsed } = scope.module;
  const locate = (typed: string): Location => {
    const { line, column } = scope.pointAt(Math.max(offset, source.indexOf(typed, offset)));
    return { sourcePath, line, column, length: typed.length };
  };
  if (parsed.spans.length === 0) return variables.fill(text, reports ? locate : undefined);
  return splitMasked(text, parsed.spans, offset)
    .map((part) => {
      // The scan skips tags, so their properties still have variables as typed.
      if (typeof part === "string") return variables.fill(part, reports ? locate : undefined);
      return part.kind === "variable" ? variableOf(part, scope, variables) : typedText(part, scope);
    })
    .join("");
}

const variableOf = (span: Span, scope: Scope, variables: Variables): string =>
  variables.named(span.value, typedText(span, scope), locationOfSpan(span, scope));

/** What is dropped (a comment, the angles around an address) is dropped from addresses, too. */
const typedText = (span: Span, scope: Scope): string =>
  span.kind === "literal" || span.kind === "drop" ? span.value : scope.module.source.slice(span.start, span.end);

function locationOfSpan(span: Span, scope: Scope): Location {
  const { line, column } = scope.pointAt(span.start);
  return { sourcePath: scope.module.sourcePath, line, column, length: span.end - span.start };
}
