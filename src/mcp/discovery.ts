import { engineVersion } from "../lib/package-root.js";
import { toolDefinitions } from "./tools.js";

/**
 * The documents by which agents find the server of a site, by their paths below its root. `.well-known/mcp` has the same
 * content as `.well-known/mcp.json`; only a server can have both it and the files below it.
 *
 * @param url of the server.
 */
export function discoveryFiles(siteName: string, url: string): ReadonlyMap<string, object> {
  const common = { version: engineVersion(), transport: "http", url, authentication: "none" };
  const card = {
    ...common,
    name: siteName,
    description: `Search and read the documentation of ${siteName}`,
    capabilities: { tools: true, resources: true },
    tools: toolDefinitions,
  };
  const { authentication, transport } = common;
  const server = { ...common, servers: [{ name: "public", url, transport, authentication }] };
  return new Map<string, object>([
    [".well-known/mcp.json", server],
    [serverCardPath, card],
    [".well-known/mcp/server-cards.json", { servers: [card] }],
  ]);
}

export const serverCardPath = ".well-known/mcp/server-card.json";
