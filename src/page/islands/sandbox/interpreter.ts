import { type JSValueHandle, QuickJS, type QuickJSOptions, type Snapshot } from "quickjs-wasi";
import { limits } from "./protocol.js";

/** A text, and its bytecode if it runs on several pages: parsing takes five times as long. */
export interface Source {
  readonly text: string;
  readonly isKept: boolean;
  bytecode?: Uint8Array;
}

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
  run(source: Source, name: string): void;
  /** Calls a function of the guest. */
  call(name: "evaluate" | "render", ...values: readonly string[]): string;
}

/** Of all clocks inside: 2020-01-01. What depends on it is thrown away. */
const now = 1_577_836_800_000n * 1_000_000n;

/**
 * Loads the guest once. @returns what gives an interpreter with only the guest in its memory. One is in use at a time: the
 * next one takes the memory of the last, with nothing of what ran there.
 */
export async function loadGuest(wasm: WebAssembly.Module, guest: string): Promise<() => Promise<Interpreter>> {
  const state = newState();
  let vm = await QuickJS.create(optionsOf(wasm, state));
  vm.evalCode(guest, "guest").dispose();
  const host = vm.global.getProp("host");
  const tokens = {
    undefined: vm.exportHandle(vm.undefined),
    evaluate: tokenOf(vm, host, "evaluate"),
    render: tokenOf(vm, host, "render"),
  };
  host.dispose();
  vm.evalCode("delete globalThis.host", "guest").dispose();
  vm.runGC();
  const { qjs_set_gc_threshold, wasm_malloc, wasm_free } = vm._getExports();
  // Most pages are done before there is anything to collect.
  qjs_set_gc_threshold(usualPageBytes);
  // A page's own memory: without it, each page would make the memory grow.
  wasm_free(wasm_malloc(usualPageBytes));
  const snapshot = vm.snapshot();
  const setBack = restorer(snapshot);
  return async () => {
    Object.assign(state, newState());
    if (!setBack(vm)) vm = await QuickJS.restore(snapshot, optionsOf(wasm, state));
    return interpreterOf(vm, state, tokens);
  };
}

/** Real pages take less. */
const usualPageBytes = 1024 * 1024;
/** Memory that has grown further is not kept. */
const longestKept = 8 * 1024 * 1024;

/**
 * Writes the snapshot over the memory, which is far less work than a memory of its own for each page. Outside of its memory,
 * the module has one variable, the stack pointer. @returns what returns false for a memory that is too large to be kept.
 */
function restorer({ memory: saved, stackPointer }: Snapshot): (vm: QuickJS) => boolean {
  const filled = filledRanges(saved);
  return (vm) => {
    const { memory, __stack_pointer } = vm._getExports();
    if (memory.buffer.byteLength > longestKept) return false;
    const bytes = new Uint8Array(memory.buffer);
    let end = 0;
    for (const [from, to] of filled) {
      bytes.fill(0, end, from);
      bytes.set(saved.subarray(from, to), from);
      end = to;
    }
    bytes.fill(0, end);
    __stack_pointer.value = stackPointer;
    return true;
  };
}

/** Most of a snapshot is empty. */
function filledRanges(bytes: Uint8Array): (readonly [from: number, to: number])[] {
  const ranges: [from: number, to: number][] = [];
  const words = new BigUint64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 8);
  const perBlock = 4096 / 8;
  for (let at = 0; at < words.length; at += perBlock) {
    if (words.subarray(at, at + perBlock).every((word) => word === 0n)) continue;
    const [from, to] = [at * 8, (at + perBlock) * 8];
    const last = ranges.at(-1);
    if (last?.[1] === from) last[1] = to;
    else ranges.push([from, to]);
  }
  return ranges;
}

interface State {
  deadline: number;
  /** By the clock of the process: the deadline is not over before this. */
  earliest: number;
  stopped: boolean;
  clock: boolean;
}
const newState = (): State => ({
  deadline: Number.POSITIVE_INFINITY,
  earliest: Number.POSITIVE_INFINITY,
  stopped: false,
  clock: false,
});

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
    // Called every few thousand steps. It must look at the time at every call, or a slow step passes unseen. To ask for
    // processor time is slow.
    interruptHandler: () => {
      if (performance.now() >= state.earliest && processorMs() >= state.deadline) state.stopped = true;
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

function interpreterOf(vm: QuickJS, state: State, tokens: Readonly<Record<string, number>>): Interpreter {
  return {
    allow(ms) {
      state.deadline = processorMs() + ms;
      state.earliest = performance.now() + ms;
      state.stopped = false;
    },
    wasStopped: () => state.stopped,
    clockWasRead() {
      const { clock } = state;
      state.clock = false;
      return clock;
    },
    hasJobs: () => vm._getExports().qjs_is_job_pending() !== 0,
    run(source, name) {
      if (source.isKept) source.bytecode ??= vm.compile(source.text, name);
      const { text, bytecode } = source;
      (bytecode ? vm.evalBytecode(bytecode) : vm.evalCode(text, name)).dispose();
    },
    call(name, ...values) {
      const result = vm.callFunction(
        vm.importHandle(tokens[name]!),
        vm.importHandle(tokens["undefined"]!),
        ...values.map((value) => vm.newString(value)),
      );
      // The guest's own functions are out of reach, but not what they use.
      if (result.typeof !== "string") throw new Error("The result is not a text.");
      return result.toString();
    },
  };
}
