/**
 * Whether a POST comes from a page of the console itself: its `Origin`, or `Sec-Fetch-Site` of a browser that sends no
 * Origin. A request with neither is refused.
 */
export function isOwnRequest(request: Request, publicUrl: string): boolean {
  const origin = request.headers.get("Origin");
  if (origin === null) return request.headers.get("Sec-Fetch-Site") === "same-origin";
  if (!URL.canParse(origin)) return false;
  return origin === new URL(publicUrl).origin || new URL(origin).host === new URL(request.url).host;
}

export const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
