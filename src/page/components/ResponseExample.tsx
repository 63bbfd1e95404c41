import { CodeGroup, type CodeGroupProps } from "./CodeGroup.js";
import type { Component } from "./definition.js";
import { hasContent } from "./parts/nodes.js";

/** Examples of a response, next to the page on wide screens: code blocks as a group, other content unchanged. */
export function ResponseExample(props: CodeGroupProps) {
  const { items = [], children } = props;
  if (items.length === 0 && !hasContent(children)) return <></>;
  return (
    <div class="api-example" id={props.id} data-component-part="response-example">
      <CodeGroup {...props} id={undefined} />
    </div>
  );
}

export const responseExample: Component = {
  props: { dropdown: "boolean" },
  items: ["code"],
  id: { from: [], fixed: "response-example" },
  panel: true,
  render: ResponseExample,
};
