import type { OpenAPIHono } from "@hono/zod-openapi";
import type { ApiEnvironment } from "./request-context.js";
import { jobEnded } from "./routes.js";

/** The OpenAPI 3.1 document of the app's routes, generated from the schemas that validate requests. */
export function openApiDocument(app: OpenAPIHono<ApiEnvironment>, publicUrl: string | undefined) {
  app.openAPIRegistry.registerComponent("securitySchemes", "adminKey", {
    type: "http",
    scheme: "bearer",
    description: "An admin API key, which begins with `svc_`. It is a secret of servers: never put it into a page.",
  });
  app.openAPIRegistry.registerComponent("securitySchemes", "assistantKey", {
    type: "http",
    scheme: "bearer",
    description:
      "An assistant API key, which begins with `svc_dsc_`. It may be in a page: limits and origins bound its use.",
  });
  app.openAPIRegistry.registerComponent("securitySchemes", "operatorToken", {
    type: "http",
    scheme: "bearer",
    description: "The operator's token, `OFFPRINT_ADMIN_TOKEN`. Without that setting these routes do not exist.",
  });
  app.openAPIRegistry.registerWebhook(jobEnded);
  return app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Offprint API",
      version: "1",
      description:
        "Exports documentation sites to bundles of plain files: start a job, poll it, fetch the bundle. Mends sites by pull requests, answers questions from them, and counts who reads them.",
    },
    servers: [{ url: publicUrl ?? "/" }],
    tags: [
      { name: "Static export", description: "Jobs and their bundles." },
      { name: "Agent jobs", description: "Prompts and repairs that become pull requests." },
      { name: "Assistant", description: "Answers, search and pages of a site's last export." },
      { name: "Analytics", description: "Views of a site's pages, by people and by agents, and what they ask." },
      { name: "Administration", description: "Organizations, their sites and keys, for the operator's programs." },
      { name: "Operations", description: "For those who run the service." },
    ],
  });
}
