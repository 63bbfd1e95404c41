/**
 * The strictest policy that an ordinary page works under: nothing inline, nothing from other hosts, no evaluation, no
 * markup made from text.
 */
export const strictPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; media-src 'self'; " +
  "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; " +
  "require-trusted-types-for 'script'";

/** For files that are opened directly and could run a script, such as SVG images: they may only show themselves. */
export const sandboxPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox";

/** Whether a bundle has scripts of its own site. Only the site knows what they need, so its pages get no policy. */
export const hasSiteScripts = (paths: Iterable<string>): boolean => {
  for (const path of paths) if (/^_offprint\/site\/.*\.js$/.test(path)) return true;
  return false;
};

/** Whether a style sheet loads anything from other hosts. */
export const loadsFromHosts = (css: string): boolean => /(?:url\(|@import)\s*["']?(?:https?:)?\/\//i.test(css);

/**
 * The policy for a page; undefined if the strict one would break it: inline scripts or styles, embedded pages, content
 * of other hosts. A page with an API playground may send requests to any host and play media from the responses.
 *
 * Content that waits in templates for a click is allowed for these.
 *
 * @param origins those of the assistant and of the service that counts views, by the manifest: a page could name any.
 */
export function policyOf(document: string, ...origins: readonly (string | undefined)[]): string | undefined {
  const { html, hosts } = withoutWaiting(document);
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
        ["connect-src 'self'", ...named(origins), ...hosts].join(" "),
      );
}

/** For pages that load videos and pages of other hosts on a click, which may redirect to further hosts. */
const embeddingPolicy = `${strictPolicy.replace("media-src 'self'", "media-src 'self' https: http:")}; frame-src 'self' https: http:`;

/** Separates content that waits for a click; its hosts are asked whether they answer before a frame is made. */
function withoutWaiting(document: string): { html: string; hosts: Set<string> } {
  const hosts = new Set<string>();
  if (!document.includes("<template data-embed")) return { html: document, hosts };
  const html = document.replace(/<template data-embed[^>]*>([\s\S]*?)<\/template>/g, (_, content: string) => {
    for (const [, url = ""] of content.matchAll(/\ssrc="(https?:[^"]*)"/g))
      if (URL.canParse(url)) hosts.add(new URL(url).origin);
    return "";
  });
  return { html, hosts };
}

const named = (origins: readonly (string | undefined)[]): ReadonlySet<string> =>
  new Set(origins.filter((origin) => origin !== undefined));

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
