import { bundleRoot } from "../dom.js";

const names = ["href", "src", "poster", "xlinkHref"] as const;

/** Makes addresses of the site relative to the page, so that they work from disk. */
export function adaptLinks(props: Record<string, unknown>, links: ReadonlyMap<string, string>): void {
  const adapt = (written: string): string => {
    const path = links.has(written) ? written : written.replace(/[?#].*/s, "");
    return links.has(path) ? bundleRoot() + links.get(path) + written.slice(path.length) : written;
  };
  for (const name of names) {
    const written = props[name];
    if (typeof written === "string" && written[0] === "/") props[name] = adapt(written);
  }
  const style = props["style"] as Record<string, unknown> | undefined;
  for (const name in style) {
    const value = style[name];
    if (typeof value === "string")
      style[name] = value.replace(/(url\(["']?)(\/[^"')]*)/g, (_, start: string, url: string) => start + adapt(url));
  }
}
