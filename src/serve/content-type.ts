import contentTypes from "./content-types.json" with { type: "json" };

const types: Readonly<Record<string, string>> = contentTypes;

/** The media type of a file, by its extension. */
export function contentTypeOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return types[extension] ?? "application/octet-stream";
}

/** Whether compression makes it smaller. */
export const isCompressible = (type: string): boolean =>
  /^(?:text\/|image\/svg|application\/(?:json|xml|yaml|rss|atom|manifest|wasm|javascript|x-ndjson))|\+(?:json|xml)/.test(
    type,
  ) ||
  type === "font/ttf" ||
  type === "font/otf";

/** Whether a browser may run scripts in it although it is not a page. */
export const isActive = (type: string): boolean => /^image\/svg|xml/.test(type);
