import type { ElementContent } from "hast";
import type { JsxChild, JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { type Raw, raw } from "../../../lib/jsx/raw.js";
import { fill, type Messages } from "../../../lib/language/index.js";
import { fragmentOf } from "../../../lib/url/index.js";
import type { LinkTarget } from "../definition.js";
import icons from "../icons.json" with { type: "json" };
import type { CalloutKind } from "./kinds.js";
import { asPhrasing, hasContent, hasInteractive } from "./nodes.js";

/** Joins class names. Empty and absent ones are left out; without any, the result is undefined. */
export function classes(...names: readonly (string | false | undefined)[]): string | undefined {
  const joined = names.filter((name) => name).join(" ");
  return joined === "" ? undefined : joined;
}

/** A part of a component. Its name is its class, and the hook by which style sheets of sites select it. */
export function Part(props: { readonly as?: "span"; readonly name: string; readonly children: JsxChild }): JsxNode {
  const Tag = props.as ?? "div";
  return (
    <Tag class={props.name} data-component-part={props.name}>
      {props.children}
    </Tag>
  );
}

/** Icons of the components: 24-unit outlines in the colour of the text around them. */

type ControlIcon = keyof typeof icons.controls;

/** @param size width and height in CSS pixels. */
const outline = (paths: string, size: number, attributes = ""): Raw =>
  raw(
    `<svg${attributes} width="${size}" height="${size}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${paths}</svg>`,
  );

export const calloutIcon = (kind: CalloutKind): Raw => outline(icons.callouts[kind], 20);

export const controlIcon = (name: ControlIcon, size = 16): Raw =>
  outline(icons.controls[name], size, ' class="control-icon"');

/** Attributes of an `a`. By default, a link to another host opens a new tab. */
export function linkAttributes(target: LinkTarget, newTab: boolean = target.external) {
  return newTab ? { href: target.href, target: "_blank", rel: "noopener noreferrer" } : { href: target.href };
}

interface LinkBoxProps {
  readonly attributes: Readonly<Record<string, string | undefined>>;
  readonly target: LinkTarget | undefined;
  readonly newTab?: boolean | undefined;
  readonly title: ElementContent[] | undefined;
  /** Content of the box besides its title. */
  readonly parts: readonly (ElementContent[] | undefined)[];
  /** Writes the content of the box with its title. */
  readonly contentOf: (title: ElementContent[] | JsxNode | undefined) => JsxChild;
}

/**
 * A box that is a link if it has a target. If it contains links or controls, only its title is the link, which the style
 * sheet stretches over the box. Without a title, that link shows its address.
 */
export function linkBox({ attributes, target, newTab, title, parts, contentOf }: LinkBoxProps): JsxNode {
  if (target === undefined) return <div {...attributes}>{contentOf(title)}</div>;
  const link = linkAttributes(target, newTab);
  if (![title, ...parts].some(hasInteractive))
    return (
      <a {...attributes} {...link}>
        {contentOf(title)}
      </a>
    );
  const stretchedTitle = (
    <a class="stretched-link" {...link}>
      {hasContent(title) ? asPhrasing(title) : target.href}
    </a>
  );
  return <div {...attributes}>{contentOf(stretchedTitle)}</div>;
}

interface DisclosureProps {
  readonly class?: string;
  readonly id?: string;
  readonly open?: boolean;
  /** Becomes `data-prefix`. */
  readonly prefix?: string;
  /** Names the parts: `accordion-button`, `accordion-content`. */
  readonly part: string;
  /** Phrasing content that is always visible. */
  readonly summary: JsxChild;
  readonly children: JsxChild;
}

/** Content that opens and closes without a script, and that the browser's search can find. */
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

/** The link of a heading to itself. It has no text, which would be copied and indexed with the heading. */
export function HeadingAnchor(props: {
  readonly id: string;
  readonly label: string;
  readonly messages: Messages;
}): JsxNode {
  return (
    <a
      class="heading-anchor"
      href={fragmentOf(props.id)}
      aria-label={fill(props.messages.linkToSection, props.label)}
    />
  );
}

export const MethodPill = ({ method }: { readonly method: string }): JsxNode => (
  <span class="method-pill" data-method={method.toUpperCase()}>
    {method.toUpperCase()}
  </span>
);

/** Splits a name where a line may break: after signs, before a segment of a path, and before a capital letter. */
export const splitName = (text: string): string[] =>
  text.split(/(?<=\w[-_.~:,;=&?+@])(?=[^\W_])|(?<=[^/\s])(?=\/[^/])|(?<=[a-z\d])(?=[A-Z][a-z])/);

/** @param shortest least UTF-16 code units between two breaks, since a page may have hundreds of long names. */
export function withBreaks(text: string, shortest = 1) {
  const parts: string[] = [];
  for (const part of splitName(text)) {
    const last = parts.length - 1;
    if (last >= 0 && parts[last]!.length < shortest) parts[last] += part;
    else parts.push(part);
  }
  return parts.flatMap((part, i) => (i === 0 ? [part] : [<wbr />, part]));
}
