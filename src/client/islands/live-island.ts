import type { Island } from "../../page/islands/runtime/island.js";

/** An island of the page, as its slots know it. */
export interface LiveIsland extends Island {
  readonly slots: Map<number, SlotContent>;
  /** Content that was not shown at first. */
  readonly templates: ReadonlyMap<number, HTMLTemplateElement>;
  /** Brings the islands in the content of a slot to life. */
  readonly show: (inside: ParentNode) => void;
}

/** The nodes of a slot, which stay the same wherever they are shown. */
export interface SlotContent {
  readonly nodes: readonly Node[];
  /** Where they are shown. */
  owner?: Element;
}
