import { isContainer, isList, isObject, type Json, member, pointerTo, textAt } from "../../../lib/json/index.js";
import { createLocations, parseSpecText } from "../../../site/specs/index.js";
import type { Feature } from "./flag.js";
import {
  addressFeature,
  type FeatureDeps,
  isSpecKey,
  isVisibility,
  specFeatures,
  textFeatures,
} from "./page-features.js";

/** Keys for the addresses of an API, of its login, and of further parts of its specification. */
const isApiKey = (key: string): boolean =>
  /^(?:servers?|host|basePath|baseUrl|endpoints?|proxy|credentials|\$ref|externalValue|.*Url)$/i.test(key);

/**
 * Finds the addresses, code and visibility settings in the settings of a site or in a specification, or a part of one.
 *
 * @param isUnchanged whether a text of the file is the same before and after the change: its Markdown is not parsed.
 */
export function dataFeatures(
  path: string,
  text: string,
  isUnchanged: (text: string) => boolean,
  deps: FeatureDeps,
): Feature[] {
  const { value: root } = parseSpecText({ source: path, text });
  if (root === undefined) return [{ kind: "unreadable", line: 1, text: path }];
  const settingsAt = deps.settingsAt(path);
  const isSpec =
    settingsAt === undefined &&
    isObject(member(root, "info")) &&
    versionKeys.some((key) => /^\d/.test(textAt(root, key) ?? ""));
  const locate = createLocations(path, () => text);
  const features: Feature[] = [];
  const visit = (value: Json, steps: readonly string[]): void => {
    const keys = [...(settingsAt ?? []), ...steps].filter((step) => !/^\d+$/.test(step));
    const key = keys.at(-1) ?? "";
    const line = (): number => locate(pointerTo(...steps)).line ?? 1;
    const shown = (): string => `${keys.join(".")}: ${JSON.stringify(value)}`;
    const [source, destination] = [textAt(value, "source"), textAt(value, "destination")];
    if (!isSpec && source !== undefined && destination !== undefined) {
      features.push({ kind: "redirect", line: line(), text: `${source} → ${destination}` });
      return;
    }
    // Containers of the navigation are "groups" as well.
    if (
      isVisibility(steps.at(-1) ?? "") &&
      (isSpec ? key.startsWith("x-") : !(isList(value) && value.some(isContainer)))
    ) {
      features.push({ kind: "visibility", line: line(), text: shown(), isSetting: true });
      return;
    }
    if (isContainer(value)) {
      for (const [name, child] of Object.entries(value)) visit(child, [...steps, name]);
      return;
    }
    const isText = typeof value === "string";
    if (keys[0] === "integrations") features.push({ kind: "integration", line: line(), text: shown() });
    else if (keys[0] === "seo") features.push({ kind: "metadata", line: line(), text: shown() });
    else if (keys.some(isSpecKey) && isText)
      for (const feature of specFeatures(value, 1, deps.reads)) features.push({ ...feature, line: line() });
    else if (isServer(keys) && (key !== "$ref" || (isText && !value.startsWith("#"))))
      features.push({ kind: "address", line: line(), text: shown() });
    else if (isText) {
      const address = addressFeature(value, 1);
      const parts =
        /[<\]{]/.test(value) && !isUnchanged(value) ? textFeatures(`${path}.md`, value, 0, deps.parsers) : [];
      for (const feature of address ? [address, ...parts] : parts)
        features.push({ ...feature, line: line() + feature.line - 1 });
    }
  };
  visit(root, []);
  return features;
}

const versionKeys = ["openapi", "swagger", "asyncapi", "arazzo"];

/** Example data and schemas of an API may use the same names. */
const isServer = (keys: readonly string[]): boolean =>
  keys.some(isApiKey) &&
  !/^(?:description|summary|name|title)$/.test(keys.at(-1)!) &&
  !keys.some((key) => /^(?:properties|examples?)$/.test(key));

export function dataTexts(path: string, text: string): ReadonlySet<string> {
  const texts = new Set<string>();
  const pending: Json[] = [parseSpecText({ source: path, text }).value ?? null];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value === "string") texts.add(value);
    else if (isContainer(value)) for (const child of Object.values(value)) pending.push(child);
  }
  return texts;
}
