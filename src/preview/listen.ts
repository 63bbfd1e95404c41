import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

const defaultPort = 3000;
/** Ports that are tried after the default one. */
const mostTries = 50;

/**
 * Listens on the given port, or on the first free one from 3000 on. Gives the port.
 *
 * @throws {Error} of the system, if the given port is taken or none is free.
 */
export async function listen(server: Server, host: string, given: number | undefined): Promise<number> {
  for (let port = given ?? defaultPort; ; port++)
    try {
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, host, () => {
          server.off("error", reject);
          resolve();
        });
      });
      return (server.address() as AddressInfo).port;
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
      if (given !== undefined || !isTaken || port >= defaultPort + mostTries) throw error;
    }
}
