import { createHmac, timingSafeEqual } from "node:crypto";
import { parse, serialize } from "hono/utils/cookie";
import { readBody } from "../../lib/http/index.js";

/** The cookies of the console. Over HTTPS, their names have the prefix that binds them to this host. */
interface ConsoleCookies {
  /** The secret of the session. */
  readonly session?: string;
  /** The notice that the next page shows at its top, once. */
  readonly notice?: string;
  readonly mode?: "light" | "dark";
  /** The state of a login by single sign-on. */
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
  const cookies = parse(header ?? "");
  const read = (name: CookieName): string | undefined => cookies[cookieName(name, isSecure)] || undefined;
  const mode = read("mode");
  return {
    session: read("session"),
    notice: read("notice"),
    mode: mode === "light" || mode === "dark" ? mode : undefined,
    oidc: read("oidc"),
  };
}

/** The value of a Set-Cookie header. An empty `value` removes the cookie. */
export function cookie(name: CookieName, value: string, isSecure: boolean, maxAgeSeconds?: number): string {
  const maxAge = value === "" ? 0 : maxAgeSeconds;
  const options = { path: "/", httpOnly: true, sameSite: "Lax", secure: isSecure, maxAge } as const;
  return serialize(cookieName(name, isSecure), value, options);
}

const cookieName = (name: CookieName, isSecure: boolean): string => names[name][isSecure ? 0 : 1];

/** How the browser sends the cookies of this request: encrypted, within the machine, or in the clear. */
export function transportOf(request: Request, publicUrl: string): "secure" | "loopback" | "open" {
  const url = new URL(request.url);
  if (url.protocol === "https:" || publicUrl.startsWith("https:")) return "secure";
  return isLoopback(url.hostname) ? "loopback" : "open";
}

/** Whether a POST comes from the console, by `Origin` or else `Sec-Fetch-Site`. With neither it is refused. */
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

/** Reads the fields of a form. @throws {FormError} if the body is not a form, or is too large. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get("Content-Type") ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    throw new FormError(415, "This URL accepts only forms of the console.");
  const body = await readBody(request.body, maxFormBytes);
  if (!body) throw new FormError(413, `A form may have ${maxFormBytes / 1024} kB.`);
  const form = new URLSearchParams(body.toString("utf8"));
  if (form.size > maxFields) throw new FormError(422, `A form may have ${maxFields} fields.`);
  return form;
}

/** The token that binds the forms of a page to the session. */
export const csrfToken = (sessionSecret: string): string =>
  createHmac("sha256", sessionSecret).update("offprint console form").digest("base64url");

export function isCsrfToken(sent: string | null, sessionSecret: string): boolean {
  const [sentToken, token] = [Buffer.from(sent ?? ""), Buffer.from(csrfToken(sessionSecret))];
  return sentToken.length === token.length && timingSafeEqual(sentToken, token);
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

/** A name that people recognize, such as "Firefox on Linux". */
export function browserOf(userAgent: string | null): string {
  const find = (programs: readonly (readonly [string, string])[]) =>
    programs.find(([part]) => userAgent?.includes(part))?.[1];
  const browser = find(browsers) ?? "Unknown browser";
  const system = find(systems);
  return system === undefined ? browser : `${browser} on ${system}`;
}
