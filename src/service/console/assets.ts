import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { builtFile } from "../../lib/package-root.js";

/** The style sheet, the script, the icon and the fonts of the console. */
export interface ConsoleAssets {
  /** The addresses contain a hash of the content. */
  readonly style: string;
  readonly script: string;
  readonly icon: string;
  /** Resolves with undefined if there is no such file. */
  answer(path: string): Promise<Response | undefined>;
}

const types: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  woff2: "font/woff2",
};

/** The logo, in colours that suit light and dark windows. */
const icon = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><g fill="#14b8a6">' +
    '<rect x="7" y="2" width="14" height="17" rx="3" opacity=".5"/><rect x="3" y="5" width="14" height="17" rx="3"/></g>' +
    '<path d="M7 11h6M7 15h4" stroke="#fff" stroke-width="1.6" stroke-linecap="round"/></svg>',
);

/** Reads the files that `scripts/build-client.js` has written. */
export async function openAssets(folder = builtFile("client")): Promise<ConsoleAssets> {
  const [style, script] = await Promise.all(["console.css", "console.js"].map((name) => readFile(`${folder}/${name}`)));
  const named = new Map([
    [`console-${hashOf(style!)}.css`, style!],
    [`console-${hashOf(script!)}.js`, script!],
    [`icon-${hashOf(icon)}.svg`, icon],
  ]);
  const [styleName, scriptName, iconName] = [...named.keys()];
  return {
    style: `/console/assets/${styleName}`,
    script: `/console/assets/${scriptName}`,
    icon: `/console/assets/${iconName}`,
    async answer(path) {
      const font = /^fonts\/[\w-]+\.woff2$/.test(path) && (await readFile(`${folder}/${path}`).catch(() => undefined));
      const content = named.get(path) ?? (font || undefined);
      return (
        content &&
        new Response(new Uint8Array(content), {
          headers: {
            "Content-Type": types[path.replace(/^.*\./, "")]!,
            "Cache-Control": "public, max-age=31536000, immutable",
            "X-Content-Type-Options": "nosniff",
          },
        })
      );
    },
  };
}

const hashOf = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex").slice(0, 12);
