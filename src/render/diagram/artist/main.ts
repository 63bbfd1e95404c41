/** The process that draws: it may read the packages it is made of, and nothing else. */
import type { DrawRequest } from "../messages.js";
import { openDom } from "./dom.js";

const dom = openDom();
const { drawOne } = await import("./draw.js");

process.on("message", async ({ id, source }: DrawRequest) => {
  dom.reset();
  process.send!({ id, ...(await drawOne(source)) });
});
process.on("disconnect", () => process.exit());
