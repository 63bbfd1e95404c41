import { bundleRoot } from "./dom.js";

interface ScriptPolicy {
  createScriptURL(url: string): string;
}
interface PolicyFactory {
  createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy;
}

let policy: ScriptPolicy | undefined;

/**
 * Loads data of the bundle as a classic script, since pages opened from disk may not use `fetch`. On hosts that require
 * Trusted Types, a policy allows only our own files of the bundle.
 */
export function loadScript(source: string): Promise<void> {
  const { trustedTypes } = window as unknown as { trustedTypes?: PolicyFactory };
  policy ??= trustedTypes?.createPolicy("offprint", { createScriptURL: bundleScript }) ?? {
    createScriptURL: bundleScript,
  };
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

/** Also rejects if `start` throws. */
function load(element: HTMLElement, start: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start();
    element.onload = () => resolve();
    element.onerror = reject;
    document.head.append(element);
  });
}

function bundleScript(url: string): string {
  const at = (path: string): string => new URL(path, document.baseURI).href;
  if (!at(url).startsWith(at(`${bundleRoot()}_offprint/`)) && at(url) !== at(`${bundleRoot()}offprint-search.js`))
    throw new TypeError(`${url} is not part of the bundle`);
  return url;
}
