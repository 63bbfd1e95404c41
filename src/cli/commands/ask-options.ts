import { type Input, parseDomain, plainUrl } from "../options.js";
import texts from "../options.json" with { type: "json" };

export interface AskArguments {
  readonly domain: string;
  readonly question: string;
  /** Without slash at the end. */
  readonly service: string;
  /** Undefined: the key that the service has put into its data folder. */
  readonly key?: string;
  readonly data?: string;
  readonly json: boolean;
}

export const askOptions = { ...texts.ask, ...texts.data };

export async function parseAsk(
  { argument, more, values }: Input<typeof askOptions>,
  env: NodeJS.ProcessEnv,
): Promise<AskArguments> {
  const service = values.service ?? (env["OFFPRINT_SERVICE"]?.trim() || "http://127.0.0.1:7070");
  return {
    domain: await parseDomain(argument),
    question: more,
    service: plainUrl("--service is where the API listens, such as https://exports.example.com", service)!,
    key: values.key ?? (env["OFFPRINT_ASSISTANT_KEY"]?.trim() || undefined),
    data: values.data,
    json: values.json ?? false,
  };
}
