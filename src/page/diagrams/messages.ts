/** What passes between the drawer and the process that draws. */
export interface WorkerRequest {
  readonly id: number;
  readonly source: string;
}

/** `svg` is what Mermaid made: as little to be trusted as the source. */
export type WorkerReply = { readonly id: number } & (
  | { readonly svg: string }
  | { readonly message: string; readonly line?: number; readonly unsupported?: true }
);

/** Sent once, when the process has loaded what it needs. */
export const ready = "ready";
