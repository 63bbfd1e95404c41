import { afterAll, expect } from "vitest";

/** The globals of the runtime. Those of Vitest change from file to file. */
const runtimeGlobals = Object.getOwnPropertyNames(globalThis).filter((name) => !name.startsWith("__"));

const before = processState();

/** Test files share a process, so a change that one leaves behind could fail another, depending on the order. */
afterAll(() => {
  const after = processState();
  const changed = Object.keys({ ...before, ...after }).filter((name) => !Object.is(before[name], after[name]));
  expect(changed, "process state that this file changed and did not restore").toEqual([]);
});

/** The runtime's global values, the environment and the working directory, by name. */
function processState(): Record<string, unknown> {
  const state: Record<string, unknown> = { "process.cwd()": process.cwd() };
  for (const [name, value] of Object.entries(process.env)) state[`process.env.${name}`] = value;
  for (const name of runtimeGlobals) state[name] = (globalThis as Record<string, unknown>)[name];
  return state;
}
