import { serveEditor } from "../../lsp/serve-editor.js";
import { type Input, stoppableCommand } from "../command.js";
import type { Environment } from "../environment.js";
import { cacheFolder } from "../settings/cache.js";
import type texts from "./texts/lsp.json";

export const commands = { lsp: stoppableCommand(parse, run) };

function parse({ values }: Input<typeof texts, "lsp">) {
  return { cache: !values["no-cache"] };
}

/** Runs until the editor closes it, or a signal stops it. Only messages of the protocol go to stdout. */
async function run(
  { cache }: ReturnType<typeof parse>,
  environment: Environment,
  { signal }: AbortController,
): Promise<number> {
  await serveEditor({
    input: environment.stdin!,
    output: environment.stdout,
    cacheFolder: cache ? cacheFolder(environment) : undefined,
    signal,
  });
  return 0;
}
