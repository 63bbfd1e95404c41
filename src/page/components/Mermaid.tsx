import { escapeMarkup } from "../../lib/html/escape.js";
import { CodeFrame } from "./CodeBlock.js";
import type { CommonProps, Component } from "./definition.js";
import { hastText } from "./parts/nodes.js";

interface MermaidProps extends CommonProps {
  readonly chart?: string;
}

/** A diagram given as text. Render draws it like a fence; what reaches this function is shown as its text. */
export function Mermaid({ chart, children, className, messages }: MermaidProps) {
  if (chart === undefined && children.some((node) => node.type === "element")) return <>{children}</>;
  const lines = (chart ?? hastText(children))
    .replace(/^\s*\n|\s+$/g, "")
    .split("\n")
    .map((line) => `<span class="line">${escapeMarkup(line)}</span>`);
  return (
    <CodeFrame
      language="mermaid"
      html={lines.join("\n")}
      lineCount={lines.length}
      className={className}
      messages={messages}
    />
  );
}

export const mermaid: Component = {
  props: { chart: "text" },
  render: Mermaid,
};
