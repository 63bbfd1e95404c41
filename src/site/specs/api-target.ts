/**
 * The part of an API that a page documents: set in the page's plan, looked up in the specification by the thread that
 * makes the page.
 */
export type ApiTarget =
  | { readonly kind: "operation"; readonly spec: string; readonly method: HttpMethod; readonly path: string }
  | { readonly kind: "webhook"; readonly spec: string; readonly method: HttpMethod; readonly name: string }
  | { readonly kind: "schema"; readonly spec: string; readonly name: string }
  | { readonly kind: "channel"; readonly spec: string; readonly name: string }
  | ModelTarget;

/** A structure of which no page can show everything in place, found while the pages are made. */
export interface ModelTarget {
  readonly kind: "model";
  readonly spec: string;
  readonly name: string;
  readonly pointer: string;
  /** Number of fields and options at its start that another page shows. */
  readonly skip: number;
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"] as const;
export type HttpMethod = (typeof methods)[number];
export const isMethod = (name: string): name is HttpMethod => (methods as readonly string[]).includes(name);
