import type { NavContainer, NavEntry, Navigation, NavPage } from "../config/site-config.js";
import type { Diagnostic } from "../diagnostic/diagnostic.js";
import type { RefTarget } from "./resolve-page-refs.js";

/**
 * Reports what the navigation asks for without getting it, once for each container: pages made from an API
 * specification, which this version does not export, and containers without any entry.
 */
export function reportUnexported(
  navigation: Navigation,
  targets: ReadonlyMap<NavPage, RefTarget>,
  sourcePath: string,
): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];

  const reportOperations = (where: string, children: readonly NavEntry[]): void => {
    const operations = children.filter((child) => child.kind === "page" && targets.get(child)?.type === "operation");
    const first = operations[0];
    if (first?.kind !== "page") return;
    const count = operations.length === 1 ? "an API operation" : `${operations.length} API operations`;
    diagnostics.push(
      notGenerated(`${where} lists ${count}, "${first.ref}"${operations.length > 1 ? " first" : ""}`, first.place),
    );
  };

  const visit = (node: NavContainer, inherited: string | undefined): void => {
    const where = `The ${node.kind} "${node.label}"`;
    const specification = node.openapi?.[0]?.source ?? node.asyncapi?.[0]?.source ?? inherited;
    reportOperations(where, node.children);
    for (const child of [...node.children, ...(node.global ?? [])])
      if (child.kind !== "page") visit(child, specification);
    if (node.children.length > 0 || node.root || node.href) return;
    if (specification) diagnostics.push(notGenerated(`${where} takes its pages from ${specification}`, node.place));
    else diagnostics.push(empty(where, node));
  };

  const specification = navigation.openapi[0]?.source ?? navigation.asyncapi[0]?.source;
  reportOperations("The navigation", navigation.children);
  for (const child of [...navigation.children, ...navigation.global])
    if (child.kind !== "page") visit(child, specification);
  if (navigation.children.length === 0 && specification)
    diagnostics.push(notGenerated(`The navigation takes its pages from ${specification}`, { sourcePath }));
  return diagnostics;
}

function notGenerated(fact: string, place: Diagnostic["place"]): Diagnostic {
  return {
    code: "API_PAGE_NOT_GENERATED",
    severity: "warning",
    what: `${fact}; this version exports no pages made from API specifications.`,
    place,
  };
}

function empty(where: string, node: NavContainer): Diagnostic {
  return {
    code: "NAVIGATION_EMPTY",
    severity: "warning",
    what: `${where} has no entries, so it is not shown.`,
    place: node.place,
    fix: "list pages in it or remove it.",
  };
}
