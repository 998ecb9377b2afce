import { openWire } from "./support/wire.ts";

export const HOST = "files.example.com";

export const at = (path: string): string => `https://${HOST}${path}`;

export const typed = (type: string, body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) => ({
  headers: { "content-type": type, ...headers },
  body,
});

export const serve = (answer: ReturnType<typeof typed> | string | Uint8Array) => openWire({ [HOST]: () => answer });
