import { type JSValueHandle, QuickJS, type QuickJSOptions } from "quickjs-wasi";
import { limits } from "./protocol.js";

/** QuickJS with the guest loaded. It has no function of this process. */
export interface Interpreter {
  /** Gives the code that runs next this much processor time. */
  allow(ms: number): void;
  /** Whether code ran out of its time. */
  wasStopped(): boolean;
  /** Whether the clock was read since this was last asked. */
  clockWasRead(): boolean;
  /** Whether a promise waits for its turn. */
  hasJobs(): boolean;
  /** Call before code of the site runs: what is made of a text is used for later pages, too. */
  run(text: string, name: string): void;
  /** Calls a function of the guest. */
  call(name: "evaluate" | "render", ...values: readonly string[]): string;
}

/** Of all clocks inside: 2020-01-01. What depends on it is thrown away. */
const now = 1_577_836_800_000n * 1_000_000n;

/** Loads the guest once. @returns what makes an interpreter from its memory; one does not see what ran in another. */
export async function loadGuest(wasm: WebAssembly.Module, guest: string): Promise<() => Promise<Interpreter>> {
  const vm = await QuickJS.create(optionsOf(wasm, newState()));
  vm.evalCode(guest, "guest").dispose();
  const host = vm.global.getProp("host");
  const tokens = { evaluate: tokenOf(vm, host, "evaluate"), render: tokenOf(vm, host, "render") };
  host.dispose();
  vm.evalCode("delete globalThis.host", "guest").dispose();
  vm.runGC();
  const snapshot = vm.snapshot();
  vm.dispose();
  const parsed = new Map<string, Uint8Array>();
  return async () => {
    const state = newState();
    return interpreterOf(await QuickJS.restore(snapshot, optionsOf(wasm, state)), state, tokens, parsed);
  };
}

/** Modules whose bytecode is kept: those of the site occur on many pages, and parsing takes five times as long. */
const parsedCount = 200;
const longestParsed = 100_000;

interface State {
  deadline: number;
  stopped: boolean;
  clock: boolean;
}
const newState = (): State => ({ deadline: Number.POSITIVE_INFINITY, stopped: false, clock: false });

const tokenOf = (vm: QuickJS, host: JSValueHandle, name: string): number => {
  const handle = host.getProp(name);
  return vm.exportHandle(handle);
};

function optionsOf(wasm: WebAssembly.Module, state: State): QuickJSOptions {
  return {
    wasm,
    memoryLimit: limits.memoryBytes,
    maxStackSize: limits.stackBytes,
    timezoneOffset: 0,
    // Called every few thousand steps. It must look at the time at every call, or a slow step passes unseen.
    interruptHandler: () => {
      if (processorMs() >= state.deadline) state.stopped = true;
      return state.stopped;
    },
    wasi: (memory) => ({
      clock_time_get(_id: number, _precision: bigint, result: number) {
        state.clock = true;
        new DataView(memory.buffer).setBigUint64(result, now, true);
        return 0;
      },
      random_get(start: number, length: number) {
        new Uint8Array(memory.buffer, start, length).fill(7);
        return 0;
      },
      fd_write: () => badFile,
    }),
  };
}
const badFile = 8;

/** Of this thread, where Node has it: the compiler of WebAssembly has threads of its own. */
export function processorMs(): number {
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)();
  return (user + system) / 1000;
}

function interpreterOf(
  vm: QuickJS,
  state: State,
  tokens: Readonly<Record<string, number>>,
  parsed: Map<string, Uint8Array>,
): Interpreter {
  return {
    allow(ms) {
      state.deadline = processorMs() + ms;
      state.stopped = false;
    },
    wasStopped: () => state.stopped,
    clockWasRead() {
      const { clock } = state;
      state.clock = false;
      return clock;
    },
    hasJobs: () => vm._getExports().qjs_is_job_pending() !== 0,
    run(text, name) {
      const known = parsed.get(text);
      const bytecode = known ?? vm.compile(text, name);
      if (!known && text.length <= longestParsed) {
        if (parsed.size >= parsedCount) parsed.delete(parsed.keys().next().value!);
        parsed.set(text, bytecode);
      }
      vm.evalBytecode(bytecode).dispose();
    },
    call(name, ...values) {
      const result = vm.callFunction(
        vm.importHandle(tokens[name]!),
        vm.undefined,
        ...values.map((value) => vm.newString(value)),
      );
      // The guest's own functions are out of reach, but not what they use.
      if (result.typeof !== "string") throw new Error("The result is not a text.");
      return result.toString();
    },
  };
}
