import { createHmac, timingSafeEqual } from "node:crypto";

/** The cookies of the console. Those of HTTPS have the prefix that ties them to this host. */
interface ConsoleCookies {
  /** The secret of the session. */
  readonly session?: string;
  /** What the page says on top, once. */
  readonly notice?: string;
  readonly mode?: "light" | "dark";
  /** Of a login by single sign-on that is under way. */
  readonly oidc?: string;
}

const names = {
  session: ["__Host-offprint", "offprint"],
  notice: ["__Host-offprint-notice", "offprint-notice"],
  mode: ["__Host-offprint-mode", "offprint-mode"],
  oidc: ["__Host-offprint-oidc", "offprint-oidc"],
} as const;
type CookieName = keyof typeof names;

export function readCookies(header: string | null, isSecure: boolean): ConsoleCookies {
  const sent = new Map(
    (header ?? "").split(";").map((pair) => {
      const at = pair.indexOf("=");
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const;
    }),
  );
  const read = (name: CookieName): string | undefined => sent.get(nameOf(name, isSecure)) || undefined;
  const mode = read("mode");
  return {
    session: read("session"),
    notice: decoded(read("notice")),
    mode: mode === "light" || mode === "dark" ? mode : undefined,
    oidc: decoded(read("oidc")),
  };
}

/** A value of Set-Cookie; an empty `value` removes the cookie. */
export function cookie(name: CookieName, value: string, isSecure: boolean, maxAgeSeconds?: number): string {
  const age = value === "" ? "; Max-Age=0" : maxAgeSeconds === undefined ? "" : `; Max-Age=${maxAgeSeconds}`;
  const secure = isSecure ? "; Secure" : "";
  return `${nameOf(name, isSecure)}=${encodeURIComponent(value)}; Path=/; HttpOnly; SameSite=Lax${secure}${age}`;
}

const nameOf = (name: CookieName, isSecure: boolean): string => names[name][isSecure ? 0 : 1];

function decoded(value: string | undefined): string | undefined {
  try {
    return value && decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

/** Whether browsers send cookies of this request encrypted, and whether the console may set any. */
export function transportOf(request: Request, publicUrl: string): "secure" | "loopback" | "open" {
  const url = new URL(request.url);
  if (url.protocol === "https:" || publicUrl.startsWith("https:")) return "secure";
  return isLoopback(url.hostname) ? "loopback" : "open";
}

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

const maxFormBytes = 64 * 1024;
const maxFields = 200;

export class FormError extends Error {
  override readonly name = "FormError";
  constructor(
    readonly status: 413 | 415 | 422,
    message: string,
  ) {
    super(message);
  }
}

/** The fields of a form. @throws {FormError} if it is no form, or too large. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get("Content-Type") ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    throw new FormError(415, "This address takes a form of the console.");
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxFormBytes) throw new FormError(413, `A form may have ${maxFormBytes / 1024} kB.`);
    chunks.push(chunk);
  }
  const form = new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
  if (form.size > maxFields) throw new FormError(422, `A form may have ${maxFields} fields.`);
  return form;
}

/** Ties the forms of a page to the session; it changes with each session. */
export const csrfToken = (sessionSecret: string): string =>
  createHmac("sha256", sessionSecret).update("offprint console form").digest("base64url");

export function isCsrfToken(sent: string | null, sessionSecret: string): boolean {
  const [given, wanted] = [Buffer.from(sent ?? ""), Buffer.from(csrfToken(sessionSecret))];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

const browsers = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;
const systems = [
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
] as const;

/** What a person recognises: "Firefox on Linux". */
export function browserOf(userAgent: string | null): string {
  const find = (names: readonly (readonly [string, string])[]) =>
    names.find(([part]) => userAgent?.includes(part))?.[1];
  const browser = find(browsers) ?? "Unknown browser";
  const system = find(systems);
  return system === undefined ? browser : `${browser} on ${system}`;
}
