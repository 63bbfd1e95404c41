import type { JsxChild, JsxNode } from "../../../lib/jsx/jsx-runtime.js";

export interface DisclosureProps {
  readonly class?: string;
  readonly id?: string;
  readonly open?: boolean;
  /** Value of `data-prefix`. */
  readonly prefix?: string;
  /** Names the parts: `accordion-button`, `accordion-content`. */
  readonly part: string;
  /** Phrasing content, shown also while closed. */
  readonly summary: JsxChild;
  readonly children: JsxChild;
}

/** Content that opens and closes natively, so it works without a script and can be found in the page. */
export function Disclosure(props: DisclosureProps): JsxNode {
  const { part } = props;
  return (
    <details class={props.class} id={props.id} open={props.open ? true : undefined} data-prefix={props.prefix}>
      <summary class={`${part}-button`} data-component-part={`${part}-button`}>
        <span class="disclosure-mark" data-component-part={`${part}-caret-right`} />
        {props.summary}
      </summary>
      <div class={`${part}-content`} data-component-part={`${part}-content`}>
        {props.children}
      </div>
    </details>
  );
}
