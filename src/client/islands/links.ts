import { bundleRoot } from "../dom.js";

const names = ["href", "src", "poster", "action", "xlinkHref"] as const;

/** Makes addresses of the site relative to the page, so that they work from disk. */
export function adaptLinks(props: Record<string, unknown>, links: ReadonlyMap<string, string>): void {
  for (const name of names) {
    const written = props[name];
    if (typeof written !== "string" || written[0] !== "/") continue;
    const [, path = "", rest = ""] = /^([^?#]*)(.*)$/s.exec(written)!;
    const target = links.get(written) ?? (links.has(path) ? links.get(path) + rest : undefined);
    if (target !== undefined) props[name] = bundleRoot() + target;
  }
}
