import { Socket } from "node:net";
import type pg from "pg";

/** Longest a query waits for its answer, in milliseconds: a connection may be dead without anybody having said so. */
const patienceMs = 5_000;

/**
 * How our connections are made. What the address says of a setting counts, so `?query_timeout=…` is an operator's to
 * give.
 *
 * @param sockets holds those that are open, for whoever must end them without the server.
 * @throws {Error} that does not repeat the address, which holds a password.
 */
export function connectionOptions(driver: typeof pg, url: string, sockets: Set<Socket>): pg.ClientConfig {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url))
    throw new Error("The address of the database has another form than postgresql://user:password@host:5432/name.");
  return {
    connectionString: url,
    application_name: "offprint",
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
    // A transaction whose client has vanished lets go of its rows.
    idle_in_transaction_session_timeout: patienceMs,
    keepAlive: true,
    stream: () => {
      const socket = new Socket();
      sockets.add(socket);
      return socket.once("close", () => sockets.delete(socket));
    },
    types: { getTypeParser: ((oid: number, format?: "text") => parserOf(driver, oid, format)) as never },
  };
}

/** Our counts and times are exact in a double. */
const parserOf = (driver: typeof pg, oid: number, format?: "text") =>
  oid === driver.types.builtins.INT8 ? Number : driver.types.getTypeParser(oid, format);
