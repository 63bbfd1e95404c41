import type { Deployment } from "./export-options.js";

/**
 * What a bundle carries that depends on where it will stand. `true`: wherever the site's settings ask for it.
 *
 * Search is in all of them: its index lies in the bundle. The playground of the API reference is, too, as the site's
 * `api.playground` says: the API may stand in the same closed network. Scripts that count readers are in none.
 */
export interface DeploymentFeatures {
  /** Links that open a page in an assistant on the web. */
  readonly assistants: boolean;
  /** Specifications that the site names by URL are fetched at export. */
  readonly remoteSpecs: boolean;
  /** The site's own content may load from other hosts; else each such use is an error. */
  readonly outsideRequests: boolean;
}

const connected = { assistants: true, remoteSpecs: true, outsideRequests: true };

export const deploymentFeatures: Readonly<Record<Deployment, DeploymentFeatures>> = {
  cloud: connected,
  "client-hosted": connected,
  "air-gapped": { assistants: false, remoteSpecs: false, outsideRequests: false },
};
