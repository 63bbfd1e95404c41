import { guardedFetch, type Network } from "../../../lib/fetch/index.js";
import type { Log } from "../../../lib/log.js";
import { shortHash } from "../../../lib/short-hash.js";
import type { Passage, SearchRequest, SiteIndex } from "../answer.js";

/** A server that speaks OpenAI's embeddings. */
export interface EmbeddingsOptions {
  /** Without the slash at the end. Private addresses are allowed, since the operator wrote it. */
  readonly url: string;
  readonly model: string;
  readonly key?: string;
  /** How long a search waits for the server, in milliseconds. Default: 2,000. */
  readonly timeoutMs?: number;
  readonly network?: Network;
}

/** Passages that the search finds for each answer; the server orders them by meaning. */
const candidates = 40;
/** The lower, the more the first places count: the usual constant of fusion by rank. */
const rankConstant = 60;
const maxVectors = 20_000;
const maxBytes = 32 * 1024 * 1024;
/** After a failure the server is not asked again for this time. */
const restMs = 30_000;

type Vector = Float32Array;

/**
 * Returns a function that lets an index order what its search finds by meaning, too. Vectors are kept by the hash of their
 * text, so an export has new ones only for changed sections. Without an answer of the server the order stays as it is.
 */
export function createEmbeddings(options: EmbeddingsOptions, log: Log, now: () => number) {
  const { url, model, key, timeoutMs = 2000, network } = options;
  const vectors = new Map<string, Vector>();
  let restsUntil = Number.NEGATIVE_INFINITY;

  /** @throws {Error} if the server does not answer with a vector for each text. */
  const ask = async (texts: readonly string[]): Promise<Vector[]> => {
    const outcome = await guardedFetch(`${url}/embeddings`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(key !== undefined && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify({ model, input: texts }),
      allowPrivate: true,
      timeoutMs,
      maxBytes,
      maxRedirects: 0,
      ...(network && { network }),
    });
    if (!outcome.ok) throw new Error(outcome.reason);
    const found =
      (JSON.parse(outcome.text) as { data?: readonly { index?: number; embedding?: unknown }[] }).data ?? [];
    return texts.map((_, at) => {
      const vector = (found.find(({ index }) => index === at) ?? found[at])?.embedding;
      if (!Array.isArray(vector) || !vector.every(Number.isFinite))
        throw new Error("its answer is not a list of vectors");
      return Float32Array.from(vector as number[]);
    });
  };

  const vectorsOf = async (texts: readonly string[]): Promise<Vector[]> => {
    const keys = texts.map(shortHash);
    const missing = texts.filter((_, at) => !vectors.has(keys[at]!));
    const asked = missing.length === 0 ? [] : await ask(missing);
    const known = keys.map((key) => vectors.get(key));
    // The oldest go; what this search needs is in `known` and `asked`.
    for (const [at, text] of missing.entries()) vectors.set(shortHash(text), asked[at]!);
    for (const key of vectors.keys()) if (vectors.size > maxVectors) vectors.delete(key);
    return known.map((vector, at) => vector ?? asked[missing.indexOf(texts[at]!)]!);
  };

  /** Orders passages by their places in both orders. */
  const fused = async (query: string, passages: readonly Passage[]): Promise<readonly Passage[]> => {
    if (passages.length < 2 || now() < restsUntil) return passages;
    try {
      const [asked, ...found] = await vectorsOf([query, ...passages.map(passageText)]);
      const places = [...passages.keys()];
      const byMeaning = places.toSorted((a, b) => cosine(asked!, found[b]!) - cosine(asked!, found[a]!));
      const rank = (at: number): number => 1 / (rankConstant + at) + 1 / (rankConstant + byMeaning.indexOf(at));
      return places.sort((a, b) => rank(b) - rank(a)).map((at) => passages[at]!);
    } catch (error) {
      restsUntil = now() + restMs;
      log("warn", "the embedding server returned no vectors", { error: String(error) });
      return passages;
    }
  };

  return (index: SiteIndex): SiteIndex => ({
    ...index,
    async search(request: SearchRequest) {
      const outcome = await index.search({ ...request, count: Math.max(candidates, request.count) });
      const ordered = await fused(request.query, outcome.passages);
      const passages = ordered.slice(0, request.count);
      // What the reader is looking at stays among the passages, as without a server.
      const own = outcome.passages.find(({ score }) => score === 0);
      if (own && !passages.includes(own)) passages[request.count - 1] = own;
      // The first passages tell how sure it is, however many there are.
      const isOther = ordered[0] !== outcome.passages[0];
      const certainty = outcome.certainty === "sure" && isOther ? "unsure" : outcome.certainty;
      return { ...outcome, passages, certainty };
    },
  });
}

const passageText = ({ title, heading, text }: Passage): string => `${title}\n${heading}\n${text}`;

function cosine(one: Vector, other: Vector): number {
  let [product, ofOne, ofOther] = [0, 0, 0];
  for (let at = 0; at < Math.min(one.length, other.length); at++) {
    product += one[at]! * other[at]!;
    ofOne += one[at]! ** 2;
    ofOther += other[at]! ** 2;
  }
  return product / (Math.sqrt(ofOne * ofOther) || 1);
}
