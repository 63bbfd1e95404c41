import { Socket } from "node:net";
import type pg from "pg";
import { EnvironmentError } from "../../../lib/system-error.js";

/** A connection may be dead without an error, so queries have a timeout. */
const timeoutMs = 5_000;

/**
 * Options of our connections. Settings in the address win, so operators can set `?query_timeout=…`.
 *
 * @param sockets collects the open sockets, to close them without the server.
 * @throws {EnvironmentError} without the address, which contains a password.
 */
export function connectionOptions(driver: typeof pg, url: string, sockets: Set<Socket>): pg.ClientConfig {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url))
    throw new EnvironmentError(
      "The address of the database is not of the form postgresql://user:password@host:5432/name.",
    );
  return {
    connectionString: url,
    application_name: "offprint",
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    // Releases the locks of a client that has disappeared.
    idle_in_transaction_session_timeout: timeoutMs,
    keepAlive: true,
    stream: () => {
      const socket = new Socket();
      sockets.add(socket);
      return socket.once("close", () => sockets.delete(socket));
    },
    types: { getTypeParser: ((oid: number, format?: "text") => parserOf(driver, oid, format)) as never },
  };
}

/** Our counts and times fit exactly into a double. */
const parserOf = (driver: typeof pg, oid: number, format?: "text") =>
  oid === driver.types.builtins.INT8 ? Number : driver.types.getTypeParser(oid, format);
