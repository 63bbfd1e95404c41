import { serveEditor } from "../../lsp/serve-editor.js";
import { command, type Input } from "../command.js";
import { type Environment, stopOnSignal } from "../environment.js";
import { cacheFolder } from "../settings/cache.js";
import type texts from "./texts/lsp.json";

export const commands = { lsp: command(parse, run) };

function parse({ values }: Input<typeof texts, "lsp">) {
  return { cache: !values["no-cache"] };
}

/** Runs until the editor ends it, or a signal does. Only messages of the protocol go to stdout. */
async function run({ cache }: ReturnType<typeof parse>, environment: Environment): Promise<number> {
  const { controller, release } = stopOnSignal(environment);
  try {
    await serveEditor({
      input: environment.stdin!,
      output: environment.stdout,
      cacheFolder: cache ? cacheFolder(environment) : undefined,
      signal: controller.signal,
    });
    return 0;
  } finally {
    release();
  }
}
