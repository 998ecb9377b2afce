import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

/**
 * An `error` event without a listener ends the process. Objects that emit one are therefore created in few files, each of which
 * attaches a handler. Other code that needs a thread, a process or a file stream uses `src/runtime/`.
 */
const EMITTERS: readonly { readonly what: string; readonly pattern: RegExp; readonly files: readonly string[] }[] = [
  { what: "threads", pattern: /\bnew Worker\(/, files: ["src/runtime/process/thread.ts"] },
  {
    what: "processes",
    pattern: /(?<![.\w])(?:spawn|fork|exec|execFile)\(/,
    // The launcher and the checks of this repository have their own handlers.
    files: ["src/runtime/process/child.ts", "server/bin/launch.mjs", "scripts/checks.ts"],
  },
  { what: "streams of files", pattern: /\bcreate(?:Read|Write)Stream\(/, files: ["src/runtime/files/stream.ts"] },
  {
    what: "sockets",
    pattern: /\b(?:net|tls|http2?|https|dgram)\.(?:connect|createConnection|createSocket|request|get)\(|new (?:\w+\.)?(?:TLS)?Socket\(/,
    files: [],
  },
  { what: "HTTP clients", pattern: /\bnew (?:undici\.)?Agent\(|\bbuildConnector\(\{/, files: ["src/net/guard.ts", "src/llm/fetch.ts"] },
  {
    what: "servers",
    pattern: /import \{[^}]*\bcreateServer\b[^}]*\} from "node:/,
    files: ["src/http/server/listener.ts", "src/composition/start/port.ts"],
  },
  { what: "event emitters", pattern: /\b(?:new|extends) EventEmitter\b/, files: [] },
  {
    what: "clients of PostgreSQL",
    pattern: /\bnew (?:Pool|Client)\(/,
    files: ["src/storage/postgres/engine/database.ts", "src/storage/postgres/engine/notification-bus.ts"],
  },
  {
    what: "decoders",
    pattern: /\bcreate(?:Gunzip|Gzip|Inflate|InflateRaw|Deflate|BrotliDecompress|BrotliCompress|ZstdDecompress)\(/,
    // Each is part of a pipeline, or read to its end by its creator.
    files: [
      "src/http/response/compress.ts",
      "src/net/body.ts",
      "src/storage/transfer/portable.ts",
      "src/storage/transfer/read-portable.ts",
    ],
  },
];

/** Files that create an emitter, and the handler that each attaches. */
const HANDLERS: Readonly<Record<string, RegExp>> = {
  "src/runtime/process/thread.ts": /worker\.on\("error"/,
  "src/runtime/process/child.ts": /emitter\?\.on\("error"/,
  "src/runtime/files/stream.ts": /\.on\("error"/,
  "src/net/guard.ts": /opened\?\.on\("error"/,
  "src/composition/start/port.ts": /server\.on\("error"/,
  "src/http/server/listener.ts": /server\.on\("error"/,
  "src/storage/postgres/engine/database.ts": /pool\.on\("error"/,
  "src/storage/postgres/engine/notification-bus.ts": /client\.on\("error"/,
  "server/bin/launch.mjs": /child\.on\("error"/,
  "scripts/checks.ts": /child\.on\("error"/,
};

const sources = ["src", "scripts", "sdk/src", "server/bin"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|mjs)$/.test(entry.name))
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      return { name: relative(ROOT, file), code: readFileSync(file, "utf8").replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, "") };
    }),
);

it.each(EMITTERS)("emitters of error events ($what) are created only where a handler is attached", ({ pattern, files }) => {
  const found = sources.filter(({ code }) => pattern.test(code)).map(({ name }) => name);
  expect(found.sort()).toEqual([...files].sort());
});

it.each(Object.entries(HANDLERS))("%s attaches its handler of error events", (name, handler) => {
  expect(sources.find((source) => source.name === name)?.code).toMatch(handler);
});
