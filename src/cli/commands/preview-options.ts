import { groupsOf, type Input, wholeNumber } from "../options.js";
import texts from "../options.json" with { type: "json" };

export interface PreviewArguments {
  readonly site: string;
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  readonly opens: boolean;
  readonly audience?: readonly string[] | undefined;
  readonly poll: boolean;
  readonly cache: boolean;
  readonly json: boolean;
}

export const previewOptions = texts.preview;

export const parsePreview = ({ argument, values }: Input<typeof previewOptions>): PreviewArguments => ({
  site: argument,
  port: wholeNumber("--port", values.port, 0, 65_535),
  host: values.host,
  opens: !values["no-open"],
  audience: groupsOf("--audience", values.audience),
  poll: values.poll ?? false,
  cache: !values["no-cache"],
  json: values.json ?? false,
});
