import { type JSValueHandle, QuickJS, type QuickJSOptions, type Snapshot } from "quickjs-wasi";
import { limits } from "./protocol.js";

/** The text of a module, with bytecode if several pages run it: parsing takes five times as long. */
export interface Source {
  readonly text: string;
  readonly isReused: boolean;
  bytecode?: Uint8Array;
}

/** QuickJS with the guest. It cannot call functions of this process. */
export interface Interpreter {
  /** Sets the processor time for the code that runs next. */
  allow(ms: number): void;
  /** Whether code exceeded its time. */
  wasStopped(): boolean;
  /** Whether the clock was read since the last call. */
  clockWasRead(): boolean;
  /** Whether there are pending promise jobs. */
  hasJobs(): boolean;
  /** Runs a module. Call it before other code of the site runs, since later pages reuse the bytecode. */
  run(source: Source, name: string): void;
  /** Calls a function of the guest. */
  call(name: "evaluate" | "render", ...values: readonly string[]): string;
}

/** The time of all clocks in the interpreter: 2020-01-01. Results that depend on it are discarded. */
const now = 1_577_836_800_000n * 1_000_000n;

/** Loads the guest once. The returned function resets its memory, so use one interpreter at a time. */
export async function loadGuest(wasm: WebAssembly.Module, guest: string): Promise<() => Promise<Interpreter>> {
  const state = newState();
  let vm = await QuickJS.create(vmOptions(wasm, state));
  vm.evalCode(guest, "guest").dispose();
  const host = vm.global.getProp("host");
  const tokens = {
    undefined: vm.exportHandle(vm.undefined),
    evaluate: exportToken(vm, host, "evaluate"),
    render: exportToken(vm, host, "render"),
  };
  host.dispose();
  vm.evalCode("delete globalThis.host", "guest").dispose();
  vm.runGC();
  const { qjs_set_gc_threshold, wasm_malloc, wasm_free } = vm._getExports();
  // Most pages need no garbage collection.
  qjs_set_gc_threshold(usualPageBytes);
  // Grow the memory now, so that no page has to.
  wasm_free(wasm_malloc(usualPageBytes));
  const snapshot = vm.snapshot();
  const reset = createReset(snapshot);
  return async () => {
    Object.assign(state, newState());
    if (!reset(vm)) vm = await QuickJS.restore(snapshot, vmOptions(wasm, state));
    return createInterpreter(vm, state, tokens);
  };
}

/** A typical page needs less. */
const usualPageBytes = 1024 * 1024;
/** Larger memory is not reused. */
const maxReusedBytes = 8 * 1024 * 1024;

/**
 * Resets the memory to the snapshot, which takes 0.2 ms; a new memory for each page would take 3 ms. The only other
 * state of the WebAssembly module is the stack pointer. The returned function returns false if the memory is too large.
 */
function createReset({ memory: saved, stackPointer }: Snapshot): (vm: QuickJS) => boolean {
  const filled = filledRanges(saved);
  return (vm) => {
    const { memory, __stack_pointer } = vm._getExports();
    if (memory.buffer.byteLength > maxReusedBytes) return false;
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

/** The ranges of a snapshot that are not zero; most of it is. */
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
  /** Wall-clock time before which the deadline cannot have passed. */
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

const exportToken = (vm: QuickJS, host: JSValueHandle, name: string): number => {
  const handle = host.getProp(name);
  return vm.exportHandle(handle);
};

const vmOptions = (wasm: WebAssembly.Module, state: State): QuickJSOptions => ({
  wasm,
  memoryLimit: limits.memoryBytes,
  maxStackSize: limits.stackBytes,
  timezoneOffset: 0,
  // Called every few thousand steps. It checks the time on every call, since a single step may be slow, but asks for the
  // processor time only when necessary, since that is slow.
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
});
const badFile = 8;

/** Processor time of this thread if Node knows it; the whole process also compiles WebAssembly in other threads. */
export function processorMs(): number {
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)();
  return (user + system) / 1000;
}

const createInterpreter = (vm: QuickJS, state: State, tokens: Readonly<Record<string, number>>): Interpreter => ({
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
    if (source.isReused) source.bytecode ??= vm.compile(source.text, name);
    const { text, bytecode } = source;
    (bytecode ? vm.evalBytecode(bytecode) : vm.evalCode(text, name)).dispose();
  },
  call(name, ...values) {
    const result = vm.callFunction(
      vm.importHandle(tokens[name]!),
      vm.importHandle(tokens["undefined"]!),
      ...values.map((value) => vm.newString(value)),
    );
    // Code of the site cannot change the guest's functions, but it can change the built-ins that they call.
    if (result.typeof !== "string") throw new Error("The result is not a text.");
    return result.toString();
  },
});
