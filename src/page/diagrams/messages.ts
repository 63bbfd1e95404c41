/** Messages between the diagram renderer and its worker process. */
export interface WorkerRequest {
  readonly id: number;
  readonly source: string;
}

/** `svg` is Mermaid's output, as untrusted as the source. */
export type WorkerReply = { readonly id: number } & (
  | { readonly svg: string }
  | { readonly message: string; readonly line?: number; readonly unsupported?: true }
);
