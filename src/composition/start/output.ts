/** What a process says about itself besides its log: that it is ready, how to set it up, or why it could not start. */
export type Announce = (level: "info" | "error" | "fatal", message: string, fields?: Readonly<Record<string, unknown>>) => void;

type Write = typeof process.stdout.write;

/**
 * Returns how the process announces itself: as text, or as JSON lines if `format` (`LOG_FORMAT`) is `json`. Then everything else that is
 * written to its standard streams becomes JSON too, such as warnings of Node and the output of threads and libraries.
 */
export function openOutput(format: string | undefined): Announce {
  if (format?.trim() !== "json") return (level, message) => void chooseStream(level).write(`${message}\n`);
  for (const [stream, level] of [
    [process.stdout, "info"],
    [process.stderr, "warn"],
  ] as const)
    stream.write = convertLines(stream, level);
  // Node's own listener would write the same warning as text.
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message, stack, ...more }: Error & { readonly code?: string }) => {
    process.stderr.write(formatLine("warn", message, { warning: name, ...(more.code === undefined ? {} : { code: more.code }), stack }));
  });
  return (level, message, fields = {}) => void chooseStream(level).write(formatLine(level, message, fields));
}

const chooseStream = (level: string): NodeJS.WriteStream => (level === "info" ? process.stdout : process.stderr);

const formatLine = (level: string, message: string, fields: object = {}): string =>
  `${JSON.stringify({ level, time: new Date().toISOString(), ...fields, msg: message })}\n`;

/** Returns a replacement of the stream's `write` that turns each line which is not JSON into JSON. */
function convertLines(stream: NodeJS.WriteStream, level: string): Write {
  const write: Write = stream.write.bind(stream);
  let unfinished = "";
  process.once("exit", () => unfinished !== "" && write(formatLine(level, unfinished)));
  return (chunk: Uint8Array | string, ...rest: unknown[]) => {
    const done = rest.find((argument) => typeof argument === "function") as (() => void) | undefined;
    const text = typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
    const lines = (unfinished + text).split("\n");
    unfinished = lines.pop() ?? "";
    const json = lines.filter((line) => line.trim() !== "").map((line) => (isJson(line) ? `${line}\n` : formatLine(level, line)));
    return write(json.join(""), done);
  };
}

function isJson(line: string): boolean {
  if (!line.startsWith("{")) return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
