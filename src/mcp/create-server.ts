import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, Server } from "@modelcontextprotocol/server";
import { engineVersion } from "../lib/package-root.js";
import { type Documentation, resourceBase } from "./documentation.js";
import { callTool, pageAddress, ToolFault, toolsFor } from "./tools.js";

const pageTemplate = `${resourceBase}{+path}`;
const maxListed = 200;
/** The protocol allows no more. */
const maxCompletions = 100;
/** Longest text of a resource, in UTF-16 code units. */
const maxText = 1_000_000;
const markdown = "text/markdown";

/** How long a client may cache an answer. Proxies must not share it, since it may be for one group of readers. */
const hint = { ttlMs: 60_000, cacheScope: "private" } as const;

/** Creates a server for one request or one connection. Its only state is the documentation that it answers from. */
export function createServer(docs: Documentation): Server {
  const { siteName } = docs;
  const server = new Server(
    { name: siteName || "documentation", title: siteName || "Documentation", version: engineVersion() },
    {
      capabilities: { tools: {}, resources: {}, completions: {}, logging: {} },
      instructions: `The documentation of ${siteName || "one site"}. Search it before you answer a question about its subject, read matching pages with read_page, and cite their URLs.`,
      cacheHints: {
        "server/discover": hint,
        "tools/list": hint,
        "resources/list": hint,
        "resources/templates/list": hint,
        "resources/read": hint,
      },
    },
  );
  server.setRequestHandler("tools/list", () => ({ tools: toolsFor(docs) as never[] }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    try {
      const text = await callTool(docs, params.name, params.arguments ?? {});
      return { content: [{ type: "text", text }] };
    } catch (error) {
      if (!(error instanceof ToolFault)) throw error;
      return { content: [{ type: "text", text: error.message }], isError: true };
    }
  });
  server.setRequestHandler("resources/list", async ({ params }) => {
    const start = startOf(params?.cursor, docs.pages.length);
    const end = Math.min(docs.pages.length, start + maxListed);
    const pages = docs.pages.slice(start, end).map(({ path, title, trail }) => ({
      uri: resourceBase + encodeURI(path.slice(1)),
      name: path,
      title,
      ...(trail.length === 0 ? {} : { description: trail.join(" › ") }),
      mimeType: markdown,
    }));
    const index = start === 0 && (await docs.page("/llms.txt")) !== undefined ? [llmsResource] : [];
    return {
      resources: [...index, ...pages],
      ...(end < docs.pages.length ? { nextCursor: String(end) } : {}),
    };
  });
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [
      {
        uriTemplate: pageTemplate,
        name: "page",
        title: "A page",
        description: "A page as Markdown, by its path without the leading slash.",
        mimeType: markdown,
      },
    ],
  }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
    const text = await resourceText(docs, uri);
    if (text === undefined) throw new ResourceNotFoundError(uri, `There is no resource "${uri.slice(0, 200)}".`);
    const isWhole = text.length <= maxText;
    const cut = isWhole
      ? text
      : `${text.slice(0, maxText).toWellFormed()}\n\n(Truncated: the page has ${text.length} characters.)`;
    return { contents: [{ uri, mimeType: uri === llmsResource.uri ? llmsResource.mimeType : markdown, text: cut }] };
  });
  server.setRequestHandler("completion/complete", ({ params: { ref, argument } }) => {
    if (ref.type !== "ref/resource" || ref.uri !== pageTemplate || argument.name !== "path")
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Only "path" of ${pageTemplate} can be completed.`);
    const typed = argument.value.toLowerCase().replace(/^\//, "");
    const matches = docs.pages.map(({ path }) => path.slice(1)).filter((path) => path.toLowerCase().includes(typed));
    const [first, rest] = [true, false].map((begins) =>
      matches.filter((path) => path.toLowerCase().startsWith(typed) === begins),
    );
    const values = [...first!, ...rest!].slice(0, maxCompletions);
    return { completion: { values, total: matches.length, hasMore: matches.length > values.length } };
  });
  return server;
}

const llmsResource = {
  uri: `${resourceBase}llms.txt`,
  name: "llms.txt",
  title: "All pages, with descriptions",
  mimeType: "text/plain",
};

/** @throws {ProtocolError} if the cursor does not come from `resources/list`. */
function startOf(cursor: string | undefined, count: number): number {
  if (cursor === undefined) return 0;
  const start = /^\d{1,9}$/.test(cursor) ? Number(cursor) : count;
  if (start >= count)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "The cursor does not belong to this list.");
  return start;
}

const resourceText = async (docs: Documentation, uri: string): Promise<string | undefined> =>
  uri.length > 2000 ? undefined : (await docs.page(pageAddress(docs, uri).path))?.content;
