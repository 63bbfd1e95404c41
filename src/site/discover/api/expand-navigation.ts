import type { Location } from "../../../lib/diagnostic/index.js";
import { byFormat, type SpecFormat, specFormats } from "../../api-spec.js";
import type { NavContainer, NavEntry, Navigation, NavPage, SpecRef, SpecRefs } from "../../config/index.js";
import { noScope, type SpecScope } from "./find-described.js";

export interface ExpansionTools {
  /** The format of the specification that an entry, or its page file, refers to; undefined if there is none. */
  readonly describes: (page: NavPage) => SpecFormat | undefined;
  /** Called for every entry that is a page, with the specifications of its containers. */
  readonly onPage: (page: NavPage, scope: SpecScope) => void;
  /** Makes groups and pages for everything in these specifications, for the container with this label in this language. */
  readonly fill: (
    refs: readonly SpecRef[],
    format: SpecFormat,
    location: Location,
    label: string,
    language: string | undefined,
  ) => readonly NavEntry[];
  /** Makes the overview pages of these specifications. */
  readonly addOverviews: ExpansionTools["fill"];
  /** Makes pages for the objects of the entries that a container lists by hand. */
  readonly addObjects: ExpansionTools["fill"];
}

/**
 * Adds the pages of specifications to the navigation. A container that names a specification, and whose entries at all
 * depths name no operation, gets all of them: in the empty containers below it, otherwise after its own entries. Entries
 * inherit the specification of their container unless they name one.
 */
export function expandNavigation(navigation: Navigation, tools: ExpansionTools, location: Location): Navigation {
  const expand = (
    node: Holder,
    outer: SpecScope,
    pending: Pending,
    withObjects: Set<string>,
  ): { children: NavEntry[]; global: NavContainer[] } => {
    const scope: SpecScope = {
      within: isAudience(node) ? [...outer.within, `${node.kind} ${node.label}`] : outer.within,
      language: node.kind === "language" ? node.label : outer.language,
      ...byFormat((format) => named(node[format]) ?? outer[format]),
    };
    if (node.root) tools.onPage(node.root, scope);
    const { here, below } = placesOf(node, pending);
    const pagesFor = (make: ExpansionTools["fill"], refs: readonly SpecRef[], format: SpecFormat) =>
      make(refs, format, node.location ?? location, node.label ?? "", scope.language);
    const children: NavEntry[] = specFormats.flatMap((format) => {
      const overviews = node[format]?.filter(({ overview }) => overview === true) ?? [];
      return overviews.length > 0 && describesAny(node, format) ? pagesFor(tools.addOverviews, overviews, format) : [];
    });
    /** Groups share a sidebar, which has the objects of a specification only once. */
    const within = (child: NavContainer) =>
      expand(child, scope, below, child.kind === "group" ? withObjects : new Set<string>());
    for (const child of node.children) {
      if (child.kind === "page") tools.onPage(child, scope);
      children.push(child.kind === "page" ? child : { ...child, ...within(child) });
    }
    const global = (node.global ?? []).map((child) => ({ ...child, ...within(child) }));
    for (const format of specFormats) {
      children.push(...pagesFor(tools.fill, here[format] ?? [], format));
      const refs = named(node[format])?.filter(({ source, directory }) => !withObjects.has(`${source} ${directory}`));
      if (refs === undefined || refs.length === 0 || !describesAny(node, format)) continue;
      for (const { source, directory } of refs) withObjects.add(`${source} ${directory}`);
      children.push(...pagesFor(tools.addObjects, refs, format));
    }
    return { children, global };
  };

  /** Decides where the pages of specifications are added: of those that the container names, and of `pending` ones. */
  const placesOf = (node: Holder, pending: Pending): { readonly here: Pending; readonly below: Pending } => {
    const here: Pending = {};
    const below: Pending = {};
    for (const format of specFormats) {
      const refs = named(node[format]);
      const applied = refs === undefined ? pending[format] : describesAny(node, format) ? undefined : refs;
      if (applied === undefined) continue;
      if (refs === undefined ? isBare(node) : isEmpty(node)) here[format] = applied;
      else if (hasEmptyBelow(node, format)) below[format] = applied;
      else if (refs !== undefined && holdsPages(node)) here[format] = applied;
    }
    return { here, below };
  };

  const describesAny = (node: Holder, format: SpecFormat): boolean =>
    (node.root !== undefined && tools.describes(node.root) === format) ||
    [...node.children, ...(node.global ?? [])].some((child) =>
      child.kind === "page" ? tools.describes(child) === format : describesAny(child, format),
    );

  return { ...navigation, ...expand(navigation, noScope, {}, new Set()) };
}

/** The fields that containers and the navigation itself have in common. */
type Holder = Pick<Navigation, "children"> &
  Partial<SpecRefs & Pick<NavContainer, "kind" | "root" | "global" | "location" | "label" | "href">>;
/** Specifications whose pages are added to the empty containers below. */
type Pending = { [format in SpecFormat]?: readonly SpecRef[] };

const named = (refs: readonly SpecRef[] | undefined): readonly SpecRef[] | undefined =>
  refs !== undefined && refs.length > 0 ? refs : undefined;

const isAudience = ({ kind }: Holder): boolean => kind === "language" || kind === "version" || kind === "product";

const isEmpty = (node: Holder): boolean => node.children.length === 0 && node.href === undefined;

/** Whether a container below has neither a specification nor entries. */
const hasEmptyBelow = (node: Holder, format: SpecFormat): boolean =>
  node.children.some(
    (child) =>
      child.kind !== "page" && named(child[format]) === undefined && (isBare(child) || hasEmptyBelow(child, format)),
  );
const isBare = (node: Holder): boolean =>
  isEmpty(node) && node.root === undefined && !specFormats.some((format) => named(node[format]));

const holdsPages = (node: Holder): boolean =>
  node.children.some((child) => child.kind === "page" || child.kind === "group");
