/** The process that draws: it may read the packages it is made of, and nothing else. */
import { type DrawRequest, ready } from "../messages.js";
import { openDom } from "./dom.js";

const dom = openDom();
const { drawOne } = await import("./draw.js");

process.on("message", async ({ id, source }: DrawRequest) => {
  dom.reset();
  process.send!({ id, ...(await drawOne(source)) });
});
process.send!(ready);
process.on("disconnect", () => process.exit());
