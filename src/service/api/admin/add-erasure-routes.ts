import type { OpenAPIHono } from "@hono/zod-openapi";
import { erase } from "../../erase.js";
import type { Actor, ErasureStore, ErasureTarget, PersonStore } from "../../jobs/index.js";
import type { ObjectStore } from "../../store/index.js";
import { ApiError } from "../api-error.js";
import { erasureView } from "../erasure-view.js";
import type { ApiEnvironment } from "../request-context.js";
import * as routes from "./routes.js";

export interface ErasureDeps {
  readonly erasures: ErasureStore;
  readonly objects: ObjectStore;
  readonly people: Pick<PersonStore, "personByEmail">;
}

/** Routes that erase data, with a receipt. */
export function addErasureRoutes(app: OpenAPIHono<ApiEnvironment>, deps: ErasureDeps, by: Actor): void {
  const receiptOf = async (target: ErasureTarget) => {
    const erased = await erase(deps, target, by);
    if ("erasureId" in erased) return erasureView(erased);
    if (erased.kind === "last owner")
      throw new ApiError(
        409,
        `The person is the last owner of "${erased.organizationName}". Make somebody else an owner, or erase the organization.`,
      );
    throw new ApiError(404, `There is no such ${target.kind}.`);
  };
  app.openapi(routes.eraseOrganization, async (c) =>
    c.json(await receiptOf({ kind: "organization", ...c.req.valid("param") }), 200),
  );
  app.openapi(routes.removeSite, async (c) => c.json(await receiptOf({ kind: "site", ...c.req.valid("param") }), 200));
  app.openapi(routes.eraseThread, async (c) =>
    c.json(await receiptOf({ kind: "thread", ...c.req.valid("param") }), 200),
  );
  app.openapi(routes.withdrawBundle, async (c) =>
    c.json(await receiptOf({ kind: "bundle", ...c.req.valid("param") }), 200),
  );
  app.openapi(routes.erasePerson, async (c) => {
    const person = await deps.people.personByEmail(c.req.valid("param").email);
    if (!person) throw new ApiError(404, "There is no such person.");
    return c.json(await receiptOf({ kind: "person", personId: person.personId }), 200);
  });
  app.openapi(routes.getErasure, async (c) => {
    const erasure = await deps.erasures.get(c.req.valid("param").erasureId);
    if (!erasure) throw new ApiError(404, "There is no such erasure.");
    return c.json(erasureView(erasure), 200);
  });
}
