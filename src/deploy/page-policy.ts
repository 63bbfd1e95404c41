/**
 * The strictest policy that leaves a page whole: nothing inline, nothing from elsewhere, no evaluation, no markup made from
 * text.
 */
export const strictPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; media-src 'self'; " +
  "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; " +
  "require-trusted-types-for 'script'";

/** For what is opened by itself and could run a script, such as a drawing: it may show itself, and nothing else. */
export const sandboxPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox";

/** Whether the strict policy can stand over the pages of a bundle at all: a site that brings scripts knows what they need. */
export const bringsScripts = (paths: Iterable<string>): boolean => {
  for (const path of paths) if (/^_offprint\/site\/.*\.js$/.test(path)) return true;
  return false;
};

/** Whether a style sheet asks other hosts for anything. */
export const asksElsewhere = (css: string): boolean => /(?:url\(|@import)\s*["']?(?:https?:)?\/\//i.test(css);

/**
 * The policy of one page, by what stands in it; undefined for a page that the strict one would take something from: scripts
 * or styles written in it, embedded pages, anything of another host. A page that has a form for requests to the servers of
 * an API may send them, and play what comes back.
 */
export function policyOf(html: string): string | undefined {
  if (/<(?:style|iframe|frame|object|embed|base|form)[\s>]/i.test(html)) return undefined;
  const tags = html.matchAll(/<([a-z][^\s/>]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>/gi);
  for (const [, name = "", attributes = ""] of tags) {
    if (attributes === "") {
      if (/^script$/i.test(name)) return undefined;
      continue;
    }
    // Attributes without their values: a value may hold what looks like one.
    const names = attributes.replace(/"[^"]*"|'[^']*'/g, '""');
    if (/\s(?:style|on\w+)\s*=/i.test(names)) return undefined;
    if (/^script$/i.test(name) ? !isOurScript(attributes) : loadsElsewhere(name, attributes)) return undefined;
  }
  return html.includes("data-playground=")
    ? strictPolicy
        .replace("connect-src 'self'", "connect-src 'self' https: http: wss: ws:")
        .replace("media-src 'self'", "media-src 'self' data:")
    : strictPolicy;
}

/** A script of the bundle itself, or data that is no script. */
function isOurScript(attributes: string): boolean {
  const type = attributeOf(attributes, "type");
  if (type !== undefined && /^application\/(?:ld\+)?json$/i.test(type)) return true;
  return /^(?:[./]|\w+\/)*(?:_offprint\/|offprint-search\.js)/.test(attributeOf(attributes, "src") ?? "");
}

function loadsElsewhere(name: string, attributes: string): boolean {
  const isLink = /^link$/i.test(name);
  if (
    isLink &&
    !/\b(?:stylesheet|icon|preload|modulepreload|manifest|apple-touch-icon)\b/i.test(
      attributeOf(attributes, "rel") ?? "",
    )
  )
    return false;
  const loaded = isLink ? ["href", "imagesrcset"] : ["src", "srcset", "poster", "data", "background", "xlink:href"];
  return loaded.some((attribute) =>
    /(?:^|[\s,])(?:[a-z][a-z0-9+.-]*:)?\/\//i.test(attributeOf(attributes, attribute) ?? ""),
  );
}

function attributeOf(attributes: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i").exec(attributes);
  return found?.[1] ?? found?.[2] ?? found?.[3];
}
