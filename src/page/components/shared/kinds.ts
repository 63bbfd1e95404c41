/** Kinds of callouts and colors of badges. The icons are elsewhere, because live components load this file in the browser. */
const kinds = ["note", "warning", "info", "tip", "check", "danger"] as const;
export type CalloutKind = (typeof kinds)[number];

/** The names of these kinds in other tools. */
const otherNames: Readonly<Record<string, CalloutKind>> = {
  caution: "warning",
  error: "danger",
  important: "info",
  success: "check",
};

export const calloutNames: readonly string[] = [...kinds, ...Object.keys(otherNames)];

/** The kind with this name, ignoring case; undefined for an unknown name. */
export function calloutKindOf(word: string | undefined): CalloutKind | undefined {
  const name = word?.trim().toLowerCase() ?? "";
  if (kinds.includes(name as CalloutKind)) return name as CalloutKind;
  return Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;
}

/** The key of the kind's icon in the icons of a live component. */
export const calloutIconKey = (kind: CalloutKind): string => `callout ${kind}`;

/** The colors of a badge. */
export const badgeColors =
  "gray blue green yellow orange red purple white surface white-destructive surface-destructive".split(" ");

/** The colors of a badge by the names that other tools have for its purpose. */
export const badgeIntents: Readonly<Record<string, string>> = {
  danger: "red",
  error: "red",
  info: "blue",
  note: "blue",
  success: "green",
  tip: "green",
  warning: "yellow",
};

/** The color with this name, ignoring case; gray for an unknown one. */
export function badgeColor(name: unknown): string {
  const color = String(name ?? "")
    .trim()
    .toLowerCase();
  return badgeColors.includes(color) ? color : (Object.hasOwn(badgeIntents, color) && badgeIntents[color]) || "gray";
}
