/** Outlines of the icons that scripts draw, in the style of the theme's own: 24 units wide, round ends. */
export const arrowDown = "M12 5v14M6 13l6 6 6-6";
export const arrowUp = "M12 19V5M6 11l6-6 6 6";
export const ask =
  "M12 3l1.9 5.6a2 2 0 001.5 1.5L21 12l-5.6 1.9a2 2 0 00-1.5 1.5L12 21l-1.9-5.6a2 2 0 00-1.5-1.5L3 12l5.6-1.9a2 2 0 001.5-1.5z";
export const calendar = "M5 6h14v14H5zM5 10h14M9 3.5V7M15 3.5V7";
export const chevron = "M9 6l6 6-6 6";
export const close = "M6 6l12 12M18 6L6 18";
export const copy = "M9 9h9a2 2 0 012 2v7a2 2 0 01-2 2h-7a2 2 0 01-2-2zM5 15V6a2 2 0 012-2h8";
export const code = "M9 8l-4 4 4 4M15 8l4 4-4 4";
export const compose = "M12 20h8M16.5 4.5a2.1 2.1 0 013 3L8 19l-4 1 1-4z";
export const download = "M12 4v11m-5-5l5 5 5-5M5 20h14";
export const enter = "M19 6v6a2 2 0 01-2 2H6M10 10l-4 4 4 4";
export const expand = "M14 5h5v5M19 5l-6 6M10 19H5v-5M5 19l6-6";
export const link = "M10 14a4 4 0 005.7 0l3-3A4 4 0 0013 5.3l-1 1M14 10a4 4 0 00-5.7 0l-3 3A4 4 0 0011 18.7l1-1";
export const page = "M14 3H7a2 2 0 00-2 2v14a2 2 0 002 2h10a2 2 0 002-2V8zM14 3v5h5M9 13h6M9 17h4";
export const plus = "M12 5v14M5 12h14";
export const recent = "M12 4a8 8 0 108 8M12 8v4.5l3 1.8M20 4v4.5h-4.5";
export const quote = "M5 6h14M5 12h14M5 18h8";
export const search = "M11 4a7 7 0 100 14 7 7 0 000-14zM16.2 16.2L20 20";
export const section = "M5 9h14M5 15h14M10.5 4l-2 16M15.5 4l-2 16";
export const send = "M5 12h14M13 6l6 6-6 6";
export const shrink = "M19 10h-5V5M20 4l-6 6M5 14h5v5M4 20l6-6";
export const stop = "M7 7h10v10H7z";
export const thumbDown =
  "M17 14V3M9 18.1L10 14H4.2a2 2 0 01-1.9-2.6l2.3-7A2 2 0 016.5 3H20a2 2 0 012 2v7a2 2 0 01-2 2h-2.8a2 2 0 00-1.8 1.1L12 22a3.1 3.1 0 01-3-3.9z";
export const thumbUp =
  "M7 10v11M15 5.9L14 10h5.8a2 2 0 011.9 2.6l-2.3 7a2 2 0 01-1.9 1.4H4a2 2 0 01-2-2v-7a2 2 0 012-2h2.8a2 2 0 001.8-1.1L12 2a3.1 3.1 0 013 3.9z";
export const wrap = "M4 6h16M4 12h13a3 3 0 010 6h-4M15 15l-3 3 3 3M4 18h4";
