import { pointerTo } from "../../lib/json/index.js";
import { type ApiTarget, methodKeys } from "./api-target.js";

/** JSON pointer of the part of a specification that a page documents. */
export function pointerOfTarget(target: ApiTarget): string {
  if (target.kind === "operation") return pointerTo("paths", target.path, ...methodKeys(target.method));
  if (target.kind === "webhook") return pointerTo("webhooks", target.name, ...methodKeys(target.method));
  if (target.kind === "channel") return pointerTo("channels", target.name);
  if (target.kind === "graphql") return pointerTo(target.list, target.name);
  if (target.kind === "overview") return pointerTo("info");
  if (target.kind === "model" || target.kind === "group" || target.kind === "workflow") return target.pointer;
  return pointerTo("components", "schemas", target.name);
}
