/** Reads properties, which may be strings: `"true"` means true. */
import { type ComponentChildren, toChildArray, type VNode } from "preact";

export type Props = Readonly<Record<string, unknown>> & { readonly children?: ComponentChildren };

export const classes = (...names: readonly unknown[]): string | undefined =>
  names.filter((name) => typeof name === "string" && name !== "").join(" ") || undefined;

/** An attribute without a value is true. */
export const isTrue = (value: unknown): boolean => /^true$/i.test(String(value));

export const childList = (nodes: unknown): (VNode<Props> | string | number)[] =>
  toChildArray(nodes as ComponentChildren) as (VNode<Props> | string | number)[];

export const hasContent = (nodes: unknown): boolean =>
  childList(nodes).some((node) => typeof node === "object" || String(node).trim() !== "");

const interactive = /^(?:a|audio|button|details|embed|iframe|input|label|object|select|summary|textarea|video)$/;

/** Whether a link must not contain the nodes. Components count, since they may render such elements. */
export const hasInteractive = (nodes: unknown): boolean =>
  childList(nodes).some(
    (node) =>
      typeof node === "object" &&
      (typeof node.type !== "string" || interactive.test(node.type) || hasInteractive(node.props.children)),
  );

export const nodeText = (nodes: unknown): string =>
  childList(nodes)
    .map((node) => (typeof node === "object" ? nodeText(node.props.children) : node))
    .join("");

export const handlersOf = (props: Props): Record<string, unknown> =>
  Object.fromEntries(Object.entries(props).filter(([name]) => /^on[A-Z]/.test(name)));
