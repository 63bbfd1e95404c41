import { bundleRoot } from "./dom.js";

interface ScriptPolicy {
  createScriptURL(url: string): string;
}
interface PolicyFactory {
  createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy;
}

let policy: ScriptPolicy | undefined;

/**
 * Loads data of the bundle as a classic script, since a page opened from disk may not make requests. On hosts that
 * require trusted types, a policy allows our own files of the bundle and nothing else.
 */
export function loadScript(source: string): Promise<void> {
  const { trustedTypes } = window as unknown as { trustedTypes?: PolicyFactory };
  policy ??= trustedTypes?.createPolicy("offprint", { createScriptURL: ownScript }) ?? { createScriptURL: ownScript };
  const script = document.createElement("script");
  return load(script, () => {
    script.src = policy!.createScriptURL(source);
  });
}

/** Loads a style sheet of the bundle. */
export function loadStyle(href: string): Promise<void> {
  const link = document.createElement("link");
  return load(link, () => Object.assign(link, { rel: "stylesheet", href }));
}

/** Rejects also if `start` throws. */
function load(element: HTMLElement, start: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start();
    element.onload = () => resolve();
    element.onerror = reject;
    document.head.append(element);
  });
}

function ownScript(url: string): string {
  const at = (path: string): string => new URL(path, document.baseURI).href;
  if (!at(url).startsWith(at(`${bundleRoot()}_offprint/`)) && at(url) !== at(`${bundleRoot()}offprint-search.js`))
    throw new TypeError(`${url} is not part of the bundle`);
  return url;
}
