// A server that speaks as OpenAI does, around llama.cpp. Prints its port and then a line of JSON for each answer:
// node llama-server.js <addon> <model>
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { dirname } from "node:path";

const [addonPath, modelPath] = process.argv.slice(2);
const llama = createRequire(import.meta.url)(addonPath);
llama.setLoggerLogLevel(1);
llama.loadBackends();
llama.loadBackends(dirname(addonPath));
await llama.init();
const model = new llama.AddonModel(modelPath, { gpuLayers: 0, addonExports: llama });
if (!(await model.init())) throw new Error("The model could not be loaded.");

const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  const { messages, max_tokens: most } = JSON.parse(body);
  const prompt = messages.map(({ role, content }) => `${role}: ${content}`).join("\n");
  let isLeft = false;
  response.on("close", () => {
    isLeft = !response.writableFinished;
  });
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (more) =>
    response.write(
      `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model: "noise", ...more })}\n\n`,
    );
  const tokens = model.tokenize(prompt, false);
  const context = new llama.AddonContext(model, {
    contextSize: tokens.length + most + 8,
    batchSize: tokens.length,
    sequences: 1,
    threads: 1,
  });
  await context.init();
  const sampler = new llama.AddonSampler(model);
  sampler.applyConfig({ temperature: 0.8, seed: 1, topK: 40, topP: 0.95 });
  const decoder = new TextDecoder();
  let count = 0;
  let next = tokens;
  let at = 0;
  let reason = "length";
  const minTokens = 200;
  while (count < most && !isLeft) {
    context.initBatch(next.length);
    const [last] = context.addToBatch(0, at, next, Uint32Array.of(next.length - 1));
    await context.decodeBatch();
    at += next.length;
    const token = await context.sampleToken(last, sampler);
    // Noise may end at once, which would show nothing.
    if (token === -1 || (model.isEogToken(token) && count >= minTokens)) {
      reason = "stop";
      break;
    }
    count++;
    next = Uint32Array.of(token);
    const content = decoder.decode(bytesOf(token), { stream: true });
    if (content !== "") send({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
  }
  if (!isLeft) {
    send({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
    send({
      choices: [],
      usage: { prompt_tokens: tokens.length, completion_tokens: count, total_tokens: tokens.length + count },
    });
    response.end("data: [DONE]\n\n");
  }
  await context.dispose();
  process.stdout.write(`${JSON.stringify({ promptTokens: tokens.length, completionTokens: count, isLeft })}\n`);
});

/** A token is a byte, or one of a few letters. */
function bytesOf(token) {
  const text = model.getTokenString(token);
  const [, byte] = /^<0x(..)>$/.exec(text) ?? [];
  return byte ? Uint8Array.of(Number.parseInt(byte, 16)) : new TextEncoder().encode(text.replaceAll("\u2581", " "));
}

server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));
