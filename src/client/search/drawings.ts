/** Outlines of the search, in the hand of the theme's own drawings. */
export const outlines = {
  search: "M11 4a7 7 0 100 14 7 7 0 000-14zM16.2 16.2L20 20",
  page: "M14 3H7a2 2 0 00-2 2v14a2 2 0 002 2h10a2 2 0 002-2V8zM14 3v5h5M9 13h6M9 17h4",
  section: "M5 9h14M5 15h14M10.5 4l-2 16M15.5 4l-2 16",
  recent: "M12 4a8 8 0 108 8M12 8v4.5l3 1.8M20 4v4.5h-4.5",
  enter: "M19 6v6a2 2 0 01-2 2H6M10 10l-4 4 4 4",
  close: "M6 6l12 12M18 6L6 18",
} as const;
