import type { Diagnostic } from "../../lib/diagnostic/index.js";
import { admits, type Restriction } from "../audience.js";
import type { NavContainer, NavEntry, Navigation } from "../config/index.js";
import type { PageFacts } from "./page-facts.js";
import { locationOfValue } from "./page-facts.js";

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

/** How to publish it for its readers. */
function publishFor({ includes, excludes }: Restriction): string {
  const name = includes.find((each) => each !== "*" && !excludes.includes(each));
  if (name !== undefined) return `export with --audience ${name} for these readers`;
  return includes.includes("*")
    ? "export with --audience and the name of one of the groups"
    : 'write groups: ["staff"]';
}

/** @param text of the page's file. */
export function restrictedPage(
  sourcePath: string,
  text: string,
  facts: PageFacts,
  audience: readonly string[],
): Diagnostic {
  const restriction = facts.restrictions.find((each) => !admits(each, audience))!;
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

/** @param listed ids of the pages in it. @param closed those that no other entry lists. */
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

/** Empty for none. */
export const count = (number: number, noun: string): string =>
  number === 0 ? "" : `${number} ${noun}${number === 1 ? "" : "s"}`;
