import type { Diagnostic } from "../../lib/diagnostic/index.js";
import {
  childOf,
  followWithMembers,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  pointerTo,
  textAt,
} from "../../lib/json/index.js";
import { plainText, trimmedMarkdown } from "../../lib/plain-text.js";
import type { ApiSpec } from "../api-spec.js";
import { type Restriction, readPartRestriction, readRestriction } from "../audience.js";
import type { ApiTarget } from "./api-target.js";
import { maxTagLevels, readTags, tagOf } from "./read-tags.js";

/** A part of a specification that a page can document, with the facts for the plan of that page. */
export interface SpecEntry extends EntryFacts {
  readonly kind: "operation" | "webhook" | "channel" | "graphql" | "workflow";
  /** Target of its page. */
  readonly target: ApiTarget;
  /** Method of an operation or a webhook. */
  readonly method?: string;
  /** A path, or the name of a webhook or channel. */
  readonly name: string;
  /** Labels for the resources in the path of an operation without a tag. */
  readonly resources?: readonly string[];
  /** JSON pointer of its description. */
  readonly pointer: string;
}

export interface EntryFacts {
  readonly operationId?: string;
  /** Address of a channel, as clients know it. */
  readonly address?: string;
  /** Protocol of a channel, in capitals: `WSS`, `MQTT`. */
  readonly protocol?: string;
  /** Its summary or title, without Markdown. */
  readonly title?: string;
  /** A title made from names, for an operation whose title is absent or too long. Addresses do not depend on it. */
  readonly derivedTitle?: string;
  /** Markdown. */
  readonly description?: string;
  readonly deprecated: boolean;
  /** Name of its first badge. */
  readonly badge?: string;
  /** Its first tag, and the label of that tag. */
  readonly tag?: string;
  readonly tagLabel?: string;
  /** Labels of the parent tags, outermost first. */
  readonly tagParents: readonly string[];
  /** `x-hidden`: its page is hidden unless the navigation lists it. */
  readonly hidden: boolean;
  /** `x-excluded`, or `x-internal` of it or its path: it has no page. */
  readonly excluded: boolean;
  /** `x-mint`. */
  readonly href?: string;
  readonly content?: string;
  readonly metadata?: JsonObject;
  /** Restrictions of its path and itself. A reader must meet each. */
  readonly restrictions: readonly Restriction[];
}

/** Further faults are only counted. */
const maxReported = 20;

export type EntryReader = ReturnType<typeof createEntryReader>;

/**
 * Creates the functions with which each kind of specification lists its entries.
 *
 * @param key key of the specification in the targets of pages.
 */
export function createEntryReader(spec: ApiSpec, key: string) {
  const located: (() => Diagnostic)[] = [];
  let faults = 0;
  const tags = new Map(readTags(spec).map((tag) => [tag.name, tag]));
  const warn = (code: string, pointer: string, what: string, fix: string): void => {
    located.push(() => ({ code, severity: "warning", what, location: spec.locationOf(pointer), fix }));
  };
  /** Reports an entry that is left out because its form is invalid. */
  const reportInvalid = (pointer: string, what: string, fix = "describe it with an object, or remove it."): void => {
    if (++faults <= maxReported) warn("SPEC_ENTRY_INVALID", pointer, what, fix);
  };

  for (const { name, pointer } of [...tags.values()].filter(({ isRepeated }) => isRepeated).slice(0, maxReported))
    warn(
      "SPEC_ENTRY_INVALID",
      pointer,
      `The tag "${name}" is described twice; pages show the last description.`,
      "join the two.",
    );
  const [deep] = [...tags.values()].filter(({ isTooDeep }) => isTooDeep);
  if (deep !== undefined) {
    const what = `The tag "${deep.name}" is nested in more than ${maxTagLevels} groups; the navigation leaves out the outer ones.`;
    warn("SPEC_ENTRY_INVALID", deep.pointer, what, `use at most ${maxTagLevels} levels of "parent".`);
  }

  /** Returns the address only if it is a path; reports a URL. */
  const pageAddress = (href: string | undefined, pointer: string): string | undefined => {
    if (href === undefined || !/^(?:[a-z][\w+.-]*:|\/\/)/i.test(href)) return href;
    if (++faults > maxReported) return undefined;
    const what = `The "href" of "x-mint" is "${href}", which is not a path of this site, so the page keeps its default URL.`;
    warn("SPEC_HREF_INVALID", `${pointer}/x-mint/href`, what, 'write a path, such as "/api/users/list".');
    return undefined;
  };

  return {
    spec,
    key,
    warn,
    reportInvalid,
    /** The members of an object of the document that are objects themselves, with references resolved. */
    members(holder: string, noun: string): [name: string, pointer: string, value: JsonObject][] {
      const parent = childOf(spec.document, holder);
      if (parent === undefined || parent === null) return [];
      if (!isObject(parent)) {
        reportInvalid(pointerTo(holder), `"${holder}" is not an object, so what it describes gets no pages.`);
        return [];
      }
      return Object.keys(parent).flatMap((name): [string, string, JsonObject][] => {
        if (name.startsWith("x-")) return [];
        const pointer = pointerTo(holder, name);
        const value = followed(spec, parent[name]);
        if (isObject(value)) return [[name, pointer, value]];
        // `checkReferences` reports broken references.
        if (childOf(parent[name], "$ref") === undefined)
          reportInvalid(pointer, `The ${noun} "${name}" is not an object, so it gets no page.`);
        return [];
      });
    },
    follow: (value: Json | undefined): Json | undefined => followed(spec, value),
    /** @param around the path of an operation. */
    facts(described: JsonObject, around: JsonObject | undefined, pointer: string): EntryFacts {
      const tag = tagOf(described, tags);
      const { label = tag, parents = [] } = tags.get(tag ?? "") ?? {};
      const mint = childOf(described, "x-mint");
      const metadata = childOf(mint, "metadata");
      return {
        operationId: trimmedText(described["operationId"]),
        title: titleText(described["x-displayName"]) ?? titleText(described["summary"]),
        description: trimmedText(described["description"]),
        deprecated: described["deprecated"] === true || trimmedText(described["x-deprecated-at"]) !== undefined,
        badge: readBadges(described)[0]?.name,
        tag,
        tagLabel: label,
        tagParents: parents,
        hidden: described["x-hidden"] === true,
        excluded: described["x-excluded"] === true || [described, around].some((part) => part?.["x-internal"] === true),
        href: pageAddress(trimmedText(childOf(mint, "href")), pointer),
        content: trimmedText(childOf(mint, "content")),
        metadata: isObject(metadata) ? metadata : undefined,
        restrictions: [
          ...[around, described].map((part) => readPartRestriction(childOf(childOf(part, "x-mint"), "groups"))),
          readRestriction(childOf(metadata, "groups")),
        ].filter((restriction) => restriction !== undefined),
      };
    },
    diagnostics: (): Diagnostic[] => located.map((locate) => locate()),
    unreportedCount: (): number => faults - maxReported,
  };
}

/** Resolves a path or channel that is a reference. If the reference is broken, the members next to it are used. */
const followed = (spec: ApiSpec, value: Json | undefined): Json | undefined =>
  followWithMembers(value, spec.resolve) ?? (isObject(value) && Object.keys(value).length > 1 ? value : undefined);

export const trimmedText = (value: Json | undefined): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? trimmedMarkdown(value) : undefined;

/**
 * A summary as plain text, since some writers use Markdown and HTML in it, without the full stop of a single sentence;
 * undefined if it is only an icon.
 */
export function titleText(value: Json | undefined): string | undefined {
  const text = trimmedText(value);
  if (text === undefined) return undefined;
  const title = plainText(text) || (text.includes("</") ? undefined : text);
  return title !== undefined && title.length <= maxSummaryTitle && singleSentence.test(title)
    ? title.slice(0, -1)
    : title;
}

/** A longer summary is not used as the title if one can be made from the names of the operation. */
export const maxSummaryTitle = 100;
const abbreviations = "al approx co corp dept esp etc excl inc incl jr ltd max min no resp sr st vs";
/** It does not end in an abbreviation. */
const singleSentence = new RegExp(
  `^[^.!?]*(?:\\s|^)(?!(?:${abbreviations.replaceAll(" ", "|")})\\.)[^.!?\\s]{2,}\\.$|^[^。！？]+。$`,
  "i",
);

/** The description of a part that may also have a summary, which comes first. */
export function descriptionOf(part: Json | undefined): string | undefined {
  const texts = ["summary", "x-summary", "description"].flatMap((key) => trimmedText(childOf(part, key)) ?? []);
  return texts.length === 0 ? undefined : [...new Set(texts)].join("\n\n");
}

/** A badge next to the name of an operation or a field. */
export interface SpecBadge {
  readonly name: string;
  /** As written: a name, or a value of CSS. */
  readonly color?: string;
}

/** Extensions whose value is the state of a part: `beta`, `Preview`. */
const stateKeys = "scalar-stability stability stability-level maturity status fern-availability"
  .split(" ")
  .map((name) => `x-${name}`);

const maxLength = 80;

/** The badges of a part: `x-badges`, then its state from other extensions, without duplicates. */
export function readBadges(part: Json | undefined): readonly SpecBadge[] {
  if (!isObject(part)) return [];
  const written = listAt(part, "x-badges").flatMap((badge): SpecBadge[] => {
    const name = (typeof badge === "string" ? badge : textAt(badge, "name"))?.trim();
    const color = textAt(badge, "color")?.trim();
    return name ? [{ name, ...(color && { color }) }] : [];
  });
  const states = stateKeys.flatMap((key): SpecBadge[] => {
    const name = textAt(part, key)?.trim();
    return name && name.length <= maxLength ? [{ name }] : [];
  });
  const isBeta = part["x-beta"] === true ? [{ name: "beta" }] : [];
  const byText = new Map<string, SpecBadge>();
  for (const badge of [...written, ...states, ...isBeta]) {
    const key = badge.name.toLowerCase();
    if (!byText.has(key)) byText.set(key, badge);
  }
  return [...byText.values()];
}
