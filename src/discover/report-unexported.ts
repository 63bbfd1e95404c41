import type { NavContainer, NavEntry, Navigation, NavPage } from "../config/site-config.js";
import type { Diagnostic } from "../diagnostic/diagnostic.js";
import type { PageSource } from "./plan-pages.js";
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

/** Reports pages whose front matter names an API operation, schema or channel: once, for a site may have hundreds. */
export function reportApiPages(pages: readonly PageSource[]): readonly Diagnostic[] {
  const generated = pages.filter(({ frontmatter }) => specificationKeys.some((key) => frontmatter[key] !== undefined));
  const first = generated[0];
  if (!first) return [];
  const others = generated.length - 1;
  const count = others === 0 ? "" : ` and ${others} other page${others === 1 ? "" : "s"}`;
  const verb = others === 0 ? "takes its" : "take their";
  const place = { sourcePath: first.sourcePath };
  return [notGenerated(`${first.sourcePath}${count} ${verb} content from an API specification`, place)];
}
const specificationKeys = ["openapi", "openapi-schema", "asyncapi"];

function notGenerated(fact: string, place: Diagnostic["place"]): Diagnostic {
  return {
    code: "API_PAGE_NOT_GENERATED",
    severity: "warning",
    what: `${fact}; this version exports no pages made from API specifications.`,
    place,
    fix: "write the pages by hand, or leave them out until a later version.",
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
