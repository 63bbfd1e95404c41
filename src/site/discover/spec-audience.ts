import { type Diagnostic, type Location, nearestName, warningOf } from "../../lib/diagnostic/index.js";
import { isObject, type Json, member } from "../../lib/json/index.js";
import { isHttpAddress } from "../../lib/url/index.js";
import { admits, groupsOf, type Restriction, readPartRestriction } from "../audience.js";
import type { NavContainer, NavEntry, Navigation } from "../config/index.js";
import type { SiteFiles } from "../source/index.js";
import type { SpecEntry, SpecPlan } from "../specs/index.js";
import type { ApiPlan } from "./api/plan-api.js";
import type { CatalogSpec } from "./api/spec-catalog.js";
import { locationOfValue, type PageFacts } from "./page-facts.js";
import type { PageSource } from "./plan-pages.js";

/**
 * Decides which parts of the specifications the readers of the bundle may see, and reports groups that the site does not use.
 *
 * @param restricted ids of the pages that are left out.
 */
export async function specsForReaders({
  api,
  pages,
  restricted,
  facts,
  files,
  statics,
  audience,
}: {
  readonly api: ApiPlan;
  readonly pages: readonly PageSource[];
  readonly restricted: readonly string[];
  readonly facts: readonly PageFacts[];
  readonly files: SiteFiles;
  /** Paths of the files that are copied. */
  readonly statics: readonly string[];
  readonly audience: readonly string[];
}) {
  const used = new Set(
    [...facts.flatMap(({ restrictions }) => restrictions), ...restrictionsIn(api.navigation)].flatMap(groupsOf),
  );
  const open = new Set(pages.map(({ api: target }) => JSON.stringify(target)));
  const closed = new Set(
    restricted.map((id) => JSON.stringify(api.generated.get(id)?.api ?? api.targets.get(id)?.api)),
  );
  /** Files of the site with content that the readers may not see. */
  const closedFiles = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  /** Specifications of a single file, which are not checked a second time. */
  const readFiles = new Set<string>();
  const closedIn = new Map<CatalogSpec, ReadonlySet<SpecEntry>>();
  const plans = api.specs.map(([document, plan]): SpecPlan => {
    const { source, entries, spec, files: written } = document;
    if (written.length === 1) readFiles.add(source);
    const closedEntries = entries.filter(({ target, restrictions }) => {
      const key = JSON.stringify(target);
      return (closed.has(key) && !open.has(key)) || restrictions.some((restriction) => !admits(restriction, audience));
    });
    closedIn.set(document, new Set(closedEntries));
    const mayRestrict = isHttpAddress(source) || written.some((path) => files.readText(path).includes("x-mint"));
    const parts = mayRestrict ? restrictedParts(spec.document, audience, used) : [];
    const lost = [count(closedEntries.length, "operation"), count(parts.length, "part")].filter((text) => text !== "");
    if (lost.length > 0) {
      for (const path of written) closedFiles.add(path);
      const first = closedEntries.find(({ restrictions }) => restrictions.length > 0);
      const at = first ? `${first.pointer}/x-mint` : parts[0];
      const verb = closedEntries.length + parts.length === 1 ? "is" : "are";
      diagnostics.push({
        ...warningOf("SPEC_RESTRICTED"),
        what: `${lost.join(" and ")} of ${source} ${verb} for other groups of readers, so they are left out, and so is the file itself.`,
        location: at === undefined ? { sourcePath: source } : spec.locationOf(at),
        fix: 'export with --audience for these readers, or remove "groups" to publish all of it for everyone.',
      });
    }
    return {
      ...plan,
      ...((parts.length > 0 || closedEntries.some(({ restrictions }) => restrictions.length > 0)) && {
        isRestricted: true,
      }),
      ...(closedEntries.length > 0 && { closed: closedEntries.map(({ pointer }) => pointer) }),
      ...(audience.length > 0 && { audience }),
    };
  });
  const copied = statics.filter(
    (path) =>
      /\.(?:json|ya?ml)$/i.test(path) && !closedFiles.has(path) && !readFiles.has(path) && mayNameGroups(path, files),
  );
  if (copied.length > 0) {
    const { createLocations, parseSpecText } = await import("../specs/index.js");
    for (const path of copied) {
      const document = parseSpecText({ source: path, text: files.readText(path) }).value;
      const parts = document === undefined ? undefined : restrictedParts(document, audience, used, true);
      if (parts?.length === 0) continue;
      closedFiles.add(path);
      const locationOf = createLocations(path, () => files.readText(path));
      diagnostics.push(restrictedFile(path, parts?.length, parts ? locationOf(parts[0]!) : { sourcePath: path }));
    }
  }
  const linked = await withoutRestrictedCalls(api, plans, closedIn);
  for (const [document, pointers] of linked.restricted) {
    for (const path of document.files) closedFiles.add(path);
    diagnostics.push(restrictedCalls(document, pointers));
  }
  return { plans: linked.plans, closedFiles, diagnostics: [...diagnostics, ...unknownGroups(audience, used)] };
}

/** Larger files are not searched, since they cannot be a specification. */
const maxSearched = 512 * 1024 * 1024;

/** Whether a file may name groups. Decided from its bytes, since a site may have thousands of data files. */
function mayNameGroups(path: string, files: SiteFiles): boolean {
  if (files.sizeOf(path) > maxSearched) return false;
  const { buffer, byteOffset, byteLength } = files.readBytes(path);
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return bytes.includes("x-mint") && (bytes.includes("groups") || bytes.includes("x-mint-enum"));
}

/** @param partCount undefined if the file cannot be parsed. */
function restrictedFile(path: string, partCount: number | undefined, location: Location): Diagnostic {
  const what =
    partCount === undefined
      ? `${path} restricts content to groups of readers with "x-mint", but cannot be parsed, so the file is left out.`
      : `${count(partCount, "part")} of ${path} ${partCount === 1 ? "is" : "are"} for other groups of readers, so the file is left out and gets no pages.`;
  const fix =
    partCount === undefined
      ? "fix its syntax, or list it in .mintignore."
      : 'export with --audience for these readers, or remove "groups" to publish all of it for everyone.';
  return { code: "SPEC_RESTRICTED", severity: "warning", what, location, fix };
}

function restrictedCalls({ source, spec }: CatalogSpec, pointers: readonly string[]): Diagnostic {
  const isOne = pointers.length === 1;
  const what = `${pointers.length} ${isOne ? "step or other part" : "steps or other parts"} of the workflows of ${source} ${isOne ? "names" : "name"} content for other groups of readers. Such a step is only shown as restricted; other parts are left out, and so is the file itself.`;
  const fix = "export with --audience for these readers, or restrict the workflows to the same groups.";
  return { code: "SPEC_RESTRICTED", severity: "warning", what, location: spec.locationOf(pointers[0]!), fix };
}

/** Adds to the plans of workflows the pointers of the parts that refer to content for other readers. */
async function withoutRestrictedCalls(
  { specs }: ApiPlan,
  plans: readonly SpecPlan[],
  closedIn: ReadonlyMap<CatalogSpec, ReadonlySet<SpecEntry>>,
): Promise<{ readonly plans: readonly SpecPlan[]; readonly restricted: ReadonlyMap<CatalogSpec, readonly string[]> }> {
  const restricted = new Map<CatalogSpec, readonly string[]>();
  const isOpen = [...closedIn.values()].every((entries) => entries.size === 0);
  if (isOpen || !plans.some(({ format }) => format === "arazzo")) return { plans, restricted };
  const { restrictedSteps } = await import("../specs/index.js");
  const byKey = new Map(specs.map(([document]) => [document.key, document]));
  const documents = specs.map(([document]) => document);
  return {
    plans: plans.map((plan, i) => {
      const document = documents[i]!;
      if (plan.format !== "arazzo") return plan;
      const sources = new Map([["", document]]);
      for (const [name, key] of Object.entries(plan.sources ?? {})) sources.set(name, byKey.get(key)!);
      const pointers = restrictedSteps(document.spec, sources, (source, entry) =>
        closedIn.get(source as CatalogSpec)!.has(entry),
      );
      if (pointers.length === 0) return plan;
      restricted.set(document, pointers);
      return { ...plan, restrictedSteps: pointers };
    }),
    restricted,
  };
}

const restrictionsIn = ({ children, global }: Pick<NavContainer, "children" | "global">): Restriction[] =>
  [...children, ...(global ?? [])].flatMap((entry) =>
    entry.kind === "page" ? [] : [...(entry.restriction ? [entry.restriction] : []), ...restrictionsIn(entry)],
  );

/**
 * Pointers of the parts that `x-mint` or `x-mint-enum` hide from the readers.
 *
 * @param operations whether paths and operations count, too.
 */
function restrictedParts(document: Json, audience: readonly string[], used: Set<string>, operations = false): string[] {
  const pointers: string[] = [];
  const isRestrictedPart = (written: Json | undefined): boolean => {
    const restriction = readPartRestriction(written);
    for (const name of restriction ? groupsOf(restriction) : []) used.add(name);
    return restriction !== undefined && !admits(restriction, audience);
  };
  const seen = new Set<Json>();
  const waiting: (readonly [pointer: string, value: Json])[] = [["#", document]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [pointer, value] = next;
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    const values = member(value, "x-mint-enum");
    const isEntry = !operations && /^#\/(?:paths|webhooks)\/[^/]*(?:\/[a-z]+)?$/.test(pointer);
    if (!isEntry && isRestrictedPart(member(member(value, "x-mint"), "groups"))) pointers.push(`${pointer}/x-mint`);
    if (isObject(values) && Object.values(values).map(isRestrictedPart).includes(true))
      pointers.push(`${pointer}/x-mint-enum`);
    for (const [name, part] of Object.entries(value))
      waiting.push([`${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`, part as Json]);
  }
  return pointers.reverse();
}

/** Reports groups of the audience that nothing in the site uses, since they are probably misspelled. */
const unknownGroups = (audience: readonly string[], used: ReadonlySet<string>): Diagnostic[] =>
  audience
    .filter((name) => !used.has(name) && !used.has("*"))
    .map((name) => {
      const near = nearestName(name, [...used]);
      const what = `The bundle is for the group "${name}", but nothing in the site uses this group.`;
      const fix = near ? `write "${near}".` : 'write the name of a group that appears in "groups" of a page.';
      return { code: "AUDIENCE_UNKNOWN", severity: "warning", what, fix };
    });

/** Removes the entries for other groups of readers from the navigation. */
export function openNavigation(navigation: Navigation, audience: readonly string[]) {
  /** The outermost entries that are left out. */
  const closed: NavContainer[] = [];
  const isOpen = (entry: NavEntry): boolean => {
    if (entry.kind === "page" || !entry.restriction || admits(entry.restriction, audience)) return true;
    closed.push(entry);
    return false;
  };
  const open = <Entry extends NavEntry>(entries: readonly Entry[]): Entry[] =>
    entries
      .filter(isOpen)
      .map((entry) =>
        entry.kind === "page"
          ? entry
          : { ...entry, children: open(entry.children), ...(entry.global && { global: open(entry.global) }) },
      );
  const [children, global] = [open(navigation.children), open(navigation.global)];
  return { navigation: closed.length === 0 ? navigation : { ...navigation, children, global }, closed };
}

/** Whether the readers of the bundle may see a page, according to its front matter and its operation. */
export const isForReaders = ({ restrictions }: PageFacts, audience: readonly string[]): boolean =>
  restrictions.every((restriction) => admits(restriction, audience));

/** Describes the readers: `only for readers in "staff" or "partners"`. */
function readersOf({ includes, excludes }: Restriction): string {
  const named = includes.filter((name) => name !== "*");
  if (includes.length === 0) return "for nobody, because its groups have no names";
  const others = excludes.length === 0 ? "" : `, without ${list(excludes, "and")}`;
  return `only for readers in ${includes.includes("*") ? "a group" : list(named, "or")}${others}`;
}

const list = (names: readonly string[], word: string): string =>
  names
    .slice(0, 5)
    .map((name) => JSON.stringify(name))
    .join(", ")
    .replace(/, (?=[^,]*$)/, ` ${word} `);

/** The advice for publishing a page for its readers. */
function publishFor({ includes, excludes }: Restriction): string {
  const name = includes.find((group) => group !== "*" && !excludes.includes(group));
  if (name !== undefined) return `export with --audience ${name} for these readers`;
  return includes.includes("*")
    ? "export with --audience and the name of one of the groups"
    : 'write groups: ["staff"]';
}

/** @param text the text of the page's file. */
export function restrictedPage(
  sourcePath: string,
  text: string,
  facts: PageFacts,
  audience: readonly string[],
): Diagnostic {
  const restriction = facts.restrictions.find((candidate) => !admits(candidate, audience))!;
  const isOwn = restriction === facts.ownRestriction;
  const isPublic = facts.public ? ' Its "public: true" does not change that.' : "";
  const what = `${isOwn ? "The page" : "What the page documents"} is ${readersOf(restriction)}, so it is left out.${isPublic}`;
  const location = locationOfValue(
    sourcePath,
    text,
    isOwn ? "groups" : "(?:openapi(?:-schema)?|asyncapi|graphql|arazzo)",
  );
  const fix = `${publishFor(restriction)}, or remove "groups" ${isOwn ? "" : 'of its "x-mint" '}to publish it for everyone.`;
  return { code: "PAGE_RESTRICTED", severity: "warning", what, location, fix };
}

/** @param listed ids of the pages in the entry. @param closed ids of pages that no open entry lists. */
export function restrictedEntry(
  { kind, label, location, restriction }: NavContainer,
  listed: ReadonlySet<string>,
  closed: ReadonlySet<string>,
): Diagnostic {
  const lost = count([...listed].filter((id) => closed.has(id)).length, "page");
  const alsoLost = lost === "" ? "" : ` with ${lost} that nothing else lists`;
  const what = `The ${kind} "${label}" is ${readersOf(restriction!)}, so it is left out${alsoLost}.`;
  const fix = `${publishFor(restriction!)}, or remove "groups" to publish it for everyone.`;
  return { code: "NAVIGATION_RESTRICTED", severity: "warning", what, location, fix };
}

/** A number with its noun; empty for 0. */
export const count = (number: number, noun: string): string =>
  number === 0 ? "" : `${number} ${noun}${number === 1 ? "" : "s"}`;
