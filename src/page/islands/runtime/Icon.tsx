/** @jsxImportSource preact */
import { h, type VNode } from "preact";
import icons from "../../components/icons.json" with { type: "json" };
import type { CalloutKind } from "../../components/shared/callout-kind.js";
import { classes, type Props } from "./props.js";

type Icons = ReadonlyMap<string, string>;

/** The icon of a name, the image of an address, or the given element. */
export function iconOf(icons: Icons, icon: unknown, more: Props = {}): VNode | null {
  if (typeof icon !== "string") return icon ? <>{icon}</> : null;
  const svg = icons.get(icon);
  if (svg !== undefined) return drawing(svg, more);
  if (!/^https?:|\/|\.\w+$/.test(icon)) return null;
  return <img class="icon-image" alt="" width={24} height={24} {...more} src={icon} />;
}

export const createIcon =
  (icons: Icons) =>
  ({ icon, name, src, color, size, className }: Props): VNode | null => {
    const pixels = Math.min(Number(size), 1000);
    return iconOf(icons, icon ?? name ?? src, {
      class: classes("icon", pixels > 0 && "icon-sized", className),
      ...(pixels > 0 && { width: pixels, height: pixels }),
      ...(color ? { color } : {}),
    });
  };

interface OpenElement {
  readonly type: string;
  readonly props: Record<string, string>;
  readonly children: VNode[];
}

/** Converts an outline to elements, since hosts with Trusted Types forbid `innerHTML`. It has elements and attributes only. */
function drawing(svg: string, more: Readonly<Record<string, unknown>> = {}): VNode | null {
  const open: OpenElement[] = [{ type: "", props: {}, children: [] }];
  for (const [, end, type, attributes] of svg.matchAll(/<(\/?)([\w-]+)([^<>]*)>/g)) {
    if (!end) {
      const props: Record<string, string> = {};
      for (const [, name, value] of attributes!.matchAll(/([\w:-]+)="([^"]*)"/g)) props[name!] = value!;
      open.push({ type: type!, props, children: [] });
    }
    if ((end || attributes!.endsWith("/")) && open.length > 1) {
      const closed = open.pop()!;
      const props = open.length === 1 ? { ...closed.props, ...more } : closed.props;
      open.at(-1)!.children.push(h(closed.type, props, closed.children));
    }
  }
  return open[0]!.children[0] ?? null;
}

const outline = (paths: string, size: number, attributes = ""): VNode | null =>
  drawing(
    `<svg${attributes} width="${size}" height="${size}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${paths}</svg>`,
  );

export const calloutIcon = (kind: CalloutKind): VNode | null => outline(icons.callouts[kind], 20);

export const controlIcon = (name: keyof typeof icons.controls, size = 16): VNode | null =>
  outline(icons.controls[name], size, ' class="control-icon"');
