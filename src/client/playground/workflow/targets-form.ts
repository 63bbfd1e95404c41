import type { FormApi } from "../../../reference/arazzo/form-data.js";
import { createAuthorization } from "../authorization.js";
import type { FormContext } from "../control.js";
import { say } from "../say.js";
import { section } from "../section.js";
import { serverAddress } from "../server-address.js";
import { createServerChoice } from "../server-choice.js";
import type { Target } from "./step-request.js";

/** The servers and credentials of the APIs that a workflow calls; APIs with the same servers share a choice. */
export function createTargets(form: FormContext, apis: readonly FormApi[]) {
  const servers = new Map<string, ReturnType<typeof createServerChoice>>();
  const isOne = new Set(apis.map(({ name }) => name)).size < 2;
  const titleOf = (title: string, name: string): string => (isOne ? title : `${title}: ${name}`);
  const elements: HTMLElement[] = [];
  const targets = apis.map(({ name, servers: list, ways }) => {
    const key = JSON.stringify(list);
    const known = servers.get(key);
    const server = known ?? createServerChoice(form, list);
    servers.set(key, server);
    if (!known && server.element) elements.push(section(form, titleOf(say("server"), name), server.element));
    const authorization = createAuthorization(form, ways, () => serverAddress(server.url()), false);
    if (authorization) elements.push(section(form, titleOf(say("authorizations"), name), ...authorization.elements));
    return (): Target => ({
      baseUrl: server.url(),
      credentials: authorization?.credentials() ?? [],
      masked: authorization?.maskedCredentials() ?? [],
      server: server.state(),
    });
  });
  return {
    elements,
    of: (api: number): Target => targets[api]!(),
    setVariables(values: Readonly<Record<string, unknown>>): void {
      for (const server of servers.values()) server.setVariables(values);
    },
  };
}
