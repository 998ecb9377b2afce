import { randomFrom } from "../output/text.ts";
import type { Target } from "./job.ts";

export type Request = { readonly name: string; readonly bytes: Buffer };

/** Makes the next request of a mix; the same seed makes the same sequence. */
export function createRequests(targets: readonly Target[], seed: number): () => Request {
  const makers = targets.map(makerOf);
  const total = targets.reduce((sum, { weight }) => sum + weight, 0);
  const random = randomFrom(seed);
  return () => {
    let left = targets.length === 1 ? 0 : random() * total;
    let chosen = 0;
    while (chosen < targets.length - 1 && left >= (targets[chosen]?.weight ?? 0)) left -= targets[chosen++]?.weight ?? 0;
    return (makers[chosen] as () => Request)();
  };
}

function makerOf(target: Target): () => Request {
  const { name } = target;
  const ready = (target.bodies ?? [undefined]).map((body) => ({ name, bytes: encode(target, target.path, body) }));
  let turn = 0;
  return () => ready[turn++ % ready.length] as Request;
}

function encode({ method, key, isUncached }: Target, path: string, body?: string): Buffer {
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${key}\r\nAccept: application/json\r\n${
    isUncached === true ? "Cache-Control: no-cache\r\n" : ""
  }`;
  if (body === undefined) return Buffer.from(`${head}\r\n`);
  return Buffer.from(`${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}
