import type { Deployment } from "./export-options.js";

/**
 * What a bundle has or may do, by deployment. `true`: if the site's settings ask for it.
 *
 * Search and the playground of the API reference are in every bundle: the search index is a part of it, and the API may
 * be in the same closed network. Analytics scripts are in none.
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

const connected = { assistants: true, remoteSpecs: true, embedRemote: false, outsideRequests: true };

export const deploymentFeatures: Readonly<Record<Deployment, DeploymentFeatures>> = {
  cloud: connected,
  "client-hosted": connected,
  "air-gapped": { assistants: false, remoteSpecs: false, embedRemote: true, outsideRequests: false },
};
