/** The /64 network of an IPv6 address, which one client usually has for itself. */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [before = "", after] = address.toLowerCase().split("::");
  const groups = (text: string): string[] => text.split(":").filter((group) => group !== "");
  const first = groups(before);
  const last = groups(after ?? "");
  const zeros = after === undefined ? [] : Array(Math.max(0, 8 - first.length - last.length)).fill("0");
  return [...first, ...zeros, ...last]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}
