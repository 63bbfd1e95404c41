import type { RootContent } from "mdast";
import { entriesAt, listAt, member, pointerTo, textAt, unescapedStep } from "../../lib/json/index.js";
import { lazy } from "../../lib/memo.js";
import { accordionSlug, decodePercent, headingSlug } from "../../lib/url/index.js";
import type { ApiSpec } from "../../site/api-spec.js";
import type { ApiTarget, SpecEntry, SpecTag } from "../../site/specs/index.js";
import type { Describer } from "./describe.js";

interface DescribedSpec {
  /** Name of the specification in the targets of pages. */
  readonly key: string;
  readonly spec: ApiSpec;
  readonly entries: () => readonly SpecEntry[];
  readonly tags: () => readonly SpecTag[];
}

/** A page, or a heading on it. */
interface Place {
  readonly target: ApiTarget;
  /** Used if the site has no page about `target`. */
  readonly otherwise?: ApiTarget;
  readonly heading?: string;
}
export type FindPlace = (fragment: string) => Place | undefined;

/**
 * Finds the pages for anchors of other tools, to which descriptions link: `tag/Users`, `operation/listUsers`,
 * `section/Errors`, `section/Authentication`, `tag/Users/paths/~1users/get` (Redoc), `tag/users/GET/users` (Scalar),
 * `/operations/listUsers`, `/components/schemas/User`,
 * `/users/listUsers` (Swagger UI), and the bare name of an operation, a tag or a heading of the API's description.
 */
export function createPlaces({ key: spec, entries, tags, spec: { document, resolve } }: DescribedSpec): FindPlace {
  const operations = new Map<string, ApiTarget>();
  for (const { operationId, method = "", name, pointer, target } of entries())
    for (const id of [operationId, `${method} ${name}`, pointer])
      if (id !== undefined && !operations.has(id)) operations.set(id, target);
  const groups = new Map<string, Place>();
  for (const { name, label, pointer } of tags())
    for (const words of [name, label]) {
      const id = headingSlug(words);
      if (!groups.has(id)) groups.set(id, { target: { kind: "group", spec, name, pointer } });
    }
  // A link to a tag without a page leads to its first operation.
  for (const { tag, target } of entries())
    if (tag !== undefined && !groups.has(headingSlug(tag))) groups.set(headingSlug(tag), { target });
  const headings = headingsIn(textAt(document["info"], "description") ?? "");
  const operation = (id: string): Place | undefined => {
    const target = operations.get(id);
    return target && { target };
  };
  const group = (name: string): Place | undefined => groups.get(headingSlug(name.replaceAll("-", " ")));
  const heading = (name: string): Place | undefined => {
    const slug = headingSlug(name.replaceAll("-", " "));
    return headings.has(slug) ? { target: { kind: "overview", spec }, heading: slug } : undefined;
  };
  const operationAt = (steps: readonly string[]): Place | undefined =>
    operation(pointerTo("paths", ...steps.map(unescapedStep)));
  const shared = lazy(() => sharedPlaces({ entries, resolve }));
  const hasSchemes = entriesAt(document["components"], "securitySchemes").length > 0;
  const security: Place | undefined = hasSchemes
    ? { target: { kind: "overview", spec }, heading: "authorizations" }
    : undefined;
  return (fragment) => {
    const name = decodePercent(fragment);
    const [, tool, rest = ""] =
      /^\/?(tag|operations?|section|components\/(?:schemas|securitySchemes|parameters|responses|requestBodies)|parameters|responses|schemas?|models?|definitions|paths)\/(.+)$/s.exec(
        name,
      ) ?? [];
    const last = name.slice(name.lastIndexOf("/") + 1);
    switch (tool) {
      case undefined:
        return operation(name) ?? (/^\/[^/]+\/[^/]+$/.test(name) ? operation(last) : (group(name) ?? heading(name)));
      case "tag": {
        const [, method = "", path = ""] = /^[^/]+\/([A-Za-z]+)(\/.*)$/s.exec(rest) ?? [];
        const [tag = "", holder, ...steps] = rest.split("/");
        if (holder === "paths") return operationAt(steps) ?? group(tag);
        return (
          operation(`${method.toLowerCase()} ${path}`) ?? (tag === rest ? group(rest) : (operation(last) ?? group(tag)))
        );
      }
      case "operation":
      case "operations":
        return operation(rest);
      case "section":
        return heading(last) ?? (/^Authentication\b/i.test(rest) ? security : undefined);
      case "components/securitySchemes":
        return security;
      case "parameters":
      case "responses":
      case "components/parameters":
      case "components/responses":
      case "components/requestBodies":
        return shared().get(pointerTo("components", tool.replace("components/", ""), unescapedStep(rest)));
      case "paths":
        return operation(`#${fragment}`) ?? operationAt(rest.split("/"));
      default: {
        const schema = unescapedStep(rest);
        const pointer = pointerTo("components", "schemas", schema);
        const otherwise = { kind: "model", spec, name: schema, pointer, skip: 0 } as const;
        return { target: { kind: "schema", spec, name: schema }, otherwise };
      }
    }
  };
}

/** Where each shared parameter, response and body is shown: on the page of the first operation that refers to it. */
function sharedPlaces({ entries, resolve }: Pick<DescribedSpec, "entries"> & Pick<ApiSpec, "resolve">) {
  const places = new Map<string, Place>();
  for (const { pointer, target, hidden, excluded } of entries()) {
    const written = resolve(pointer);
    const item = resolve(pointer.slice(0, pointer.lastIndexOf("/")));
    const responses = entriesAt(written, "responses");
    const parts = [
      ...[written, item]
        .flatMap((holder) => listAt(holder, "parameters"))
        .map((part) => ({ part, heading: undefined })),
      ...responses.map(([status, part]) => ({
        part,
        heading: responses.length === 1 ? "response" : `response-${accordionSlug(status)}`,
      })),
      { part: member(written, "requestBody"), heading: "body" },
    ];
    for (const { part, heading } of hidden || excluded ? [] : parts) {
      const $ref = textAt(part, "$ref");
      if ($ref === undefined || places.has($ref)) continue;
      places.set($ref, { target, heading: heading ?? `param-${accordionSlug(textAt(resolve($ref), "name") ?? "")}` });
    }
  }
  return places;
}

/** Anchors of the headings of a description. */
const headingsIn = (markdown: string): ReadonlySet<string> =>
  new Set(
    [...markdown.matchAll(/^#{1,6}[ \t]+([^\n]+)|<h[1-6][^>]*>([^<]*)/gim)].map(([, own, html]) =>
      headingSlug((own ?? html ?? "").replace(/[#\s]+$/, "")),
    ),
  );

/**
 * Makes links in descriptions to anchors of other tools lead to the pages of the API.
 *
 * @param hrefOf the address for the fragment of a link; undefined if the link stays as written.
 */
export function withProseAnchors(describe: Describer, hrefOf: (fragment: string) => string | undefined): Describer {
  const linked = (nodes: RootContent[], headings?: ReadonlySet<string>): RootContent[] => {
    const changed = nodes.map((node) => {
      const { children, url, data } = node as { children?: RootContent[]; url?: string; data?: RootContent["data"] };
      const props = data?.props;
      const written = url ?? props?.["href"];
      const fragment = typeof written === "string" && written.startsWith("#") ? written.slice(1) : undefined;
      const href = fragment === undefined || headings?.has(fragment) ? undefined : hrefOf(fragment);
      const inner = children && linked(children, headings);
      if (href === undefined && inner === children) return node;
      return {
        ...node,
        ...(inner && { children: inner }),
        ...(href !== undefined &&
          (url === undefined ? { data: { ...data, props: { ...props, href } } } : { url: href })),
      } as RootContent;
    });
    return changed.some((node, i) => node !== nodes[i]) ? changed : nodes;
  };
  return {
    field: (markdown) => linked(describe.field(markdown)),
    page: (markdown) => linked(describe.page(markdown), headingsIn(markdown)),
  };
}
