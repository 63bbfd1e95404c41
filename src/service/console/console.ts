import { type Answerer, ApiError, availableStore, loggedFault, type RequestInfo } from "../http/index.js";
import { includesRole } from "../jobs/index.js";
import * as requests from "./browser-request.js";
import { openAssets, type Shell, writePage } from "./layout.js";
import { TooManyAttemptsError } from "./login/attempts.js";
import { TooManyLoginsError } from "./password.js";
import { problemPage } from "./problem-page.js";
import type { ConsoleAnswer, ConsoleContext, ConsoleDeps, ConsoleRoute, OpenContext } from "./route.js";
import { routes as allRoutes } from "./routes.js";

const assetsPath = "/console/assets/";

/** The pages below `/console`, closed until somebody is invited. Never rejects: an error is a page with 500 or 503. */
export async function createConsole(deps: ConsoleDeps, routes = allRoutes): Promise<Answerer> {
  const store = availableStore(deps.store);
  const assets = await openAssets();
  const findRoute = createRouter(routes);
  const pages = new Set(routes.filter(({ method }) => method === "GET").map(({ path }) => path));
  // With single sign-on, the first person enters by it.
  let isOpen = deps.oidc !== undefined;

  async function answer(request: Request, { remoteAddress, closing }: RequestInfo): Promise<Response> {
    const url = new URL(request.url);
    const path = url.pathname.replace(/^\/console/, "").replace(/\/$/, "");
    const transport = requests.transportOf(request, deps.publicUrl);
    const isSecure = transport === "secure";
    const cookies = requests.readCookies(request.headers.get("Cookie"), isSecure);
    const shell: Shell = { title: "", assets, mode: cookies.mode, path, pages };
    const show = (content: ConsoleAnswer, context?: ConsoleContext) =>
      respond(content, { ...shell, context }, isSecure, cookies.notice);
    try {
      if (transport === "open") return show(problemPage("insecure"));
      const match = findRoute(request.method, path);
      isOpen ||= await store.people.hasPeople();
      if (!isOpen && !path.startsWith("/invite/")) return show(problemPage("closed"));

      const anySession = cookies.session === undefined ? undefined : await store.people.findSession(cookies.session);
      const session = anySession?.stage === "open" ? anySession : undefined;
      const isPost = request.method === "POST";
      const open: OpenContext = {
        deps,
        store,
        request,
        isSecure,
        address: remoteAddress,
        params: match && "params" in match ? match.params : {},
        query: url.searchParams,
        form: new URLSearchParams(),
        session: anySession,
        closing,
      };
      const route = match && "route" in match ? match.route : undefined;
      if (!session && route?.role !== "open") {
        if (path === "/events") return new Response(null, { status: 401, headers: securityHeaders });
        const to = request.method === "GET" ? `${url.pathname}${url.search}` : "/console";
        const isRecheck = anySession?.stage === "recheck" && deps.oidc !== undefined && path !== "/logout";
        const login = isRecheck ? "/console/login/oidc" : "/console/login";
        return show({ redirect: `${login}?to=${encodeURIComponent(to)}` });
      }
      const context = session && contextOf(open, session, cookies.session!);
      if (!match) return show(problemPage("unknown"), context);
      if (!route) return show(problemPage("method", "allow" in match ? match.allow : []), context);
      if (route.role !== "open" && !includesRole(context!.role, route.role))
        return show(problemPage("unknown"), context);
      if (isPost && !requests.isOwnRequest(request, deps.publicUrl)) return show(problemPage("origin"), context);
      const form = isPost ? await requests.readForm(request) : open.form;
      if (isPost && route.role !== "open" && !requests.isCsrfToken(form.get("csrf"), cookies.session!))
        return show(problemPage("token", [], { action: url.pathname, form, csrf: context!.csrf }), context);
      const content =
        route.role === "open" ? await route.handle({ ...open, form }) : await route.handle({ ...context!, form });
      return show(content, context);
    } catch (error) {
      return show(problemOf(error));
    }
  }

  function problemOf(error: unknown): ConsoleAnswer {
    if (error instanceof requests.FormError) return problemPage("form", [], undefined, error);
    if (error instanceof TooManyAttemptsError) return problemPage("attempts", [], undefined, error);
    if (error instanceof TooManyLoginsError) return problemPage("busy");
    const isAway = error instanceof ApiError && error.status === 503;
    deps.log("error", "console request failed", { fault: loggedFault(isAway ? error.cause : error) });
    return problemPage(isAway ? "away" : "fault");
  }

  return {
    async fetch(request, info = {}) {
      const { pathname } = new URL(request.url);
      if (!pathname.startsWith(assetsPath)) return answer(request, info);
      const asset = await assets.answer(pathname.slice(assetsPath.length));
      return asset ?? new Response(null, { status: 404, headers: securityHeaders });
    },
  };
}

function contextOf(open: OpenContext, session: NonNullable<OpenContext["session"]>, secret: string): ConsoleContext {
  const { person, memberships } = session;
  const chosen = memberships.find(({ organizationId }) => organizationId === session.organizationId);
  const organization = chosen ?? memberships[0]!;
  const { organizationId } = organization;
  const by = { personId: person.personId };
  return {
    ...open,
    session,
    person,
    organization,
    organizationId,
    role: organization.role,
    csrf: requests.csrfToken(secret),
    by,
    audit: (action, subject, detail = "") =>
      open.store.people.addAuditEntry({ organizationId, ...by, action, subject, detail }),
  };
}

function respond(answer: ConsoleAnswer, shell: Shell, isSecure: boolean, notice: string | undefined): Response {
  if (answer === "not-found") return respond(problemPage("unknown"), shell, isSecure, notice);
  const headers = new Headers(securityHeaders);
  if ("response" in answer) {
    for (const [name, value] of headers)
      if (!answer.response.headers.has(name)) answer.response.headers.set(name, value);
    return answer.response;
  }
  if ("file" in answer) {
    headers.set("Content-Type", answer.type);
    headers.set("Content-Disposition", `attachment; filename="${answer.name.replace(/[^\w.-]+/g, "-")}"`);
    return new Response(answer.file as BodyInit, { headers });
  }
  for (const each of answer.cookies ?? []) headers.append("Set-Cookie", each);
  if ("redirect" in answer) {
    if (answer.notice !== undefined)
      headers.append("Set-Cookie", requests.cookie("notice", answer.notice, isSecure, 60));
    headers.set("Location", answer.redirect);
    return new Response(null, { status: 303, headers });
  }
  if (notice !== undefined) headers.append("Set-Cookie", requests.cookie("notice", "", isSecure));
  headers.set("Content-Type", "text/html; charset=utf-8");
  const { status = 200, title, full, retryAfterSeconds = status === 503 ? 5 : undefined } = answer;
  if (retryAfterSeconds !== undefined) headers.set("Retry-After", String(retryAfterSeconds));
  const context = full ? undefined : shell.context;
  return new Response(writePage(answer.page, { ...shell, title, notice, context }), { status, headers });
}

interface Match {
  readonly route: ConsoleRoute;
  readonly params: Readonly<Record<string, string>>;
}

/** The route of a path below `/console`, or the methods of the path; undefined if there is no such path. */
type FindRoute = (method: string, path: string) => Match | { readonly allow: readonly string[] } | undefined;

/** Finds routes by method and path. A path without parameters wins over one with parameters. */
export function createRouter(routes: readonly ConsoleRoute[]): FindRoute {
  const patterns = routes
    .map((route) => ({ route, pattern: patternOf(route.path) }))
    .sort((a, b) => Number(a.route.path.includes("{")) - Number(b.route.path.includes("{")));
  return (method, path) => {
    const matches = patterns.flatMap(({ route, pattern }) => {
      const groups = pattern.exec(path)?.groups;
      return groups ? [{ route, params: { ...groups } }] : [];
    });
    if (matches.length === 0) return undefined;
    const routeMethod = method === "HEAD" ? "GET" : method;
    return (
      matches.find(({ route }) => route.method === routeMethod) ?? { allow: matches.map(({ route }) => route.method) }
    );
  };
}

/** Parameters are identifiers of ours, so other characters do not match. */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/\{(\w+)\}/g, "(?<$1>[\\w.:-]{1,200})")}(?<_>)$`);

/** The headers of every page. The referrer is kept within the console: without one, browsers send the Origin "null". */
const securityHeaders: Readonly<Record<string, string>> = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; " +
    "img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "no-store",
};
