import type { AnalyticsSettings } from "../../lib/service-settings.js";
import type { clientReader } from "./client-reader.js";

/** The script that counts views, with its settings in front. */
export async function countScript(
  { url, domain, searches }: AnalyticsSettings,
  client: ReturnType<typeof clientReader>,
): Promise<Uint8Array> {
  const settings = JSON.stringify({ url: `${url}/v1/collect/${domain}`, searches });
  return Buffer.concat([Buffer.from(`offprintCount=${settings};\n`), await client.read("count.js")]);
}
