/** The process that draws: it may read the packages it is made of, and nothing else. */
import { ready, type WorkerRequest } from "../messages.js";
import { openDom } from "./dom.js";

const dom = openDom();
const { drawOne } = await import("./draw.js");

process.on("message", async ({ id, source }: WorkerRequest) => {
  dom.reset();
  process.send!({ id, ...(await drawOne(source)) });
});
process.send!(ready);
process.on("disconnect", () => process.exit());
