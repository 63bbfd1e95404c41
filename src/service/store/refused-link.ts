/** Explains why a link is refused: HTML for browsers, JSON for programs. */
export function refusedLink(request: Request, status: 403 | 404, message: string): Response {
  const headers = {
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  };
  const isPage = request.headers.get("accept")?.includes("text/html") ?? false;
  const body = isPage ? page(message) : JSON.stringify({ error: message });
  return new Response(request.method === "HEAD" ? null : body, {
    status,
    headers: isPage
      ? { ...headers, "content-type": "text/html; charset=utf-8", "content-security-policy": "default-src 'none'" }
      : { ...headers, "content-type": "application/json" },
  });
}

/** `message` is our own text and contains no HTML. */
const page = (message: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>No download</title>
<h1>This file cannot be downloaded</h1>
<p>${message}</p>
</html>
`;
