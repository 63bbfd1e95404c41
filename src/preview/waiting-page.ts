import type { IncomingMessage, ServerResponse } from "node:http";
import { strictPolicy } from "../serve/index.js";

/** Answers while there is no site to show. The script shows why, and reloads once there is one. */
export function sendWaitingPage(request: IncomingMessage, response: ServerResponse, scriptTag: string): void {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Preview</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">${scriptTag}</head>
<body></body></html>
`;
  const body = Buffer.from(html);
  response.writeHead(503, {
    "content-type": "text/html; charset=utf-8",
    "content-length": body.length,
    "content-security-policy": strictPolicy,
    "cache-control": "no-store",
  });
  response.end(request.method === "HEAD" ? undefined : body);
}
