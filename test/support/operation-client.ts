import { type IncomingHttpHeaders, request } from "node:http";

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
}

/** An operation of an OpenAPI document. */
export interface DocumentedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Media types of its body; undefined: it takes none. */
  readonly bodyTypes: readonly string[] | undefined;
  readonly statuses: readonly number[];
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
}
interface RawOperation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: object };
  readonly responses: object;
}

export const documentedOperations = ({ paths }: Document): readonly DocumentedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => {
      const { operationId: id, parameters = [], requestBody, responses } = raw as RawOperation;
      const bodyTypes = requestBody && Object.keys(requestBody.content);
      return {
        id,
        method: method.toUpperCase(),
        path,
        parameters,
        bodyTypes,
        statuses: Object.keys(responses).map(Number),
      };
    }),
  );

/** The arguments of an operation's caller. */
export interface OperationCall {
  /** By name: parts of the path, the query and headers, as the operation documents them. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** A string is sent unchanged, any other value as JSON. */
  readonly body?: unknown;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface OperationAnswer {
  readonly status: number;
  readonly type: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Path that was requested. */
  readonly target: string;
}

/**
 * Sends a request for the operation over a socket. A call without a body sends no header about one, and any method may have
 * a body, which `fetch` does not allow.
 *
 * @throws {Error} if a parameter is not documented, or a part of the path is missing.
 */
export function callOperation(
  url: string,
  { id, method, path, parameters, bodyTypes }: DocumentedOperation,
  { parameters: values = {}, body, token, headers = {} }: OperationCall,
): Promise<OperationAnswer> {
  let target = path;
  const query = new URLSearchParams();
  const sent: Record<string, string> = { ...headers };
  for (const [name, value] of Object.entries(values)) {
    const parameter = parameters.find((each) => each.name === name);
    if (!parameter) throw new Error(`${id} has no parameter ${name}.`);
    if (parameter.in === "path") target = target.replace(`{${name}}`, encodeURIComponent(value));
    else if (parameter.in === "query") query.set(name, value);
    else sent[name] = value;
  }
  if (/[{}]/.test(target)) throw new Error(`${id} needs the parts of ${target}.`);
  if (query.size > 0) target += `?${query}`;
  if (token !== undefined) sent["authorization"] = `Bearer ${token}`;
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  if (text !== undefined) {
    sent["content-type"] ??= bodyTypes?.[0] ?? "application/json";
    sent["content-length"] = String(Buffer.byteLength(text));
  }
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, path: target, method, headers: sent, agent: false }, (response) => {
      let answer = "";
      response.setEncoding("utf8").on("data", (piece: string) => {
        answer += piece;
      });
      response.on("error", reject).on("end", () => {
        const type = response.headers["content-type"] ?? "";
        resolve({ status: response.statusCode!, type, headers: response.headers, text: answer, target });
      });
    });
    outgoing.on("error", reject).end(text);
  });
}
