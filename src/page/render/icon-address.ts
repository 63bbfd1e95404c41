import { writeHtml } from "../../lib/html/write-html.js";
import { svgUrl } from "../../lib/svg-url.js";
import type { IconLibrary } from "../../site/config/index.js";
import type { IconPort } from "./ports.js";

/** Folders of Font Awesome's styles, as every copy of it names them. */
const styles = /^(?:sharp-)?(?:solid|regular|light|thin|duotone|brands)$/;

/** Folders of other libraries anywhere in a path. */
const libraries: readonly (readonly [folder: RegExp, library: IconLibrary])[] = [
  [/\/(?:lucide|lucide-static)(?:@[\w.-]+)?\//, "lucide"],
  [/\/(?:@tabler\/icons|tabler|tabler-icons)(?:@[\w.-]+)?\//, "tabler"],
];

/**
 * Our own icon for the address of one on another host, such as `https://icons.example.com/v6/regular/bolt.svg`: its path
 * ends with the style and the name, whatever the host. A drawing as an address; undefined for other files, and for icons
 * that the bundled sets lack.
 */
export function iconAtAddress(icons: IconPort, url: string): string | undefined {
  const [, path, folder = "", name = ""] =
    /^(?:https?:)?\/\/[^/?#]+((?:\/[^?#]*)?\/([^/?#]+)\/([a-z\d-]+)\.svg)(?:[?#]|$)/.exec(url) ?? [];
  if (path === undefined) return undefined;
  const library = styles.test(folder) ? "fontawesome" : libraries.find(([form]) => form.test(path))?.[1];
  if (library === undefined) return undefined;
  const style = library === "fontawesome" ? { style: folder } : {};
  const { node, diagnostics } = icons.icon({ name, library, ...style });
  if (node?.type !== "element" || node.tagName !== "svg" || diagnostics.length > 0) return undefined;
  const { viewBox } = node.properties;
  const properties = { xmlns: "http://www.w3.org/2000/svg", viewBox: viewBox! };
  return svgUrl(writeHtml({ ...node, properties }));
}
