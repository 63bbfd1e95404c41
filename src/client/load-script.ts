interface ScriptPolicy {
  createScriptURL(url: string): string;
}
interface PolicyFactory {
  createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy;
}

let policy: ScriptPolicy | undefined;

/**
 * Loads data of the bundle as a classic script, since pages opened from disk may make no requests. Hosts that ask for
 * trusted types get a policy that lets through our own files of the bundle and nothing else.
 */
export function loadScript(source: string): Promise<void> {
  const { trustedTypes } = window as unknown as { trustedTypes?: PolicyFactory };
  policy ??= trustedTypes?.createPolicy("offprint", { createScriptURL: ownScript }) ?? { createScriptURL: ownScript };
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = policy!.createScriptURL(source);
    script.onload = () => resolve();
    script.onerror = reject;
    document.head.append(script);
  });
}

/** Loads a style sheet of the bundle. */
export function loadStyle(href: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = href;
    link.onload = () => resolve();
    link.onerror = reject;
    document.head.append(link);
  });
}

function ownScript(url: string): string {
  const at = (path: string): string => new URL(path, document.baseURI).href;
  const root = document.documentElement.dataset.root ?? "";
  if (!at(url).startsWith(at(`${root}_offprint/`)) && at(url) !== at(`${root}offprint-search.js`))
    throw new TypeError(`${url} is no part of the bundle`);
  return url;
}
