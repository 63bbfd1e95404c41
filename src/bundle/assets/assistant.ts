import { assistantTexts, languageTag, nearestLocale, readLocale } from "../../lib/language/index.js";
import type { AssistantSettings } from "../../lib/service-settings.js";
import type { AssetManifest } from "../../page/theme/index.js";
import type { Site } from "../../site/site.js";
import type { clientReader } from "./client-reader.js";
import type { Output } from "./output.js";

/** Writes the panel of the assistant, with its settings in every language of the site. */
export async function writeAssistant(
  chosen: AssistantSettings,
  { pages }: Site,
  client: ReturnType<typeof clientReader>,
  out: Output,
): Promise<NonNullable<AssetManifest["assistant"]>> {
  const script = await out.hashed("assistant", "js", await client.read("assistant.js"));
  const stylesheet = await out.hashed("assistant", "css", await client.read("parts/assistant.css"));
  const settings: Record<string, string> = {};
  for (const language of new Set(pages.map((plan) => nearestLocale(languageTag(plan.language))))) {
    const start = { ...chosen, texts: assistantTexts(readLocale(language)) };
    const text = `offprintAssistant(${JSON.stringify(start)});\n`;
    settings[language] = await out.hashed(`assistant/${language}`, "js", Buffer.from(text));
  }
  return { script, stylesheet, settings };
}
