/** The part of the package that is measured. */
declare module "send" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  export default function send(
    request: IncomingMessage,
    path: string,
    options: { readonly root: string },
  ): { pipe(response: ServerResponse): void };
}
