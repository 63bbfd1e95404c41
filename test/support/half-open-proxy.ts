import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface HalfOpenProxy {
  readonly port: number;
  /** Silently drops everything on the existing connections. New connections work. */
  cut(): void;
  close(): Promise<void>;
}

/** Forwards connections on `listenPort` (0: any) to `port`. `cut` simulates a network that lost the state of its connections. */
export async function startHalfOpenProxy(port: number, listenPort = 0): Promise<HalfOpenProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on("error", () => to.destroy());
      from.on("close", () => sockets.delete(from));
    }
  });
  await new Promise<void>((resolve) => server.listen(listenPort, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      for (const socket of sockets) {
        socket.unpipe();
        socket.pause();
      }
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
