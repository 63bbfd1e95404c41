/** The process that renders islands. It may read only its own files. */
import { readFileSync } from "node:fs";
import { ready } from "../../../lib/sandbox/process-client.js";
import { loadGuest, type Source } from "./interpreter.js";
import { limits, type RenderMessage, type RenderReply, type SentModule } from "./protocol.js";
import { renderPage } from "./render-page.js";

const read = (name: string): Buffer => readFileSync(new URL(name, import.meta.url));
const open = await loadGuest(
  await WebAssembly.compile(new Uint8Array(read("quickjs.wasm"))),
  read("island-guest.js").toString("utf8"),
);

/** Stored texts by slot. */
const storedSources: Source[] = [];

function storedSource({ text, slot }: SentModule): Source {
  if (slot === undefined) return { text: text!, isReused: false };
  if (text !== undefined) storedSources[slot] = { text, isReused: true };
  return storedSources[slot]!;
}

const maxKilobytes = (): number => process.resourceUsage().maxRSS;
/** Above this peak, the process is replaced. A new process starts with the peak of its parent. */
const spentKilobytes = Math.max(limits.processBytes / 1024, maxKilobytes());

process.on("message", async ({ id, job, pageMs }: RenderMessage & { readonly id: number }) => {
  const modules = job.modules.map((module) => ({ id: module.id, deps: module.deps, source: storedSource(module) }));
  const roots = await renderPage({ modules, roots: job.roots }, open, pageMs);
  // Compares the peak: for the current size, the process would need /proc, which the sandbox hides.
  const isSpent = maxKilobytes() > spentKilobytes;
  const reply: RenderReply = { roots, ...(isSpent ? { spent: true } : {}) };
  process.send!({ id, ...reply });
});
process.send!(ready);
process.on("disconnect", () => process.exit());
