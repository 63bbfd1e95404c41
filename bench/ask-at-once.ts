// Asks the assistant many questions at once. The client shares the machine with the service, so it is lean: sockets that
// are already open, as behind a proxy, and no HTTP library.
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";

export interface Load {
  readonly url: string;
  readonly key: string;
  /** The process of the service. */
  readonly pid: number;
  readonly questions: readonly string[];
  readonly atOnce: number;
  readonly rounds: number;
}

/**
 * Milliseconds to the first words of an answer, for requests that come at once and within a second, and the CPU of the
 * service for each: up to the first words of the last answer, and in all. No two requests have the same text: blanks make them differ, so no outcome is reused, but words are.
 */
export async function askAtOnce({ url, key, pid, questions, atOnce, rounds }: Load) {
  const sockets = await Promise.all(Array.from({ length: atOnce }, () => open(Number(new URL(url).port))));
  let asked = 0;
  const nextRequest = (): Buffer => {
    const text = questions[asked % questions.length]!;
    const blanks = " ".repeat(2 + Math.floor(asked++ / questions.length));
    return requestOf(key, text.replace(" ", blanks));
  };
  const measure = async (withinMs: number) => {
    const waits: number[] = [];
    const firstCpuMs: number[] = [];
    const before = cpuMsOf(pid);
    for (let round = 0; round < rounds; round++) {
      const requests = sockets.map(nextRequest);
      const atStart = cpuMsOf(pid);
      let waiting = atOnce;
      const onFirst = (): void => {
        if (--waiting === 0) firstCpuMs.push((cpuMsOf(pid) - atStart) / atOnce);
      };
      const later = sockets.map(async (socket, at) => {
        if (withinMs > 0) await new Promise((resolve) => setTimeout(resolve, (at * withinMs) / atOnce));
        return answerOf(socket, requests[at]!, onFirst);
      });
      waits.push(...(await Promise.all(later)));
      // The turns are stored.
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    const cpuMs = (cpuMsOf(pid) - before) / waits.length;
    waits.sort((a, b) => a - b);
    firstCpuMs.sort((a, b) => a - b);
    const quantile = (share: number): number => Math.round(waits[Math.ceil(share * waits.length) - 1]!);
    const toFirst = firstCpuMs[Math.floor(rounds / 2)]!;
    return {
      p50: quantile(0.5),
      p99: quantile(0.99),
      serverCpuMsToFirst: Number(toFirst.toFixed(2)),
      serverCpuMs: Number(cpuMs.toFixed(2)),
    };
  };
  await measure(0);
  const result = { burst: await measure(0), withinASecond: await measure(1000) };
  for (const socket of sockets) socket.destroy();
  return result;
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").setNoDelay(true);
  await once(socket, "connect");
  return socket;
}

function requestOf(key: string, question: string): Buffer {
  const body = JSON.stringify({ fp: "anonymous", messages: [{ role: "user", content: question }] });
  return Buffer.from(
    `POST /discovery/v2/assistant/docs/message HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

const firstWords = Buffer.from('"text-delta"');

/** Milliseconds to the first words. Resolves at the end of the answer. */
function answerOf(socket: Socket, request: Buffer, onFirst: () => void): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const begun = performance.now();
  let firstMs: number | undefined;
  let end = "";
  const onData = (bytes: Buffer): void => {
    if (firstMs === undefined && bytes.includes(firstWords)) {
      firstMs = performance.now() - begun;
      onFirst();
    }
    end = (end + bytes.toString("latin1", Math.max(0, bytes.length - 40))).slice(-40);
    if (!end.endsWith("\r\n0\r\n\r\n")) return;
    socket.off("data", onData);
    if (firstMs !== undefined && end.includes("data: [DONE]")) resolve(firstMs);
    else reject(new Error(`not an answer: ${bytes}`));
  };
  socket.on("data", onData);
  socket.write(request);
  return promise;
}

/** User and system time of all threads of a process. */
function cpuMsOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const times = threads.map((id) => readFileSync(`/proc/${pid}/task/${id}/schedstat`, "latin1").split(" ")[0]);
  return times.reduce((sum, nanoseconds) => sum + Number(nanoseconds) / 1e6, 0);
}
