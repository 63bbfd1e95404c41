/** The lines for editors in the handbook are valid, and start what exists. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commands } from "../../src/cli/commands.js";

const text = readFileSync(join(import.meta.dirname, "../../fixtures/handbook/guides/agents.mdx"), "utf8");
const blocks = [...text.matchAll(/^```json (\S+)\n(.*?)^```/gms)].map(([, file, json]) => ({ file, json: json! }));

/** Where each editor has its servers, and the name that the address has there. */
const editors: Readonly<Record<string, readonly [list: string, address: string]>> = {
  ".cursor/mcp.json": ["mcpServers", "url"],
  ".vscode/mcp.json": ["servers", "url"],
  ".mcp.json": ["mcpServers", "url"],
  "claude_desktop_config.json": ["mcpServers", "url"],
  "~/.codeium/windsurf/mcp_config.json": ["mcpServers", "serverUrl"],
  "settings.json": ["context_servers", "url"],
  "~/.gemini/settings.json": ["mcpServers", "httpUrl"],
};

test("every editor has its own file, and each is JSON in that editor's form", () => {
  expect(new Set(blocks.map(({ file }) => file))).toEqual(new Set(Object.keys(editors)));
  for (const { file, json } of blocks) {
    const [list, address] = editors[file!]!;
    const { [list]: servers, ...rest } = JSON.parse(json);
    expect([file, rest]).toEqual([file, {}]);
    const { docs } = servers;
    if (docs.command === undefined) assert.match(docs[address], /^https:\/\/docs\.example\.com\/mcp$/, file);
    else {
      expect([docs.command, ...docs.args]).toEqual(["npx", "-y", "offprint", "mcp", "/path/to/bundle"]);
      assert.ok(commands[docs.args[2]]);
    }
  }
});
