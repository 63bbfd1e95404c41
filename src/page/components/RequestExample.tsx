import { CodeGroup, type CodeGroupProps } from "./CodeGroup.js";
import type { Component } from "./definition.js";
import { hasContent } from "./parts/nodes.js";

/** Examples of a request, next to the page on wide screens: code blocks as a group, other content unchanged. */
export function RequestExample(props: CodeGroupProps) {
  const { items = [], children } = props;
  if (items.length === 0 && !hasContent(children)) return <></>;
  return (
    <div class="api-example" id={props.id} data-component-part="request-example">
      <CodeGroup {...props} id={undefined} />
    </div>
  );
}

export const requestExample: Component = {
  props: { dropdown: "boolean" },
  items: ["code"],
  id: { from: [], fixed: "request-example" },
  panel: true,
  render: RequestExample,
};
