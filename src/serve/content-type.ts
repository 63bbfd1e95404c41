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

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  htm: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  mjs: "text/javascript; charset=utf-8",
  md: "text/markdown; charset=utf-8",
  mdx: "text/plain; charset=utf-8",
  txt: "text/plain; charset=utf-8",
  log: "text/plain; charset=utf-8",
  csv: "text/csv; charset=utf-8",
  tsv: "text/tab-separated-values; charset=utf-8",
  json: "application/json",
  map: "application/json",
  jsonl: "application/x-ndjson",
  yaml: "application/yaml",
  yml: "application/yaml",
  toml: "text/plain; charset=utf-8",
  xml: "application/xml",
  rss: "application/rss+xml",
  atom: "application/atom+xml",
  xhtml: "application/xhtml+xml",
  webmanifest: "application/manifest+json",
  wasm: "application/wasm",
  pdf: "application/pdf",
  zip: "application/zip",
  gz: "application/gzip",
  tgz: "application/gzip",
  svg: "image/svg+xml",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  apng: "image/apng",
  bmp: "image/bmp",
  ico: "image/x-icon",
  mp4: "video/mp4",
  m4v: "video/mp4",
  webm: "video/webm",
  mov: "video/quicktime",
  ogv: "video/ogg",
  mp3: "audio/mpeg",
  m4a: "audio/mp4",
  wav: "audio/wav",
  ogg: "audio/ogg",
  oga: "audio/ogg",
  flac: "audio/flac",
  vtt: "text/vtt; charset=utf-8",
  woff2: "font/woff2",
  woff: "font/woff",
  ttf: "font/ttf",
  otf: "font/otf",
};
