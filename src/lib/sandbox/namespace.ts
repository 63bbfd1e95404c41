import type { Access } from "./access.js";

/** Runs a program without network, without sight of other processes, and with a file system of what `access` has. */
export interface Namespace {
  readonly program: "bwrap" | "unshare";
  /** The words to put before a program and its arguments. */
  prefix(access: Access): string[];
}
