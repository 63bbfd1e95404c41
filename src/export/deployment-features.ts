import { type Deployment, features } from "../lib/deployments.js";

/**
 * What follows for an export from what a deployment has, see `features`. `true`: if the site's settings ask for it.
 */
export interface DeploymentFeatures {
  /** Links that open a page in an online assistant. */
  readonly assistants: boolean;
  /** The export fetches the API specifications that the site names by URL. */
  readonly remoteSpecs: boolean;
  /** Default of `embedRemote`: the bundle gets copies of what its pages load from other hosts. */
  readonly embedRemote: boolean;
  /** The site's own content may load from other hosts; if not, each such use is an error. */
  readonly outsideRequests: boolean;
}

export function deploymentFeatures(deployment: Deployment): DeploymentFeatures {
  const isClosed = deployment === "air-gapped";
  const assistants = features.assistant.in[deployment].state !== "no";
  return { assistants, remoteSpecs: !isClosed, embedRemote: isClosed, outsideRequests: !isClosed };
}
