import { expect, test } from "vitest";
import { exportsAtOnce, heapOfExport } from "../../../src/service/worker/worker-machine.js";

test.each([
  // cores, memory   exports at once, heap of each
  [1, 512, 1, 256],
  [2, 2048, 1, 1344],
  [4, 2048, 2, 672],
  [16, 2048, 2, 672],
  [8, 16384, 4, 2048],
])(
  "with %i cores and %i MiB a worker runs %i exports at once, each with a heap of %i MiB",
  (cores, memoryMb, exports, heapMb) => {
    const capacity = { cores, memoryMb };
    expect(exportsAtOnce(capacity)).toBe(exports);
    expect(heapOfExport(capacity, exports)).toBe(heapMb);
  },
);
