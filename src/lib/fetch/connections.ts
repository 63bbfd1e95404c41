import { Agent, type RequestOptions } from "node:https";
import { isIP } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import type { Network, Target } from "./target.js";

/** What a request passes to `Connections`, besides the options that Node knows. */
export interface PinnedOptions extends RequestOptions {
  readonly target: Target;
  readonly network: Network;
}

/** Connects to the address that was checked. The name of the host may resolve to another one by now. */
export const connectSecurely = ({ host, address, port }: Target, network: Network): TLSSocket =>
  connectTls({
    socket: network.connect(address, port),
    ...(isIP(host) ? {} : { servername: host }),
    ...(network.ca === undefined ? {} : { ca: network.ca }),
    ALPNProtocols: ["http/1.1"],
  });

/**
 * Connections for many requests, one after the other: a handshake takes two round trips and most of the processor time
 * of a small file. A request only gets a connection to the address that was checked for it. The owner destroys it.
 */
export class Connections extends Agent {
  constructor() {
    // The time after which an idle connection is closed.
    super({ keepAlive: true, timeout: 5_000 });
  }

  override getName(options?: RequestOptions): string {
    const { host, address, port } = (options as PinnedOptions).target;
    return `${host} ${address} ${port}`;
  }

  override createConnection(options: RequestOptions): TLSSocket {
    const { target, network } = options as PinnedOptions;
    return connectSecurely(target, network);
  }
}
