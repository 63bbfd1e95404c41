/** `mdx`, or plain Markdown. */
export type MarkdownKind = "mdx" | "markdown";

const features = { gfm: true, math: false, frontmatter: false } as const;

/** The tree of a text in Sätteri's binary form. @throws {Error} for a syntax error. */
export function serializedTree(satteri: typeof import("satteri"), kind: MarkdownKind, source: string): Uint8Array {
  const create = kind === "mdx" ? satteri.createMdxMdastHandle : satteri.createMdastHandle;
  const handle = create(source, features);
  try {
    return satteri.serializeHandle(handle);
  } finally {
    satteri.dropHandle(handle);
  }
}
