// Asks the assistant many questions at once. The client shares the machine with the service, so it is lean: sockets that
// are already open, as behind a proxy, and no HTTP library.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";

export interface Load {
  readonly url: string;
  readonly key: string;
  /** Process of the service. */
  readonly pid: number;
  readonly questions: readonly string[];
  readonly atOnce: number;
  readonly rounds: number;
}

/**
 * Milliseconds to the first words of an answer, for requests that come at once and within a second, and the CPU of the
 * service for each. No two requests have the same text: blanks make them differ, so no outcome is reused, but words are.
 */
export async function askAtOnce({ url, key, pid, questions, atOnce, rounds }: Load) {
  const sockets = await Promise.all(Array.from({ length: atOnce }, () => open(Number(new URL(url).port))));
  let asked = 0;
  const ask = (socket: Socket): Promise<number> => {
    const text = questions[asked % questions.length]!;
    const blanks = " ".repeat(2 + Math.floor(asked++ / questions.length));
    return answerOf(socket, key, text.replace(" ", blanks));
  };
  const measure = async (withinMs: number) => {
    const waits: number[] = [];
    const before = cpuMsOf(pid);
    for (let round = 0; round < rounds; round++) {
      const later = sockets.map(async (socket, at) => {
        if (withinMs > 0) await new Promise((resolve) => setTimeout(resolve, (at * withinMs) / atOnce));
        return ask(socket);
      });
      waits.push(...(await Promise.all(later)));
      // The turns are stored.
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    const cpuMs = (cpuMsOf(pid) - before) / waits.length;
    waits.sort((a, b) => a - b);
    const quantile = (share: number): number => Math.round(waits[Math.ceil(share * waits.length) - 1]!);
    return { p50: quantile(0.5), p99: quantile(0.99), serverCpuMs: Number(cpuMs.toFixed(2)) };
  };
  await measure(0);
  const result = { burst: await measure(0), withinASecond: await measure(1000) };
  for (const socket of sockets) socket.destroy();
  return result;
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").setNoDelay(true).setEncoding("utf8");
  await once(socket, "connect");
  return socket;
}

/** Milliseconds to the first words. Resolves at the end of the answer. */
function answerOf(socket: Socket, key: string, question: string): Promise<number> {
  const body = JSON.stringify({ fp: "anonymous", messages: [{ role: "user", content: question }] });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const begun = performance.now();
  let firstMs: number | undefined;
  let end = "";
  const onData = (text: string): void => {
    if (firstMs === undefined && text.includes('"text-delta"')) firstMs = performance.now() - begun;
    end = (end + text).slice(-40);
    if (!end.endsWith("\r\n0\r\n\r\n")) return;
    socket.off("data", onData);
    if (firstMs !== undefined && end.includes("data: [DONE]")) resolve(firstMs);
    else reject(new Error(`not an answer: ${text}`));
  };
  socket.on("data", onData);
  socket.write(
    `POST /discovery/v2/assistant/docs/message HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  return promise;
}

/** User and system time of a process, in steps of 10 ms. */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]!.split(" ");
  return 10 * (Number(fields[11]) + Number(fields[12]));
}
