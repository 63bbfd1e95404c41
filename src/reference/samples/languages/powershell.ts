import { bodyWriter, hasType, type SampleLanguage, type SamplePart, splitHeaders } from "./sample-request.js";
import { formEncoded, lines } from "./text.js";

/** Inside single quotes only quotes are special, typographic ones included. */
const str = (text: string): string =>
  `'${text
    .toWellFormed()
    .replaceAll("\0", "")
    .replace(/['\u2018-\u201b]/g, "$&$&")}'`;

export const powershell: SampleLanguage["write"] = (request) => {
  const { method, url, body, answer, challenge } = request;
  const { others, contentType } = splitHeaders(request);
  const { before = [], argument = undefined } = body ? bodyOf(body) : {};
  const isStandard = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE)$/.test(method);
  const call = [
    `Invoke-RestMethod ${isStandard ? "-Method" : "-CustomMethod"} ${method}`,
    `-Uri ${str(url)}`,
    others.length > 0 && "-Headers $headers",
    challenge !== undefined && "-Credential (Get-Credential)",
    contentType !== undefined && `-ContentType ${str(contentType)}`,
    argument,
  ].filter((part) => part !== false && part !== undefined);
  return lines(
    others.length > 0 && [
      `$headers = @{\n${others.map(([name, value]) => `  ${str(name)} = ${str(value)}`).join("\n")}\n}`,
      "",
    ],
    before.length > 0 && [...before, ""],
    `$response = ${call.join(" `\n  ")}`,
    answer === undefined ? "$response | ConvertTo-Json -Depth 20" : "$response",
  );
};

const bodyOf = bodyWriter<{ readonly before?: readonly string[]; readonly argument: string }>({
  json: (body) => ({ before: [`$body = @'\n${body.text}\n'@`], argument: "-Body $body" }),
  text: (body) => ({ before: [`$body = ${str(body.text)}`], argument: "-Body $body" }),
  form: (body) => ({ before: [`$body = ${str(formEncoded(body.fields))}`], argument: "-Body $body" }),
  file: (body) => ({ argument: `-InFile ${str(body.fileName)}` }),
  multipart: (body) => {
    if (body.parts.some(hasType))
      return {
        before: ["$form = [System.Net.Http.MultipartFormDataContent]::new()", ...body.parts.flatMap(addPart)],
        argument: "-Body $form",
      };
    const parts = body.parts.map(
      ({ name, value, isFile }) => `  ${str(name)} = ${isFile ? `Get-Item -Path ${str(value)}` : str(value)}`,
    );
    return { before: [`$form = @{\n${parts.join("\n")}\n}`], argument: "-Form $form" };
  },
});

/** A part of a form built by hand, because `-Form` does not support types. */
const addPart = ({ name, value, isFile, contentType }: SamplePart): string[] => [
  isFile
    ? `$part = [System.Net.Http.StreamContent]::new((Get-Item -Path ${str(value)}).OpenRead())`
    : `$part = [System.Net.Http.StringContent]::new(${str(value)})`,
  ...(contentType === undefined
    ? []
    : [`$part.Headers.ContentType = [System.Net.Http.Headers.MediaTypeHeaderValue]::Parse(${str(contentType)})`]),
  `$form.Add($part, ${str(name)}${isFile ? `, ${str(value)}` : ""})`,
];
