/** The process that renders islands. It may read only the files that it is made of. */
import { readFileSync } from "node:fs";
import { ready } from "../../../lib/sandbox/index.js";
import { loadGuest, type Source } from "./interpreter.js";
import { limits, type RenderMessage, type RenderReply, type SentModule } from "./protocol.js";
import { renderPage } from "./render-page.js";

const read = (name: string): Buffer => readFileSync(new URL(name, import.meta.url));
const open = await loadGuest(
  await WebAssembly.compile(new Uint8Array(read("quickjs.wasm"))),
  read("island-guest.js").toString("utf8"),
);

/** By slot. */
const kept: Source[] = [];

function sourceOf({ text, slot }: SentModule): Source {
  if (slot === undefined) return { text: text!, isKept: false };
  if (text !== undefined) kept[slot] = { text, isKept: true };
  return kept[slot]!;
}

const maxKilobytes = (): number => process.resourceUsage().maxRSS;
/** A new process begins with the maximum of the one that has started it. */
const spentKilobytes = Math.max(limits.processBytes / 1024, maxKilobytes());

process.on("message", async ({ id, job, pageMs }: RenderMessage & { readonly id: number }) => {
  const modules = job.modules.map((module) => ({ id: module.id, deps: module.deps, source: sourceOf(module) }));
  const roots = await renderPage({ modules, roots: job.roots }, open, pageMs);
  // The current size would need /proc, which a namespace hides.
  const isSpent = maxKilobytes() > spentKilobytes;
  const reply: RenderReply = { roots, ...(isSpent ? { spent: true } : {}) };
  process.send!({ id, ...reply });
});
process.send!(ready);
process.on("disconnect", () => process.exit());
