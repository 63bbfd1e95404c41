import { type Forges, forgeOf } from "../forge/index.js";
import type { AgentMode, SiteSource } from "../jobs/index.js";

/** What agent jobs may be asked for. */
export interface AgentSetup {
  readonly forges: Forges;
  /** `vendor/id` of the language model; undefined: there is none. */
  readonly model?: string;
}

export const agentLimits = { promptLength: 20_000, jobsPerHour: 100 } as const;
/** Names the uses that `agentLimits.jobsPerHour` counts. */
export const agentUse = (projectId: string): string => `agent:${projectId}`;
export const repairModel = "offprint/repair";

export interface AgentTarget {
  /** Web address without credentials. */
  readonly repository: string;
  readonly mode: AgentMode;
  readonly model: string;
}

/**
 * What a new job of a site is about.
 *
 * @param mode undefined: with the model, if there is one.
 * @returns `fault` if there can be none: a sentence with the command that helps.
 */
export function agentTarget(
  { domain, source }: { readonly domain: string; readonly source: SiteSource },
  { forges, model }: AgentSetup,
  mode: AgentMode = model === undefined ? "repair" : "model",
): AgentTarget | { readonly fault: string } {
  if (source.kind === "folder")
    return {
      fault: `The site ${domain} comes from a folder. Let it come from a git repository: offprint site remove ${domain}, then offprint site add ${domain} --git <url>.`,
    };
  const { repository, settings } = forgeOf(source.url, forges);
  if (!settings)
    return {
      fault: `The service has no token for ${repository.host || "this repository"}. Put one into the file that OFFPRINT_FORGES_FILE names, and start the service again: offprint service.`,
    };
  if (mode === "model" && model === undefined)
    return {
      fault:
        'The service has no language model for agent jobs. Start it with one: OFFPRINT_MODEL=qwen3:32b offprint service. Or send "mode": "repair", which needs none.',
    };
  return { repository: repository.webUrl, mode, model: mode === "model" ? model! : repairModel };
}
