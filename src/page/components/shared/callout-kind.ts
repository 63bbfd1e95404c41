import icons from "../icons.json" with { type: "json" };

export type CalloutKind = keyof typeof icons.callouts;

/** What other tools call these kinds. */
const otherNames: Readonly<Record<string, CalloutKind>> = {
  caution: "warning",
  error: "danger",
  important: "info",
  success: "check",
};

export const calloutNames: readonly string[] = [...Object.keys(icons.callouts), ...Object.keys(otherNames)];

/** The kind with this name, ignoring case; undefined for an unknown name. */
export function calloutKindOf(word: string | undefined): CalloutKind | undefined {
  const name = word?.trim().toLowerCase() ?? "";
  if (Object.hasOwn(icons.callouts, name)) return name as CalloutKind;
  return Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;
}
