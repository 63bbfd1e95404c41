/**
 * The part of an API that a page documents: set in the page's plan, looked up in the specification by the thread that
 * makes the page.
 */
export type ApiTarget =
  | { readonly kind: "operation"; readonly spec: string; readonly method: HttpMethod; readonly path: string }
  | { readonly kind: "webhook"; readonly spec: string; readonly method: HttpMethod; readonly name: string }
  | { readonly kind: "schema"; readonly spec: string; readonly name: string }
  | { readonly kind: "channel"; readonly spec: string; readonly name: string };

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"] as const;
export type HttpMethod = (typeof methods)[number];
export const isMethod = (name: string): name is HttpMethod => (methods as readonly string[]).includes(name);
