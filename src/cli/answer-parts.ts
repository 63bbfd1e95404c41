/** What the command shows of a stream of the assistant's second version. */
export type AnswerPart =
  | { readonly type: "text-delta"; readonly delta: string }
  | { readonly type: "source-url"; readonly sourceId: string; readonly url: string; readonly title: string }
  | { readonly type: "error"; readonly errorText: string }
  | { readonly type: "finish" }
  | { readonly type: "start" };

/** The parts of a stream of server-sent events. Ends with the stream, whether or not it is complete. */
export async function* readAnswer(body: ReadableStream<Uint8Array>): AsyncGenerator<AnswerPart> {
  let rest = "";
  for await (const text of body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)) {
    const events = (rest + text).split("\n\n");
    rest = events.pop()!;
    for (const event of events)
      if (event.startsWith("data: {")) yield JSON.parse(event.slice("data: ".length)) as AnswerPart;
  }
}
