import { bundleRoot } from "./dom.js";

/** On hosts that require Trusted Types, a policy of the rules; elsewhere, the rules themselves. */
export const createPolicy = <Rules extends object>(name: string, rules: Rules): Rules =>
  (window as { trustedTypes?: PolicyFactory }).trustedTypes?.createPolicy(name, rules) ?? rules;

interface PolicyFactory {
  createPolicy<Rules>(name: string, rules: Rules): Rules;
}

let policy: { createScriptURL(url: string): string } | undefined;

/** Loads data as a classic script, since pages from disk may not use `fetch`. Trusted Types allow only our files. */
export function loadScript(source: string): Promise<void> {
  policy ??= createPolicy("offprint", { createScriptURL: bundleScript });
  const script = document.createElement("script");
  return loadElement(script, () => {
    script.src = policy!.createScriptURL(source);
  });
}

export function loadStyle(href: string): Promise<void> {
  const link = document.createElement("link");
  return loadElement(link, () => Object.assign(link, { rel: "stylesheet", href }));
}

/** Also rejects if `start` throws. */
export const loadElement = (element: HTMLElement, start: () => void): Promise<void> =>
  new Promise((resolve, reject) => {
    start();
    element.onload = () => resolve();
    element.onerror = reject;
    document.head.append(element);
  });

function bundleScript(url: string): string {
  const at = (path: string): string => new URL(path, document.baseURI).href;
  if (!at(url).startsWith(at(`${bundleRoot()}_offprint/`)) && at(url) !== at(`${bundleRoot()}offprint-search.js`))
    throw new TypeError(`${url} is not part of the bundle`);
  return url;
}
