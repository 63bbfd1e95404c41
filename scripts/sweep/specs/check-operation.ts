// Compares one operation of the source with its page.
import { holdsText, missingOfExample } from "./find-text.ts";
import type { Pages } from "./pages.ts";
import { isRecord, type Source, type Value } from "./source-files.ts";
import type { SourceContent, SourceOperation, SourceScheme } from "./source-operation.ts";
import { type createWalker, isOnlyName, missingOption, type Walk, type WalkLimits } from "./walk-properties.ts";
import { wordsIn } from "./words.ts";
import { type Box, type WrittenPage, wordsOf } from "./written-page.ts";

export interface Miss {
  readonly kind: string;
  /** "GET /things", or where it is in the source. */
  readonly place: string;
  /** The missing parts. */
  readonly what: string;
  readonly page?: string;
}

/** Receives each comparison. */
export interface Tally {
  check(kind: string, isThere: boolean, place: string, what: () => string, page?: string): void;
  addWalk(place: string, walk: Walk, page: string): void;
}

export interface OperationCheck {
  readonly source: Source;
  readonly pages: Pages;
  readonly tally: Tally;
  readonly walk: ReturnType<typeof createWalker>;
  /** Undefined if properties are not followed, since there are too many operations. */
  readonly limits: WalkLimits | undefined;
}

export const placeOf = ({ method, path }: SourceOperation): string => `${method} ${path}`;

export function checkOperation(operation: SourceOperation, page: WrittenPage, options: OperationCheck): void {
  const { tally } = options;
  const place = placeOf(operation);
  const check = (kind: string, isThere: boolean, what: () => string): void =>
    tally.check(kind, isThere, place, what, page.path);
  const hasContent =
    operation.parameters.length + operation.bodies.length + operation.responses.length > 0 ||
    operation.description !== "";
  check("empty page", !hasContent || page.contentWords !== " " || page.byId.size > 12, () => "the page has no content");
  if (operation.id !== "") check("operationId", has(page.words, operation.id), () => operation.id);
  checkParts(operation, page.root, options, place);
}

/** Everything below the name of an operation; a callback is a part of a page. */
function checkParts(operation: SourceOperation, root: Box, options: OperationCheck, place: string): void {
  const { pages, tally, walk, limits, source } = options;
  const { page } = root;
  const check = (kind: string, isThere: boolean, what: () => string): void =>
    tally.check(kind, isThere, place, what, page.path);
  const checkText = (kind: string, box: Box, text: string, of = ""): void => {
    if (text === "") return;
    const missing = holdsText(box, text, pages);
    check(kind, missing === undefined, () => `${of}${of && ": "}${missing?.slice(0, 160)}`);
  };
  const checkWalk = (schemas: readonly (Value | undefined)[], boxes: readonly Box[], isRequest: boolean): void => {
    const roots = schemas.filter((schema) => schema !== undefined);
    if (limits && roots.length > 0)
      tally.addWalk(place, walk(roots, boxes, isRequest ? "request" : "response", limits), page.path);
  };
  const checkExamples = (examples: readonly Value[], of: string, box: Box): void => {
    for (const example of examples) {
      const missing = missingOfExample(example, box, pages);
      check("example", missing === undefined, () => `${of}: ${missing?.slice(0, 160)}`);
    }
  };

  checkText("summary", root, operation.summary);
  // A description that repeats the title, or begins with it, shows it once.
  const title = wordsIn(page.title).toLowerCase();
  const [first = "", ...others] = operation.description.split(/\n\s*\n/);
  const isTitle = wordsIn(first).toLowerCase() === title;
  checkText("description", root, isTitle ? others.join("\n\n") : operation.description);
  for (const { url, description } of operation.links) {
    const isLinked = page.links.has(url) || [...page.links].some((href) => sameAddress(href, url));
    // A text that is not a web address cannot be a link, so it is shown as written.
    check("externalDocs", isLinked || (!/^https?:/i.test(url) && has(page.words, url)), () => url);
    checkText("externalDocs", root, description);
  }

  for (const parameter of operation.parameters) {
    if (/^(accept|content-type|authorization)$/i.test(parameter.name) && parameter.in === "header") continue;
    const boxes = root.fields.get(parameter.name.trim()) ?? [];
    const of = `${parameter.in} ${parameter.name}`;
    check("parameter", boxes.length > 0, () => of);
    if (boxes.length === 0) continue;
    const missing = boxes.map((box) => holdsText(box, parameter.description, pages));
    if (parameter.description !== "" && !isOnlyName(parameter.description, parameter.name))
      check("parameter description", missing.includes(undefined), () => `${of}: ${missing[0]?.slice(0, 160)}`);
    const option = boxes.map((each) => missingOption(parameter.schema, each, source, pages));
    check("enum value", option.includes(undefined), () => `${of}: ${option[0]}`);
    checkWalk([parameter.schema], boxes, true);
    checkExamples(parameter.examples, of, root);
  }

  checkText("body description", root, operation.bodyDescription);
  const bodies = [...page.byId].filter(([id]) => /^body(-|$)/.test(id)).map(([, box]) => box);
  checkContents(operation.bodies, operation.kind === "callback" || bodies.length === 0 ? [root] : bodies, "body", true);

  const section = operation.kind === "callback" ? root : (page.byId.get("response") ?? root);
  for (const response of operation.responses) {
    const { status } = response;
    check("status", has(wordsOf(section), status), () => status);
    const box = (section === root ? undefined : page.byId.get(`response-${status.toLowerCase()}`)) ?? section;
    checkText("response description", box, response.description, status);
    for (const { name, description } of response.headers) {
      check("response header", has(wordsOf(box), name), () => `${status} ${name}`);
      if (!isOnlyName(description, name))
        checkText("response header description", box, description, `${status} ${name}`);
    }
    checkContents(response.contents, [box], status, false);
  }

  for (const way of operation.security)
    for (const scheme of way) {
      check("security scheme", showsScheme(scheme, page), () => `${scheme.name} (${scheme.type})`);
      checkText("security description", root, scheme.description, scheme.name);
      if (scheme.format !== "")
        check("bearerFormat", has(page.words, scheme.format), () => `${scheme.name}: ${scheme.format}`);
      for (const scope of scheme.scopes)
        check("scope", page.words.includes(wordsIn(scope).trim()), () => `${scheme.name}: ${scope}`);
    }

  for (const { name, operation: callback } of operation.callbacks) {
    const box = page.byId.get("callbacks") ?? root;
    check(
      "callback",
      has(wordsOf(box), name) && has(wordsOf(box), callback.method),
      () => `${name} ${placeOf(callback)}`,
    );
    checkParts(callback, box, options, `${place}, callback ${name}`);
  }

  function checkContents(
    contents: readonly SourceContent[],
    boxes: readonly Box[],
    of: string,
    isRequest: boolean,
  ): void {
    for (const { mediaType, examples, exampleTexts } of contents) {
      for (const text of exampleTexts) {
        const missing = page.links.has(text) ? undefined : holdsText(root, text, pages);
        check("example text", missing === undefined, () => `${of} ${mediaType}: ${missing!.slice(0, 160)}`);
      }
      if (mediaType !== "")
        check(
          "media type",
          boxes.some((box) => has(wordsOf(box), mediaType)),
          () => `${of} ${mediaType}`,
        );
      checkExamples(examples, `${of} ${mediaType}`, root);
    }
    // Media types often share a schema.
    const schemas = new Set(
      contents.map(({ schema }) => (isRecord(schema) ? (source.resolve(schema) ?? schema) : schema)),
    );
    checkWalk([...schemas], boxes, isRequest);
  }
}

const has = (words: string, text: string): boolean => words.includes(wordsIn(text).trim());

function showsScheme({ type, key, name }: SourceScheme, page: WrittenPage): boolean {
  if (type === "apiKey") return has(page.words, key);
  if (type === "mutualTLS") return /tls/i.test(page.words) || has(page.words, name);
  return page.root.fields.has("Authorization") || has(page.words, name);
}

const sameAddress = (href: string, url: string): boolean => {
  try {
    return new URL(href, "https://x.invalid/").href === new URL(url, "https://x.invalid/").href;
  } catch {
    return false;
  }
};
