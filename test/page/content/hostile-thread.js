/** `node hostile-thread.js <bundle>`: reads deeply nested pages in a worker thread with Node's own stack size. */
import { isMainThread, Worker, workerData } from "node:worker_threads";

const many = (text, count) => text.repeat(count);
const pages = [
  ["(", ")"],
  ["[", "]"],
  ["`${", "}`"],
  ["function(){return ", "}"],
  ["class extends ", "{}"],
  ["!", ""],
  ["- ", ""],
  ["typeof ", ""],
  ["new ", ""],
  ["a=>", ""],
  ["a?b:", ""],
  ["a=", ""],
  ["a**", ""],
  ["<a>", "</a>"],
  ["a as b<", ">"],
].flatMap(([open, close]) => [3000, 30_000].map((count) => `{${many(open, count)}1${many(close, count)}}`));
pages.push(
  `export const a = ${many("(", 30_000)}`,
  `${many("<a b={", 30_000)}1${many("}/>", 30_000)}`,
  `${many("> - ", 3000)}a`,
);

if (isMainThread) new Worker(new URL(import.meta.url), { workerData: process.argv[2] });
else {
  const { createContentReader } = await import(workerData);
  let source = "";
  const files = { root: "/", paths: ["p.mdx"], has: () => false, readText: () => source };
  const config = { variables: {}, styling: {} };
  const reader = await createContentReader({ files, config, markdownComponents: new Set() });
  for (source of pages) reader.read({ sourcePath: "p.mdx" });
}
