/** The colors of a badge. */
export const badgeColors =
  "gray blue green yellow orange red purple white surface white-destructive surface-destructive".split(" ");

/** The names of other tools. */
export const badgeIntents: Readonly<Record<string, string>> = {
  danger: "red",
  error: "red",
  info: "blue",
  note: "blue",
  success: "green",
  tip: "green",
  warning: "yellow",
};

export function badgeColor(name: unknown): string {
  const color = String(name ?? "")
    .trim()
    .toLowerCase();
  return badgeColors.includes(color) ? color : (Object.hasOwn(badgeIntents, color) && badgeIntents[color]) || "gray";
}
