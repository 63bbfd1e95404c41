import type { Edit } from "../diagnostic/index.js";

/** A fault of a text in YAML, such as a front matter block. */
export interface YamlFault {
  readonly code: string;
  readonly what: string;
  /** Into the text. */
  readonly offset: number;
  readonly length?: number;
  readonly fix: string;
  /** What takes it away; offsets into the text. */
  readonly edits?: readonly Pick<Edit, "start" | "end" | "replacement" | "certain">[];
}
