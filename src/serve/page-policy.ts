/**
 * The strictest policy that an ordinary page works under: nothing inline, nothing from other hosts, no evaluation, no
 * markup made from text.
 */
export const strictPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; media-src 'self'; " +
  "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; " +
  "require-trusted-types-for 'script'";

/** For files that can run scripts when they are opened directly, such as SVG images. */
export const sandboxPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox";

/** Whether a bundle has scripts of the site's authors. Only they know what those need, so the pages get no policy. */
export const hasSiteScripts = (paths: Iterable<string>): boolean => {
  for (const path of paths) if (/^_offprint\/site\/.*\.js$/.test(path)) return true;
  return false;
};

/** Whether a style sheet loads anything from other hosts. */
export const loadsFromHosts = (css: string): boolean => /(?:url\(|@import)\s*["']?(?:https?:)?\/\//i.test(css);

/**
 * The policy for a page; undefined if the strict one would break the page, because it has inline scripts or styles,
 * embedded pages, or content of other hosts. A page with an API playground may send requests to any host and play media
 * from the responses.
 *
 * Content that is inserted from a template on a click is allowed.
 *
 * @param origins of the assistant and of the service that counts views, from the manifest, since a page could name any.
 */
export function policyOf(document: string, ...origins: readonly (string | undefined)[]): string | undefined {
  const { html, hosts } = splitTemplates(document);
  if (/<(?:style|iframe|frame|object|embed|base|form)[\s>]/i.test(html)) return undefined;
  for (const [, attributes = ""] of html.matchAll(/<script((?:"[^"]*"|'[^']*'|[^"'>])*)>/gi))
    if (!isOurScript(attributes)) return undefined;
  for (const [, attributes = ""] of html.matchAll(/<link((?:"[^"]*"|'[^']*'|[^"'>])*)>/gi))
    if (loads.test(attributeOf(attributes, "rel") ?? "") && asksHost(attributes, ["href", "imagesrcset"]))
      return undefined;
  // Reading every tag takes ten times as long as this test, which most pages pass.
  if ((/\s(?:style|on\w+)\s*=/i.test(html) || asksHostSomewhere.test(html)) && hasForeignTag(html)) return undefined;
  return html.includes("data-playground=")
    ? strictPolicy
        .replace("connect-src 'self'", "connect-src 'self' https: http: wss: ws:")
        .replace("media-src 'self'", "media-src 'self' data:")
    : (hosts.size > 0 ? embeddingPolicy : strictPolicy).replace(
        "connect-src 'self'",
        ["connect-src 'self'", ...new Set(origins.filter((origin) => origin !== undefined)), ...hosts].join(" "),
      );
}

/** For pages that load videos and pages of other hosts on a click, which may redirect to further hosts. */
const embeddingPolicy = `${strictPolicy.replace("media-src 'self'", "media-src 'self' https: http:")}; frame-src 'self' https: http:`;

/** Removes the templates of embedded content. Before a frame is created, the page asks its host whether it answers. */
function splitTemplates(document: string): { html: string; hosts: Set<string> } {
  const hosts = new Set<string>();
  if (!document.includes("<template data-embed")) return { html: document, hosts };
  const html = document.replace(/<template data-embed[^>]*>([\s\S]*?)<\/template>/g, (_, content: string) => {
    for (const [, url = ""] of content.matchAll(/\ssrc="(https?:[^"]*)"/g))
      if (URL.canParse(url)) hosts.add(new URL(url).origin);
    return "";
  });
  return { html, hosts };
}

const loads = /\b(?:stylesheet|icon|preload|modulepreload|manifest|apple-touch-icon)\b/i;
const asksHostSomewhere =
  /\s(?:src|srcset|poster|data|background|xlink:href)\s*=\s*(?:"[^"]*\/\/|'[^']*\/\/|[^\s"'>]*\/\/)/i;

function hasForeignTag(html: string): boolean {
  const tags = html.matchAll(/<([a-z][^\s/>]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>/gi);
  for (const [, name = "", attributes = ""] of tags) {
    // Values are removed: they may contain text that looks like an attribute.
    if (/\s(?:style|on\w+)\s*=/i.test(attributes.replace(/"[^"]*"|'[^']*'/g, '""'))) return true;
    if (!/^(?:script|link)$/i.test(name) && asksHost(attributes, loadingAttributes)) return true;
  }
  return false;
}

const loadingAttributes = ["src", "srcset", "poster", "data", "background", "xlink:href"];

/** A script of the bundle, or data. */
function isOurScript(attributes: string): boolean {
  const type = attributeOf(attributes, "type");
  if (type !== undefined && /^application\/(?:ld\+)?json$/i.test(type)) return true;
  return /^(?:[./]|\w+\/)*(?:_offprint\/|offprint-search\.js)/.test(attributeOf(attributes, "src") ?? "");
}

const asksHost = (attributes: string, names: readonly string[]): boolean =>
  names.some((name) => /(?:^|[\s,])(?:[a-z][a-z0-9+.-]*:)?\/\//i.test(attributeOf(attributes, name) ?? ""));

function attributeOf(attributes: string, name: string): string | undefined {
  const match = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i").exec(attributes);
  return match?.[1] ?? match?.[2] ?? match?.[3];
}
