import type { JsxNode } from "../../lib/jsx/jsx-runtime.js";

/** The glyphs of the theme's own controls: 24 units, 2 wide, round ends. */
const paths = {
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6L6 18",
  chevron: "M9 6l6 6-6 6",
  down: "M6 9l6 6 6-6",
  previous: "M15 6l-6 6 6 6",
  external: "M8 8h8v8M16 8l-9 9",
  sun: "M12 8a4 4 0 100 8 4 4 0 000-8zM12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4",
  moon: "M20 14.5A8 8 0 019.5 4a8 8 0 1010.5 10.5z",
  globe:
    "M12 3a9 9 0 100 18 9 9 0 000-18zM3 12h18M12 3c2.5 2.6 3.7 5.6 3.7 9s-1.2 6.4-3.7 9c-2.5-2.6-3.7-5.6-3.7-9s1.2-6.4 3.7-9z",
  list: "M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01",
  copy: "M9 9h9a2 2 0 012 2v7a2 2 0 01-2 2h-7a2 2 0 01-2-2zM5 15V6a2 2 0 012-2h8",
  file: "M14 3H7a2 2 0 00-2 2v14a2 2 0 002 2h10a2 2 0 002-2V8zM14 3v5h5M9 13h6M9 17h4",
  download: "M12 4v11M7 10.5l5 5 5-5M4 20h16",
  print: "M7 8V3h10v5M7 18H5a2 2 0 01-2-2v-5a2 2 0 012-2h14a2 2 0 012 2v5a2 2 0 01-2 2h-2M7 14h10v7H7z",
  chat: "M21 12a8 8 0 01-11.5 7.2L4 21l1.8-5A8 8 0 1121 12z",
  search: "M11 4a7 7 0 100 14 7 7 0 000-14zM16.2 16.2L20 20",
  rss: "M5 11a8 8 0 018 8M5 5a14 14 0 0114 14M6 18h.01",
} as const;

export type GlyphName = keyof typeof paths;

export function Glyph({ name, className }: { readonly name: GlyphName; readonly className?: string }): JsxNode {
  return (
    <svg
      class={className ? `drawing ${className}` : "drawing"}
      viewBox="0 0 24 24"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  );
}
