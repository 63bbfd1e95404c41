import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A store of archives on loopback, whose links carry a secret and fail as real ones do. */
export interface BundleHost {
  link(path: string): string;
  /** Paths in the order they were asked for. */
  readonly asked: string[];
  /** The content of a path; a number is a response with that status, and `never` no response. */
  readonly content: Map<string, Buffer | number | "never" | "cut">;
  close(): Promise<void>;
}

export const secret = "X-Signature=0123456789abcdef";

export async function openBundleHost(): Promise<BundleHost> {
  const content: BundleHost["content"] = new Map();
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    const [path = "", query] = (request.url ?? "").split("?");
    asked.push(path);
    const found = query === secret ? (content.get(path) ?? 404) : 403;
    if (found === "never") return;
    if (found === "cut") {
      response.writeHead(200, { "content-length": "1000" }).write("half", () => response.destroy());
      return;
    }
    if (typeof found === "number") response.writeHead(found).end("<Error>no</Error>");
    else response.writeHead(200, { "content-length": String(found.length) }).end(found);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    content,
    link: (path) => `http://127.0.0.1:${port}${path}?${secret}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
