import { parseArgs } from "node:util";

export type Options = {
  readonly url: string;
  readonly key: string;
  readonly scopedKey?: string;
  readonly scopedBoard?: string;
  readonly readKey?: string;
  readonly inboundKey?: string;
  readonly inboundUrl?: string;
  readonly webhookPort?: number;
  readonly webhookSecret?: string;
  readonly pageUrl?: string;
  readonly json?: boolean;
};

export const USAGE = `npm run conformance -- --url URL --key KEY [options]

  --url URL                the base URL of the server
  --key KEY                an API key for all boards with permission to write
  --scoped-key KEY         an API key for one board, with --scoped-board ID
  --read-key KEY           an API key for all boards with permission to read
  --inbound-key KEY        an API key for all boards with permission for inbound calls
  --inbound-url URL        the URL of an inbound address for the first board, without a signature
  --webhook-port N         receive events on http://127.0.0.1:N/, the address of the webhook of the server,
  --webhook-secret SECRET  signed with this secret
  --page-url URL           a web page that the server can fetch
  --json                   print one JSON value instead of lines

The checks use the first board of the listing, and delete what they created. Checks whose options are missing are skipped, with the reason.
Exit code: 0 all passed, 1 a check failed, 2 usage error or unusable server.`;

/** Invalid arguments. */
export class UsageError extends Error {}

/** Reads the command line; throws `UsageError`. */
export function readArguments(argv: readonly string[]): Options {
  const text = { type: "string" } as const;
  const values = parseOrThrow(
    () =>
      parseArgs({
        args: [...argv],
        options: {
          url: text,
          key: text,
          "scoped-key": text,
          "scoped-board": text,
          "read-key": text,
          "inbound-key": text,
          "inbound-url": text,
          "webhook-port": text,
          "webhook-secret": text,
          "page-url": text,
          json: { type: "boolean" },
        },
      }).values,
  );
  const { url, key } = values;
  if (!url || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError("--url must be an http or https address.");
  if (!key) throw new UsageError("--key is required.");
  requireTogether(values["scoped-key"], values["scoped-board"], "--scoped-key and --scoped-board go together.");
  requireTogether(values["webhook-port"], values["webhook-secret"], "--webhook-port and --webhook-secret go together.");
  const port = values["webhook-port"] === undefined ? undefined : Number(values["webhook-port"]);
  if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536))
    throw new UsageError("--webhook-port must be a port number.");

  return {
    url,
    key,
    ...(values["scoped-key"] && { scopedKey: values["scoped-key"] }),
    ...(values["scoped-board"] && { scopedBoard: values["scoped-board"] }),
    ...(values["read-key"] && { readKey: values["read-key"] }),
    ...(values["inbound-key"] && { inboundKey: values["inbound-key"] }),
    ...(values["inbound-url"] && { inboundUrl: values["inbound-url"] }),
    ...(port !== undefined && { webhookPort: port }),
    ...(values["webhook-secret"] && { webhookSecret: values["webhook-secret"] }),
    ...(values["page-url"] && { pageUrl: values["page-url"] }),
    ...(values.json && { json: true }),
  };
}

function parseOrThrow<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function requireTogether(one: unknown, two: unknown, message: string): void {
  if ((one === undefined) !== (two === undefined)) throw new UsageError(message);
}
