import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

/** A received request. */
export interface Arrival {
  readonly method: string;
  /** Path and query, not decoded. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export interface TestApi {
  readonly url: string;
  readonly arrivals: Arrival[];
  /** Texts received over WebSockets, and the addresses that were opened. */
  readonly messages: string[];
  readonly handshakes: Arrival[];
  /** Where a path leads with the status 307. */
  readonly moved: Map<string, string>;
  /** Values of `Authorization` that get the status 401. */
  readonly refused: Set<string>;
  close(): Promise<void>;
}

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

/** A tenth of a second of silence. */
const sound = ((): Buffer => {
  const samples = Buffer.alloc(800, 128);
  const head = Buffer.from("RIFF....WAVEfmt ....................data....", "latin1");
  head.writeUInt32LE(head.length - 8 + samples.length, 4);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
})();

/** One green picture of 16 pixels, for a tenth of a second. */
const film = Buffer.from(
  "GkXfo59ChoEBQveBAULygQRC84EIQoKEd2VibUKHgQJChYECGFOAZ+cVSalmjirXsYMPQkBEiYRCyAAAFlSua5uumdeBAXPFgQGDgQGGhVZfVlA4" +
    "4IawgRC6gRAfQ7Z1r+eBAKOqgQAAgHABAJ0BKhAAEAACwEwloAJ0AUAAAP7eDee3/zsH/3o/9MeogAAA",
  "base64",
);

/**
 * An API on loopback that records its requests and has a response of each kind.
 *
 * @param isOpen allows pages of any origin to call it and read the responses (CORS).
 */
export async function startApi(isOpen: boolean): Promise<TestApi> {
  const arrivals: Arrival[] = [];
  const messages: string[] = [];
  const handshakes: Arrival[] = [];
  const moved = new Map<string, string>();
  const refused = new Set<string>();
  const sockets = new Set<Duplex>();
  const server = createServer(async (request, response) => {
    if (isOpen) allow(request, response);
    if (request.method === "OPTIONS") return void response.writeHead(204).end();
    const arrival = await readArrival(request);
    arrivals.push(arrival);
    const location = moved.get(arrival.url.split("?")[0]!);
    if (location !== undefined) response.writeHead(307, { Location: location }).end();
    else if (refused.has(`${arrival.headers["authorization"]}`)) response.writeHead(401).end();
    else answer(arrival, response);
  });
  server.on("upgrade", (request, socket) => {
    sockets.add(socket);
    handshakes.push({ method: "GET", url: request.url ?? "", headers: request.headers, body: Buffer.alloc(0) });
    talk(request, socket, messages);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    messages,
    handshakes,
    moved,
    refused,
    close: () => stop(server, sockets),
  };
}

function allow(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader("Access-Control-Allow-Origin", "*");
  response.setHeader("Access-Control-Allow-Methods", "*");
  response.setHeader("Access-Control-Allow-Headers", request.headers["access-control-request-headers"] ?? "*");
  response.setHeader("Access-Control-Expose-Headers", "X-Request-Id");
}

async function readArrival(request: IncomingMessage): Promise<Arrival> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return {
    method: request.method ?? "",
    url: request.url ?? "",
    headers: request.headers,
    body: Buffer.concat(chunks),
  };
}

function answer({ method, url, body }: Arrival, response: ServerResponse): void {
  response.setHeader("X-Request-Id", "abc-123");
  const path = url.split("?")[0]!;
  if (path.endsWith("/slow")) return;
  if (path.endsWith("/ledger"))
    return void response.writeHead(200, { "Content-Type": "application/json" }).end('{"id":9007199254740993}');
  if (path.endsWith("/picture")) return void response.writeHead(200, { "Content-Type": "image/png" }).end(pixel);
  if (path.endsWith("/sound")) return void response.writeHead(200, { "Content-Type": "audio/wav" }).end(sound);
  if (path.endsWith("/film")) return void response.writeHead(200, { "Content-Type": "video/webm" }).end(film);
  if (path.endsWith("/noise")) return void response.writeHead(200, { "Content-Type": "audio/mpeg" }).end("none");
  if (path.endsWith("/late-body")) {
    response.writeHead(200, { "Content-Type": "application/json" });
    response.flushHeaders();
    return void setTimeout(() => response.end('"late"'), 800);
  }
  if (path.endsWith("/words"))
    return void response.writeHead(200, { "Content-Type": "text/plain; charset=utf-8" }).end("Ça marche <b>bold</b>");
  if (path.endsWith("/events")) {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    return void response.write("data: one\n\n");
  }
  const status = path.endsWith("/teapot") ? 418 : 200;
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(
    JSON.stringify({ method, url, size: body.length, list: [1, "two", null, true], deep: { er: { still: 1 } } }),
  );
}

/** A minimal WebSocket server for texts below 64 kB in one frame. It returns each text in capitals. */
function talk(request: IncomingMessage, socket: Duplex, messages: string[]): void {
  const key = createHash("sha1")
    .update(`${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest("base64");
  const protocol = request.headers["sec-websocket-protocol"]?.split(",")[0];
  const lines = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade"];
  lines.push(
    `Sec-WebSocket-Accept: ${key}`,
    ...(protocol === undefined ? [] : [`Sec-WebSocket-Protocol: ${protocol}`]),
  );
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  socket.on("error", () => {});
  socket.on("data", (frame: Buffer) => {
    const opcode = frame[0]! & 15;
    if (opcode === 8) return void socket.end(frame.subarray(0, 2).fill(0, 1));
    const short = frame[1]! & 127;
    const at = short === 126 ? 4 : 2;
    const length = short === 126 ? frame.readUInt16BE(2) : short;
    const mask = frame.subarray(at, at + 4);
    const text = frame.subarray(at + 4, at + 4 + length).map((byte, i) => byte ^ mask[i % 4]!);
    const said = Buffer.from(text).toString("utf8");
    messages.push(said);
    const back = Buffer.from(said.toUpperCase());
    const head =
      back.length < 126
        ? Buffer.from([0x81, back.length])
        : Buffer.from([0x81, 126, back.length >> 8, back.length & 255]);
    socket.write(Buffer.concat([head, back]));
  });
}

async function stop(server: Server, sockets: ReadonlySet<Duplex>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  await new Promise<void>((resolve) => {
    server.closeAllConnections();
    server.close(() => resolve());
  });
}
