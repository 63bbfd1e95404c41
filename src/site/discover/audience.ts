import { type Diagnostic, nearestName } from "../../lib/diagnostic/index.js";
import { isObject, type Json, member } from "../../lib/json/index.js";
import { isHttpAddress } from "../../lib/url/index.js";
import { admits, groupsOf, type Restriction, readPartRestriction } from "../audience.js";
import type { NavContainer, NavEntry, Navigation } from "../config/index.js";
import type { SiteFiles } from "../source/index.js";
import type { SpecPlan } from "../specs/index.js";
import { locationOfKey } from "./api/location-of-key.js";
import type { ApiPlan } from "./api/plan-api.js";
import type { PageFacts } from "./page-facts.js";
import type { PageSource } from "./plan-pages.js";

export interface OpenNavigation {
  /** What the readers of the bundle may see. */
  readonly navigation: Navigation;
  /** The outermost entries that are left out. */
  readonly closed: readonly NavContainer[];
}

/** Takes out of the navigation what other groups of readers have. */
export function openNavigation(navigation: Navigation, audience: readonly string[]): OpenNavigation {
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

/** Whether the readers of the bundle may see a page, as far as its front matter and its operation say. */
export const isForReaders = ({ restrictions }: PageFacts, audience: readonly string[]): boolean =>
  restrictions.every((restriction) => admits(restriction, audience));

/** `staff` or `partners`. */
function readersOf({ includes, excludes }: Restriction): string {
  const named = includes.filter((name) => name !== "*");
  if (includes.length === 0) return "for nobody, since its groups have no name";
  const others = excludes.length === 0 ? "" : `, without ${list(excludes, "and")}`;
  return `only for readers in ${includes.includes("*") ? "a group" : list(named, "or")}${others}`;
}

const list = (names: readonly string[], word: string): string =>
  names
    .slice(0, 5)
    .map((name) => JSON.stringify(name))
    .join(", ")
    .replace(/, (?=[^,]*$)/, ` ${word} `);

/** How to publish it for its readers. */
function publishFor({ includes, excludes }: Restriction): string {
  const name = includes.find((each) => each !== "*" && !excludes.includes(each));
  if (name !== undefined) return `export with --audience ${name} for these readers`;
  return includes.includes("*") ? "export with --audience and the name of a group" : 'write groups: ["staff"]';
}

/** @param text of the page's file. */
export function restrictedPage(
  sourcePath: string,
  text: string,
  facts: PageFacts,
  audience: readonly string[],
): Diagnostic {
  const closed = facts.restrictions.find((restriction) => !admits(restriction, audience))!;
  const isOwn = closed === facts.ownRestriction;
  const isPublic = facts.public ? ' Its "public: true" does not change that.' : "";
  return {
    code: "PAGE_RESTRICTED",
    severity: "warning",
    what: `${isOwn ? "The page" : "What the page documents"} is ${readersOf(closed)}, so it is left out.${isPublic}`,
    location: locationOfKey(sourcePath, text, isOwn ? "groups" : "(?:openapi(?:-schema)?|asyncapi|graphql|arazzo)"),
    fix: `${publishFor(closed)}, or remove "groups" ${isOwn ? "" : 'of its "x-mint" '}to publish it for everyone.`,
  };
}

/** @param listed ids of the pages in it. @param closed those that no other entry lists. */
export function restrictedEntry(
  entry: NavContainer,
  listed: ReadonlySet<string>,
  closed: ReadonlySet<string>,
): Diagnostic {
  const { kind, label, location, restriction } = entry;
  const pages = count([...listed].filter((id) => closed.has(id)).length, "page");
  const lost = pages === "" ? "" : ` with ${pages} that nothing else lists`;
  return {
    code: "NAVIGATION_RESTRICTED",
    severity: "warning",
    what: `The ${kind} "${label}" is ${readersOf(restriction!)}, so it is left out${lost}.`,
    location,
    fix: `${publishFor(restriction!)}, or remove "groups" to publish it for everyone.`,
  };
}

export interface SpecsForReaders {
  readonly plans: readonly SpecPlan[];
  /** Files of the site that say more than the readers may see. */
  readonly closedFiles: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Decides what the readers of the bundle may see of the specifications, and checks that the site knows these readers.
 *
 * @param restricted ids of the pages that are left out.
 */
export function specsForReaders({
  api,
  pages,
  restricted,
  facts,
  files,
  audience,
}: {
  readonly api: ApiPlan;
  readonly pages: readonly PageSource[];
  readonly restricted: readonly string[];
  readonly facts: readonly PageFacts[];
  readonly files: SiteFiles;
  readonly audience: readonly string[];
}): SpecsForReaders {
  const used = new Set(
    [...facts.flatMap(({ restrictions }) => restrictions), ...restrictionsIn(api.navigation)].flatMap(groupsOf),
  );
  const open = new Set(pages.map(({ api: target }) => JSON.stringify(target)));
  const closed = new Set(
    restricted.map((id) => JSON.stringify(api.generated.get(id)?.api ?? api.targets.get(id)?.api)),
  );
  const closedFiles = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  const plans = api.specs.map(([document, plan]): SpecPlan => {
    const { source, entries, spec, files: written } = document;
    const closedEntries = entries.filter(({ target, restrictions }) => {
      const key = JSON.stringify(target);
      return (closed.has(key) && !open.has(key)) || restrictions.some((restriction) => !admits(restriction, audience));
    });
    const mayRestrict = isHttpAddress(source) || written.some((path) => files.readText(path).includes("x-mint"));
    const parts = mayRestrict ? restrictedParts(spec.document, audience, used) : [];
    const lost = [count(closedEntries.length, "operation"), count(parts.length, "part")].filter((each) => each !== "");
    if (lost.length > 0) {
      for (const path of written) closedFiles.add(path);
      const first = closedEntries.find(({ restrictions }) => restrictions.length > 0);
      const at = first ? `${first.pointer}/x-mint` : parts[0];
      const verb = closedEntries.length + parts.length === 1 ? "is" : "are";
      diagnostics.push({
        code: "SPEC_RESTRICTED",
        severity: "warning",
        what: `${lost.join(" and ")} of ${source} ${verb} for other groups of readers and left out, as is the file itself.`,
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
  return { plans, closedFiles, diagnostics: [...diagnostics, ...unknownGroups(audience, used)] };
}

function restrictionsIn({ children, global }: Pick<NavContainer, "children" | "global">): Restriction[] {
  return [...children, ...(global ?? [])].flatMap((entry) =>
    entry.kind === "page" ? [] : [...(entry.restriction ? [entry.restriction] : []), ...restrictionsIn(entry)],
  );
}

/** Empty for none. */
const count = (number: number, what: string): string =>
  number === 0 ? "" : `${number} ${what}${number === 1 ? "" : "s"}`;

/** Pointers of the parts that `x-mint` or `x-mint-enum` keep from the readers, without operations. */
function restrictedParts(document: Json, audience: readonly string[], used: Set<string>): string[] {
  const pointers: string[] = [];
  const isKept = (written: Json | undefined): boolean => {
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
    const isEntry = /^#\/(?:paths|webhooks)\/[^/]*(?:\/[a-z]+)?$/.test(pointer);
    if (!isEntry && isKept(member(member(value, "x-mint"), "groups"))) pointers.push(`${pointer}/x-mint`);
    if (isObject(values) && Object.values(values).map(isKept).includes(true)) pointers.push(`${pointer}/x-mint-enum`);
    for (const [name, each] of Object.entries(value))
      waiting.push([`${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`, each as Json]);
  }
  return pointers.reverse();
}

/** Names in the audience that nothing in the site uses: most likely misspelled. */
const unknownGroups = (audience: readonly string[], used: ReadonlySet<string>): Diagnostic[] =>
  audience
    .filter((name) => !used.has(name) && !used.has("*"))
    .map((name) => {
      const near = nearestName(name, [...used]);
      return {
        code: "AUDIENCE_UNKNOWN",
        severity: "warning",
        what: `The bundle is for readers in "${name}", but nothing in the site names this group.`,
        fix: near ? `write "${near}".` : 'write the name of a group that "groups" of a page names.',
      };
    });
