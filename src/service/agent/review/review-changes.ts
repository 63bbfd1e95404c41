import { basename } from "node:path";
import { decodeSvg, sanitizeSvg } from "../../../bundle/assets/svg.js";
import { isContainer, isList, isObject, type Json, member, pointerTo, textAt } from "../../../lib/json/index.js";
import { isSvgText, mediaTypeOf } from "../../../lib/media-type.js";
import { loadParsers } from "../../../page/content/index.js";
import { createLocations, parseSpecText } from "../../../site/specs/index.js";
import type { Feature, Flag, Review } from "./flag.js";
import {
  addressFeature,
  type FeatureDeps,
  isSpecKey,
  isVisibility,
  pageFeatures,
  specFeatures,
  textFeatures,
} from "./page-features.js";
import { isMedia, readSiteRule } from "./site-rule.js";

export interface ReviewedFile {
  readonly path: string;
  /** Undefined if the file does not exist on that side. */
  readonly before: Buffer | undefined;
  readonly after: Buffer | undefined;
}

/** A pull request shows fewer flags, and says how many more there are. */
const limits = { flags: 1000, textLength: 200 };

/** The changes that an agent may make or people must see. @param base the site of the base branch. */
export async function reviewChanges(base: string, files: readonly ReviewedFile[]): Promise<Review> {
  const rule = await readSiteRule(base);
  const refused = files.flatMap((file) => {
    const why = rule.refusal(file.path) ?? (isMedia(file.path) ? mediaRefusal(file, files, rule.reads) : undefined);
    return why === undefined ? [] : [{ path: file.path, why }];
  });
  if (refused.length > 0) return { refused, flags: [] };

  // This process cannot start another one. Its own limits end it if a text is too costly to parse.
  const parsers = await loadParsers("satteri", () => undefined);
  const deps: FeatureDeps = { parsers, reads: rule.reads, settingsAt: rule.settingsAt };
  const before = files.flatMap((file) => located(file, featuresOf(file, "before", deps)));
  const after = files.flatMap((file) => located(file, featuresOf(file, "after", deps)));
  const remaining = new Map<string, number>();
  for (const feature of before) remaining.set(keyOf(feature), (remaining.get(keyOf(feature)) ?? 0) + 1);
  const take = (feature: Feature): boolean => {
    const count = remaining.get(keyOf(feature)) ?? 0;
    remaining.set(keyOf(feature), count - 1);
    return count > 0;
  };
  const added = after.filter((feature) => {
    const isNew = !take(feature) || feature.kind === "unreadable" || feature.kind === "style";
    return isNew && !isMove(feature, files);
  });
  const removed = before.filter((feature) => {
    const file = files.find(({ path }) => path === feature.path);
    return take(feature) && feature.isSetting === true && file?.after !== undefined;
  });
  const changed = [...added, ...removed.map((feature) => ({ ...feature, line: 1, text: `removed ${feature.text}` }))]
    .map(({ isSetting: _, ...flag }): Flag => ({ ...flag, text: flag.text.slice(0, limits.textLength) }))
    .sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
  // A text in an attribute is found twice: as an attribute and as a text.
  const flags = [...new Map(changed.map((flag) => [JSON.stringify(flag), flag])).values()].slice(0, limits.flags);
  return { refused: [], flags };
}

type LocatedFeature = Feature & { readonly path: string };

const located = ({ path }: ReviewedFile, features: readonly Feature[]): LocatedFeature[] =>
  features.map((feature) => ({ ...feature, path }));

const keyOf = ({ kind, text }: Feature): string => `${kind} ${text.replaceAll(/\s+/g, " ")}`;

function featuresOf(file: ReviewedFile, side: "before" | "after", deps: FeatureDeps): Feature[] {
  const { path } = file;
  const bytes = file[side];
  if (bytes === undefined) return [];
  const text = bytes.toString("utf8").replace(/^\ufeff/, "");
  if (/\.mdx?$/.test(path)) return pageFeatures(path, text, deps);
  if (/\.css$/.test(path)) return [{ kind: "style", line: 1, text: path }];
  if (/\.svg$/i.test(path)) {
    const { removed } = sanitizeSvg(decodeSvg(bytes).text);
    return removed.map((part) => ({ kind: "drawing", line: 1, text: part }));
  }
  if (!/\.(?:json|ya?ml)$/i.test(path)) return [];
  const other = file[side === "before" ? "after" : "before"];
  const otherTexts = other === undefined ? new Set<string>() : dataTexts(path, other.toString("utf8"));
  return dataFeatures(path, text, (value) => otherTexts.has(value), deps);
}

/** Whether a redirect only leads from the old address of a moved page to its new one. */
function isMove({ kind, text }: Feature, files: readonly ReviewedFile[]): boolean {
  if (kind !== "redirect") return false;
  const addresses = (changed: readonly ReviewedFile[]): string[] =>
    changed.map(({ path }) => `/${path.replace(/\.mdx?$/, "").replace(/(^|\/)index$/, "")}`);
  const [source, destination] = text.split(" → ") as [string, string];
  return (
    addresses(files.filter(({ after }) => after === undefined)).includes(source) &&
    addresses(files.filter(({ before }) => before === undefined)).includes(destination)
  );
}

/** Why a media file is refused: it is not what its name says, or no page uses it. */
function mediaRefusal(
  { path, after }: ReviewedFile,
  files: readonly ReviewedFile[],
  reads: (path: string) => boolean,
): string | undefined {
  if (after === undefined) return undefined;
  const extension = path.toLowerCase().replace(/^.*\./, "");
  const type = mediaTypeOf(after)?.extension ?? (isSvgText(decodeSvg(after).text) ? "svg" : undefined);
  const isOfType = type === ({ jpeg: "jpg", m4v: "mp4" }[extension] ?? extension);
  if (!isOfType) return "Its content is not an image or video of this type.";
  const isNamed = files.some((file) => !isMedia(file.path) && file.after?.includes(basename(path)));
  return reads(path) || isNamed ? undefined : "No changed page uses it.";
}

/** Keys for the addresses of an API, of its login, and of further parts of its specification. */
const isApiKey = (key: string): boolean =>
  /^(?:servers?|host|basePath|baseUrl|endpoints?|proxy|credentials|\$ref|externalValue|.*Url)$/i.test(key);

/**
 * Finds the addresses, code and visibility settings in the settings of a site or in a specification, or a part of one.
 *
 * @param isUnchanged whether a text of the file is the same before and after the change: its Markdown is not parsed.
 */
function dataFeatures(
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

function dataTexts(path: string, text: string): ReadonlySet<string> {
  const texts = new Set<string>();
  const pending: Json[] = [parseSpecText({ source: path, text }).value ?? null];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value === "string") texts.add(value);
    else if (isContainer(value)) for (const child of Object.values(value)) pending.push(child);
  }
  return texts;
}
