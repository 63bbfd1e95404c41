const browsers = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;
const systems = [
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
] as const;

/** What a person recognises: "Firefox on Linux". */
export function browserOf(userAgent: string | null): string {
  const find = (names: readonly (readonly [string, string])[]) =>
    names.find(([part]) => userAgent?.includes(part))?.[1];
  const browser = find(browsers) ?? "Unknown browser";
  const system = find(systems);
  return system === undefined ? browser : `${browser} on ${system}`;
}
