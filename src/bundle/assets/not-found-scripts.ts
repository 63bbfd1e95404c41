import type { AssetManifest } from "../../page/theme/index.js";
import type { Addresses } from "../../site/links/index.js";
import { redirectScript } from "./redirect-script.js";

/** Writes the scripts that only the 404 page has, if this site needs them. */
export async function notFoundScripts(
  { addresses, hasBaseUrl = false }: { readonly addresses: Addresses; readonly hasBaseUrl?: boolean },
  read: (name: string) => Promise<Uint8Array>,
  hashed: (name: string, extension: string, bytes: Uint8Array) => Promise<string>,
): Promise<Pick<AssetManifest, "redirectScript" | "diskScript">> {
  const { rules } = addresses.redirects().check();
  const redirects = redirectScript(rules, Buffer.from(await read("redirects.js")).toString("utf8"));
  return {
    redirectScript: redirects && (await hashed("redirects", "js", Buffer.from(redirects))),
    diskScript: hasBaseUrl ? await hashed("disk", "js", await read("disk.js")) : undefined,
  };
}
