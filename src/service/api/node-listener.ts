import type { IncomingMessage, ServerResponse } from "node:http";

/** Answers some requests of a server by itself. The result is false, and nothing has happened, for the others. */
export type NodeListener = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;
