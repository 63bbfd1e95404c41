import type { JsxChild, JsxNode } from "../../../lib/jsx/jsx-runtime.js";

interface FactsProps {
  readonly facts: readonly (readonly [label: string, value: JsxChild])[];
}

/** What is known of one thing, as labels and values. */
export function Facts({ facts }: FactsProps): JsxNode {
  return (
    <dl class="facts">
      {facts.map(([label, value]) => (
        <div>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
