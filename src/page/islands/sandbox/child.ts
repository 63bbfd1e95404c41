/** The process that renders islands. It may read only the files that it is made of. */
import { readFileSync } from "node:fs";
import { ready } from "../../../lib/sandbox/index.js";
import { loadGuest } from "./interpreter.js";
import { limits, type RenderMessage, type RenderReply } from "./protocol.js";
import { renderPage } from "./render-page.js";

const read = (name: string): Buffer => readFileSync(new URL(name, import.meta.url));
const open = await loadGuest(
  await WebAssembly.compile(new Uint8Array(read("quickjs.wasm"))),
  read("island-guest.js").toString("utf8"),
);

process.on("message", async ({ id, job, pageMs }: RenderMessage & { readonly id: number }) => {
  const roots = await renderPage(job, open, pageMs);
  // The current size would need /proc, which a namespace hides.
  const isSpent = process.resourceUsage().maxRSS * 1024 > limits.processBytes;
  const reply: RenderReply = { roots, ...(isSpent ? { spent: true } : {}) };
  process.send!({ id, ...reply });
});
process.send!(ready);
process.on("disconnect", () => process.exit());
