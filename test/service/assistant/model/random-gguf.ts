import { seeded } from "../../../support/seeded.js";

/**
 * A language model of 480 kB in the format of llama.cpp, with random weights: two layers, 64 wide, one token for each byte.
 * Its answers are noise, but a real program loads it and answers from it.
 */
export function randomGguf(seed = 1): Buffer {
  const width = 64;
  const inner = 128;
  const layers = 2;
  const words = ["<unk>", "<s>", "</s>", "\u2581", ..."etaoinshrdlu"];
  const bytes = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`);
  const tokens = [...words, ...bytes];
  // Unknown, control, control, normal …, byte …
  const types = tokens.map((_, id) => (id === 0 ? 2 : id < 3 ? 3 : id < words.length ? 1 : 6));
  const facts = [
    fact("general.architecture", text("llama")),
    fact("general.name", text("noise")),
    fact("llama.context_length", u32(8192)),
    fact("llama.embedding_length", u32(width)),
    fact("llama.block_count", u32(layers)),
    fact("llama.feed_forward_length", u32(inner)),
    fact("llama.attention.head_count", u32(4)),
    fact("llama.attention.head_count_kv", u32(4)),
    fact("llama.attention.layer_norm_rms_epsilon", f32(1e-5)),
    fact("llama.rope.dimension_count", u32(width / 4)),
    fact("llama.vocab_size", u32(tokens.length)),
    fact("tokenizer.ggml.model", text("llama")),
    fact("tokenizer.ggml.tokens", list(8, tokens.map(string))),
    fact(
      "tokenizer.ggml.scores",
      list(
        6,
        tokens.map((_, id) => word((at) => at.writeFloatLE(-id))),
      ),
    ),
    fact(
      "tokenizer.ggml.token_type",
      list(
        5,
        types.map((type) => word((at) => at.writeInt32LE(type))),
      ),
    ),
    fact("tokenizer.ggml.bos_token_id", u32(1)),
    fact("tokenizer.ggml.eos_token_id", u32(2)),
    fact("tokenizer.ggml.unknown_token_id", u32(0)),
  ];
  const layer = (at: number): [string, number[]][] => [
    [`blk.${at}.attn_norm.weight`, [width]],
    ...["q", "k", "v", "output"].map((name): [string, number[]] => [`blk.${at}.attn_${name}.weight`, [width, width]]),
    [`blk.${at}.ffn_norm.weight`, [width]],
    [`blk.${at}.ffn_gate.weight`, [width, inner]],
    [`blk.${at}.ffn_up.weight`, [width, inner]],
    [`blk.${at}.ffn_down.weight`, [inner, width]],
  ];
  const tensors: [string, number[]][] = [
    ["token_embd.weight", [width, tokens.length]],
    ["output_norm.weight", [width]],
    ["output.weight", [width, tokens.length]],
    ...Array.from({ length: layers }, (_, at) => layer(at)).flat(),
  ];
  const infos: Buffer[] = [];
  const data: Buffer[] = [];
  const random = seeded(seed);
  let offset = 0;
  for (const [name, shape] of tensors) {
    const count = shape.reduce((product, size) => product * size, 1);
    const weights = Float32Array.from({ length: count }, () => (shape.length === 1 ? 1 : random() - 0.5));
    infos.push(
      string(name),
      word((at) => at.writeUInt32LE(shape.length)),
      ...shape.map(u64),
      word((at) => at.writeUInt32LE(0)),
      u64(offset),
    );
    data.push(Buffer.from(weights.buffer));
    // All sizes are multiples of the alignment, 32 bytes.
    offset += count * 4;
  }
  const version = word((at) => at.writeUInt32LE(3));
  const head = Buffer.concat([
    Buffer.from("GGUF"),
    version,
    u64(tensors.length),
    u64(facts.length),
    ...facts,
    ...infos,
  ]);
  return Buffer.concat([head, Buffer.alloc((32 - (head.length % 32)) % 32), ...data]);
}

/** A type, and the value in its form. */
interface Value {
  readonly type: number;
  readonly bytes: Buffer;
}
const word = (write: (at: Buffer) => void): Buffer => {
  const bytes = Buffer.alloc(4);
  write(bytes);
  return bytes;
};
const u64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
const string = (value: string): Buffer => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);
const u32 = (value: number): Value => ({ type: 4, bytes: word((at) => at.writeUInt32LE(value)) });
const f32 = (value: number): Value => ({ type: 6, bytes: word((at) => at.writeFloatLE(value)) });
const text = (value: string): Value => ({ type: 8, bytes: string(value) });
const list = (type: number, items: readonly Buffer[]): Value => ({
  type: 9,
  bytes: Buffer.concat([word((at) => at.writeUInt32LE(type)), u64(items.length), ...items]),
});
const fact = (name: string, { type, bytes }: Value): Buffer =>
  Buffer.concat([string(name), word((at) => at.writeUInt32LE(type)), bytes]);
