// Renders the islands of 400 pages without a cache, and prints one JSON line: what the first page costs, what each later
// one, of processor time in all processes, and how much memory the interpreter's process takes.
import { readFileSync } from "node:fs";
import { shapes } from "../test/page/islands/shapes.ts";
import { rendererOf, requestOf } from "../test/page/islands/site-of-islands.ts";
import { childrenOf } from "../test/support/worker-processes.ts";
import { processorMs } from "./processor-time.ts";

const pageCount = 400;
const islandsPerPage = 4;

/** Some kB of samples, as in the modules that the widest use has. */
const padding = `export const samples = ${JSON.stringify(Array.from({ length: 40 }, (_, i) => `const value${i} = await client.get("/v1/items/${i}", { retries: ${i} });`))};`;
const files = Object.fromEntries(
  shapes.map(([, , tag, code], i) => [
    `snippets/part-${i}.jsx`,
    `import React, { useState, useEffect, useMemo, useRef, useReducer, useId, useContext, createContext, memo, forwardRef } from "react";\n${padding}\n${code}\nexport const Part = () => (${tag});`,
  ]),
);

const renderer = rendererOf({ files });
const requestFor = (page: number) => {
  const parts = Array.from({ length: islandsPerPage }, (_, i) => (page * 7 + i * 11) % shapes.length);
  const imports = parts.map((part, i) => `import { Part as Part${i} } from "/snippets/part-${part}.jsx";`);
  return requestOf(
    parts.map((_, i) => `<Part${i} page={${page}} />`),
    imports.join("\n"),
  );
};

const start = processorMs();
const startedAt = performance.now();
await renderer.render(requestFor(0));
const firstWallMs = performance.now() - startedAt;
const first = processorMs();
let answered = 0;
for (let page = 1; page <= pageCount; page++) {
  const { answers } = await renderer.render(requestFor(page));
  answered += answers.filter((answer) => !("failed" in answer)).length;
}
const end = processorMs();
if (answered !== pageCount * islandsPerPage) throw new Error(`Of the islands, only ${answered} were rendered.`);
const sandbox = childrenOf(process.pid).find((pid) =>
  readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("island-worker.js"),
);
const peak = /VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${sandbox}/status`, "utf8"))?.[1];
await renderer.close();
console.log(
  JSON.stringify({
    pages: pageCount,
    firstPageCpuMs: Math.round(first - start),
    firstPageWallMs: Math.round(firstWallMs),
    cpuMsPerPage: Math.round(((end - first) / pageCount) * 100) / 100,
    sandboxPeakMb: Math.round(Number(peak) / 1024),
    node: process.version,
  }),
);
