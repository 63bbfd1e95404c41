import { afterAll, expect } from "vitest";

/** Those that the runtime begins with: its classes and functions. Vitest's own change from file to file. */
const runtimeGlobals = Object.getOwnPropertyNames(globalThis).filter((name) => !name.startsWith("__"));

const before = processState();

/** Files share a process: one that leaves it changed would make another fail, in some orders only. */
afterAll(() => {
  const after = processState();
  const changed = Object.keys({ ...before, ...after }).filter((name) => !Object.is(before[name], after[name]));
  expect(changed, "what this file has changed for the files after it").toEqual([]);
});

/** The runtime's global values, the environment and the working directory, by name. */
function processState(): Record<string, unknown> {
  const state: Record<string, unknown> = { "process.cwd()": process.cwd() };
  for (const [name, value] of Object.entries(process.env)) state[`process.env.${name}`] = value;
  for (const name of runtimeGlobals) state[name] = (globalThis as Record<string, unknown>)[name];
  return state;
}
