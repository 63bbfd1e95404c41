import { bundleRoot } from "../../dom.js";
import {
  type Client,
  codeIn,
  type createAsk,
  type Endpoints,
  type Pending,
  type Token,
  type TokenEndpoint,
  tokenFor,
} from "./protocol.js";

/** The page of the bundle to which servers send readers back. */
export const redirectAddress = (): string => new URL(`${bundleRoot()}offprint-sign-in.html`, document.baseURI).href;

export const tokenOfCode = (
  code: string,
  { redirect, verifier, nonce }: Pending,
  client: Client,
  endpoints: TokenEndpoint,
  ask: ReturnType<typeof createAsk>,
): Promise<Token> => {
  const grant = { grant_type: "authorization_code", code, redirect_uri: redirect, code_verifier: verifier };
  return tokenFor(grant, client, endpoints, ask, nonce);
};

/** Waits for the code from the sign-in window. Answers with another state belong to other pages. */
export function returnedCode(pending: Pending, endpoints: Endpoints, signal: AbortSignal): Promise<string> {
  const channel = new BroadcastChannel("offprint-sign-in");
  return new Promise<string>((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
    channel.onmessage = ({ data }) => {
      try {
        const code = codeIn(String(data), pending, endpoints);
        if (code !== undefined) resolve(code);
      } catch (error) {
        reject(error);
      }
    };
  }).finally(() => channel.close());
}
