import { isObject, parseJson } from "../../lib/json/index.js";
import type { ApiSpec } from "../api-spec.js";
import type { SiteFiles } from "../source/index.js";
import { createApiSpec } from "./create-api-spec.js";
import { parseSpecText } from "./parse-spec-text.js";
import { createLocations } from "./spec-locations.js";
import type { SpecPlan } from "./spec-plan.js";
import { viewForReaders } from "./view-for-readers.js";

/**
 * Opens the planned specifications in a thread that makes pages: each is read once, when first needed. Their faults are
 * reported by the planning.
 */
export function openSpecs(plans: readonly SpecPlan[], files: SiteFiles): (key: string) => ApiSpec | undefined {
  const byKey = new Map(plans.map((plan) => [plan.key, plan]));
  const opened = new Map<string, ApiSpec | undefined>();
  return (key) => {
    if (!opened.has(key)) {
      const plan = byKey.get(key);
      opened.set(key, plan && openSpec(plan, files));
    }
    return opened.get(key);
  };
}

function openSpec(
  { source, sources, closed, audience, isRestricted, restrictedSteps, json }: SpecPlan,
  files: SiteFiles,
): ApiSpec | undefined {
  const readText = (): string | undefined => (files.has(source) ? files.readText(source) : undefined);
  const document = json === undefined ? parseSpecText({ source, text: readText() ?? "" }).value : parseJson(json);
  const isWhole = !isRestricted && restrictedSteps === undefined;
  const view = isWhole || !isObject(document) ? document : viewForReaders(document, audience ?? [], restrictedSteps);
  const spec = view === undefined ? undefined : createApiSpec(source, view, createLocations(source, readText));
  return spec === undefined || "code" in spec
    ? undefined
    : { ...spec, ...(sources && { sources }), ...(closed && { closed }), ...(audience && { audience }) };
}
