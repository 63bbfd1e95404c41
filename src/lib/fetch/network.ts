import { lookup } from "node:dns/promises";
import { connect, type Socket } from "node:net";

/** Name look-up, connections, and certificates to trust in addition to those that Node knows. */
export interface Network {
  /** Every address of a name. */
  resolve(host: string): Promise<readonly string[]>;
  connect(address: string, port: number): Socket;
  readonly ca?: string;
}

export const realNetwork: Network = {
  resolve: async (host) => (await lookup(host, { all: true, order: "verbatim" })).map(({ address }) => address),
  connect: (address, port) => connect({ host: address, port }),
};
