/** @jsxImportSource preact */
import { h, type VNode } from "preact";
import { classes, type Props } from "./props.js";

type Icons = ReadonlyMap<string, string>;

/** An icon by name, an image by address, or the given element. */
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

/** Converts an SVG of only elements and attributes to Preact elements. Hosts with Trusted Types forbid `innerHTML`. */
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

/** Icons of our own controls, copied from `page/components/icons.json`. */
const outlines = {
  arrowRight: '<path d="M5 12h14"/><path d="m13 6 6 6-6 6"/>',
  copy: '<rect x="9" y="9" width="11" height="11" rx="2"/><path d="M5 15V6a2 2 0 0 1 2-2h9"/>',
  external: '<path d="M7 17 17 7"/><path d="M8 7h9v9"/>',
};

export const controlIcon = (name: keyof typeof outlines, size = 16): VNode | null =>
  drawing(
    `<svg class="control-icon" width="${size}" height="${size}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${outlines[name]}</svg>`,
  );
