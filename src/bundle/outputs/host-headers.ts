/**
 * Response headers for hosts that read a `_headers` file. Files under `_offprint/` have a hash in their name, so caches
 * may keep them forever. Scripts are not restricted: a site may add its own.
 *
 * @param basePath precedes the paths of the site on its host: "" or `/guide`.
 * @param speculationRules output path. `Server-Timing` says to the scripts of the page that the host sends the rules.
 * @param mainFont output path. A font that arrives after the first layout has the page laid out again.
 */
export function hostHeaders(basePath: string, speculationRules?: string, mainFont?: string): string {
  const preload =
    mainFont === undefined
      ? ""
      : `\n  Link: <${basePath}/${mainFont}>; rel=preload; as=font; type="font/woff2"; crossorigin`;
  const ofPages = `
  Speculation-Rules: "${basePath}/${speculationRules}"
  Server-Timing: speculation-rules`;
  const ofRules = `
/${speculationRules}
  Content-Type: application/speculationrules+json
`;
  return `/*
  X-Content-Type-Options: nosniff
  Referrer-Policy: strict-origin-when-cross-origin
  Content-Security-Policy: frame-ancestors 'self'; base-uri 'self'
  Link: <${basePath}/llms.txt>; rel="llms-txt", <${basePath}/llms-full.txt>; rel="llms-full-txt"${preload}
  X-Llms-Txt: ${basePath}/llms.txt${speculationRules === undefined ? "" : ofPages}

/_offprint/*
  Cache-Control: public, max-age=31536000, immutable
  X-Robots-Tag: noindex

/*.md
  Content-Type: text/markdown; charset=utf-8
  X-Robots-Tag: noindex
${speculationRules === undefined ? "" : ofRules}`;
}
