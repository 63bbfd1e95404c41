import { assistantTexts, languageTag, nearestLocale, readLocale } from "../../lib/language/index.js";
import { pageLinks } from "../../lib/page-links.js";
import type { AnalyticsSettings, AssistantSettings } from "../../lib/service-settings.js";
import type { AssetManifest } from "../../page/theme/index.js";
import type { Addresses, RedirectRule } from "../../site/links/index.js";
import type { Site } from "../../site/site.js";
import type { clientReader, Output } from "./client-files.js";

/** Writes the panel of the assistant, with its settings in every language of the site. */
export async function writeAssistant(
  chosen: AssistantSettings,
  { pages }: Site,
  client: ReturnType<typeof clientReader>,
  out: Output,
): Promise<NonNullable<AssetManifest["assistant"]>> {
  const script = await out.hashed("assistant", "js", await client.read("assistant.js"));
  const stylesheet = await out.hashed("assistant", "css", await client.read("on-demand/assistant.css"));
  const settings: Record<string, string> = {};
  for (const language of new Set(pages.map((plan) => nearestLocale(languageTag(plan.language))))) {
    const start = { ...chosen, texts: assistantTexts(readLocale(language)) };
    const text = `offprintAssistant(${JSON.stringify(start)});\n`;
    settings[language] = await out.hashed(`assistant/${language}`, "js", Buffer.from(text));
  }
  return { script, stylesheet, settings };
}

/** The script that counts views, with its settings in front. */
export async function countScript(
  { url, domain, searches }: AnalyticsSettings,
  client: ReturnType<typeof clientReader>,
): Promise<Uint8Array> {
  const settings = JSON.stringify({ url: `${url}/v1/collect/${domain}`, searches });
  return Buffer.concat([Buffer.from(`offprintCount=${settings};\n`), await client.read("count.js")]);
}

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

/**
 * The script of the 404 page: the wildcard redirects as data, and the code that follows them.
 * @param code the built `redirects.js`
 * @returns undefined if there is no such redirect.
 */
function redirectScript(rules: readonly RedirectRule[], code: string): string | undefined {
  const written = rules.flatMap(({ source, destination, pattern }) =>
    pattern === undefined ? [] : [[source, pattern.regex.source, pattern.names, destination]],
  );
  if (written.length === 0) return undefined;
  // "<" is escaped, so that the text is safe in any context.
  return `var offprintRedirects=${JSON.stringify(written).replaceAll("<", "\\u003c")};\n${code}`;
}

/**
 * Speculation rules: browsers prepare the page behind a link that a reader points at, and show it at once after the click.
 * Pages of a site with scripts of its own are only fetched: such a script could count a view of a page that nobody sees.
 */
export function speculationRules({ scripts }: Pick<Site, "scripts">): string {
  // A pattern for addresses would have to start with the path of the site, which the export may not know.
  const rules = [{ where: { selector_matches: pageLinks }, eagerness: "moderate" }];
  return `${JSON.stringify(scripts.length > 0 ? { prefetch: rules } : { prerender: rules })}\n`;
}
