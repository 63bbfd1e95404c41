import { isObject, type JsonObject, pointerTo } from "../../lib/json/index.js";

/**
 * The part of an API that a page documents. The plan of the page contains it, and the thread that makes the page looks it up
 * in the specification.
 */
export type ApiTarget =
  | { readonly kind: "operation"; readonly spec: string; readonly method: string; readonly path: string }
  | { readonly kind: "webhook"; readonly spec: string; readonly method: string; readonly name: string }
  | { readonly kind: "schema"; readonly spec: string; readonly name: string }
  | { readonly kind: "channel"; readonly spec: string; readonly name: string }
  | { readonly kind: "overview"; readonly spec: string }
  | { readonly kind: "objects"; readonly spec: string }
  | GraphTarget
  | GroupTarget
  | WorkflowTarget
  | ModelTarget;

/** A field that clients query, or a type, of a GraphQL schema. */
export interface GraphTarget {
  readonly kind: "graphql";
  readonly spec: string;
  readonly list: "queries" | "mutations" | "subscriptions" | "types";
  readonly name: string;
}

export interface WorkflowTarget {
  readonly kind: "workflow";
  readonly spec: string;
  readonly name: string;
  readonly pointer: string;
}

/** The description of a tag. */
interface GroupTarget extends Omit<WorkflowTarget, "kind"> {
  readonly kind: "group";
}

/** A schema with a page of its own: one of the listed objects, or one that is too large to be shown in place. */
export interface ModelTarget extends Omit<WorkflowTarget, "kind"> {
  readonly kind: "model";
  /** Number of its first fields and options, which another page shows. */
  readonly skip: number;
}

/** Whether a page shows all fields of a schema: a page file about it, or a generated page. */
export const isAboutSchema = (target: ApiTarget | undefined): boolean =>
  target?.kind === "model" || target?.kind === "schema";

/** The methods that have a key of their own in a path. */
export const methods: readonly string[] = "get put post delete options head patch trace query".split(" ");

/** The keys from a path item to a method: OpenAPI 3.2 has a separate map for other methods. */
export const methodKeys = (method: string): readonly string[] =>
  methods.includes(method) ? [method] : ["additionalOperations", method];

/** The methods of a path in the order written; custom methods come last. */
export function methodsIn(item: JsonObject): string[] {
  const more = item["additionalOperations"];
  return [
    ...Object.keys(item).filter((key) => methods.includes(key)),
    ...(isObject(more) ? Object.keys(more).filter(isMethodName) : []),
  ];
}
const isMethodName = (name: string): boolean => /^[\w!#$%&'*+.^|~-]{1,100}$/.test(name) && !name.startsWith("x-");

/** JSON pointer of the part of a specification that a page documents. */
export function pointerOfTarget(target: ApiTarget): string {
  if (target.kind === "operation") return pointerTo("paths", target.path, ...methodKeys(target.method));
  if (target.kind === "webhook") return pointerTo("webhooks", target.name, ...methodKeys(target.method));
  if (target.kind === "channel") return pointerTo("channels", target.name);
  if (target.kind === "graphql") return pointerTo(target.list, target.name);
  if (target.kind === "overview") return pointerTo("info");
  if (target.kind === "objects") return pointerTo("components", "schemas");
  if (target.kind === "model" || target.kind === "group" || target.kind === "workflow") return target.pointer;
  return pointerTo("components", "schemas", target.name);
}

/** Boost of pages of objects: low enough that search lists an operation before objects with the same words. */
export const objectBoost = 0.5;
