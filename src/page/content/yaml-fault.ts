import type { Edit } from "../../lib/diagnostic/index.js";

/** A fault of a front matter block. */
export interface YamlFault {
  readonly code: string;
  readonly what: string;
  /** Into the block. */
  readonly offset: number;
  readonly length?: number;
  readonly fix: string;
  /** What takes it away; offsets into the block. */
  readonly edits?: readonly Pick<Edit, "start" | "end" | "replacement" | "certain">[];
}
