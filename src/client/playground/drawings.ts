/** Outlines of the playground, in the hand of the theme's own drawings. */
export const outlines = {
  close: "M6 6l12 12M18 6L6 18",
  chevron: "M9 6l6 6-6 6",
  plus: "M12 5v14M5 12h14",
  copy: "M9 9h9a2 2 0 012 2v7a2 2 0 01-2 2h-7a2 2 0 01-2-2zM5 15V6a2 2 0 012-2h8",
  send: "M5 12h14M13 6l6 6-6 6",
  key: "M14.5 9.5a5 5 0 11-1.6-3.7 5 5 0 011.6 3.7zM13.5 12.5L20 19M17 16l2-2",
} as const;
