import type { RootContent } from "mdast";

const isComponent = (node: RootContent, name: string): boolean =>
  (node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement") && node.name === name;
export const isHeader = (node: RootContent): boolean => isComponent(node, "ApiHeader");

const examples = ["RequestExample", "ResponseExample"];
export const isExample = (node: RootContent): boolean => examples.some((name) => isComponent(node, name));

/**
 * Adds the generated examples that the page does not have itself, even within a panel. Requests come before responses.
 */
export function withExamples(nodes: readonly RootContent[], made: readonly RootContent[]): RootContent[] {
  const missing = made.filter((each) => {
    const name = examples.find((one) => isComponent(each, one))!;
    return !nodes.some((node) => holds(node, name));
  });
  const requests = missing.filter((each) => isComponent(each, "RequestExample"));
  const at = nodes.findIndex((node) => isComponent(node, "ResponseExample"));
  if (at < 0) return [...nodes, ...missing];
  return [
    ...nodes.slice(0, at),
    ...requests,
    ...nodes.slice(at),
    ...missing.filter((each) => !requests.includes(each)),
  ];
}

const holds = (node: RootContent, name: string): boolean =>
  isComponent(node, name) ||
  ("children" in node &&
    node.data?.props !== undefined &&
    node.children.some((child) => holds(child as RootContent, name)));
