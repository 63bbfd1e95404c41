/** @jsxImportSource preact */
import type { VNode } from "preact";
import { drawing } from "./drawing.js";
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
