import type { Diagnostic } from "../../lib/diagnostic/index.js";
import type { NavContainer, Navigation } from "../config/index.js";

/**
 * Reports containers of the navigation without any entry.
 *
 * @param navigation with the pages of specifications.
 * @param unread specifications that could not be read; they are reported already.
 */
export function reportEmpty(navigation: Navigation, unread: ReadonlySet<string>): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const visit = (node: NavContainer, inherited: string | undefined): void => {
    const [own] = [node.openapi, node.asyncapi, node.graphql, node.arazzo].flatMap((refs) => refs?.[0] ?? []);
    const specification = own?.source ?? inherited;
    for (const child of [...node.children, ...(node.global ?? [])])
      if (child.kind !== "page") visit(child, specification);
    const isEmpty = node.children.length === 0 && !node.root && !node.href;
    if (isEmpty && !(specification && unread.has(specification))) diagnostics.push(empty(node, specification));
  };
  const [ofAll] = [navigation.openapi, navigation.asyncapi, navigation.graphql, navigation.arazzo].flatMap(
    (refs) => refs[0]?.source ?? [],
  );
  for (const child of [...navigation.children, ...navigation.global]) if (child.kind !== "page") visit(child, ofAll);
  return diagnostics;
}

function empty(node: NavContainer, specification: string | undefined): Diagnostic {
  const fact = specification === undefined ? "has no entries" : `gets no pages from ${specification}`;
  return {
    code: "NAVIGATION_EMPTY",
    severity: "warning",
    what: `The ${node.kind} "${node.label}" ${fact}, so it is not shown.`,
    location: node.location,
    fix:
      specification === undefined
        ? "list pages in it or remove it."
        : "list pages in it, name another specification, or remove it.",
  };
}
