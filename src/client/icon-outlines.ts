/** Outlines of the icons that scripts draw, in the style of the theme's own: 24 units wide, round ends. */
export const chevron = "M9 6l6 6-6 6";
export const close = "M6 6l12 12M18 6L6 18";
export const copy = "M9 9h9a2 2 0 012 2v7a2 2 0 01-2 2h-7a2 2 0 01-2-2zM5 15V6a2 2 0 012-2h8";
export const enter = "M19 6v6a2 2 0 01-2 2H6M10 10l-4 4 4 4";
export const page = "M14 3H7a2 2 0 00-2 2v14a2 2 0 002 2h10a2 2 0 002-2V8zM14 3v5h5M9 13h6M9 17h4";
export const plus = "M12 5v14M5 12h14";
export const recent = "M12 4a8 8 0 108 8M12 8v4.5l3 1.8M20 4v4.5h-4.5";
export const search = "M11 4a7 7 0 100 14 7 7 0 000-14zM16.2 16.2L20 20";
export const section = "M5 9h14M5 15h14M10.5 4l-2 16M15.5 4l-2 16";
export const send = "M5 12h14M13 6l6 6-6 6";
export const wrap = "M4 6h16M4 12h13a3 3 0 010 6h-4M15 15l-3 3 3 3M4 18h4";
