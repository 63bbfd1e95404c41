/** The worker process that draws diagrams. It may read only its own packages. */
import { ready } from "../../../lib/sandbox/process-client.js";
import type { WorkerRequest } from "../worker-process.js";
import { openDom } from "./dom.js";

const dom = openDom();
const { drawOne } = await import("./draw.js");

process.on("message", async ({ id, source }: WorkerRequest) => {
  dom.reset();
  process.send!({ id, ...(await drawOne(source)) });
});
process.send!(ready);
process.on("disconnect", () => process.exit());
