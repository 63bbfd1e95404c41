import { isLoopback } from "./own-origin.js";

/** The cookies of the console. Those of HTTPS have the prefix that ties them to this host. */
export interface ConsoleCookies {
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
export type CookieName = keyof typeof names;

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
