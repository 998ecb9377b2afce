import { afterAll, beforeAll } from "vitest";
import { type TestService, startTestService } from "../../../support/service.ts";

export let service: TestService;
export let files: string;

export type Part = { readonly name: string; readonly filename?: string; readonly type?: string; readonly body: string | Uint8Array };

/** A form as a client writes it (RFC 7578). */
export function encodeForm(parts: readonly Part[], boundary = "x1"): { readonly body: Buffer; readonly headers: Record<string, string> } {
  const pieces = parts.flatMap(({ name, filename, type, body }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? "" : `; filename="${filename}"`}\r\n${
        type === undefined ? "" : `Content-Type: ${type}\r\n`
      }\r\n`,
    ),
    Buffer.from(body as string),
    Buffer.from("\r\n"),
  ]);
  return {
    body: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
  };
}

export const send = (parts: readonly Part[], more: { key?: string; headers?: Record<string, string>; boundary?: string } = {}) => {
  const { body, headers } = encodeForm(parts, more.boundary);
  return service.call("POST", files, {
    ...(more.key === undefined ? {} : { key: more.key }),
    body,
    headers: { ...headers, ...more.headers },
  });
};
export const file = (body: string | Uint8Array, filename = "notes.txt", type = "text/plain"): Part => ({
  name: "file",
  filename,
  type,
  body,
});
export const readStoredFile = (tileId: string) => service.appContext.deps.store.files.read(service.businessId, tileId);
export const countTiles = async (): Promise<number> => (await service.call("GET", `/api/board/${service.boardId}/tiles`)).json.tiles.length;

/** Registers the hooks that set up and close what the tests of a file share. */
export function useFileService(): void {
  beforeAll(async () => {
    service = await startTestService({ ROLE: "api", MAX_FILE_BYTES: String(3 * 1_048_576) });
    files = `/api/board/${service.boardId}/files`;
  });
  afterAll(() => service.stop());
}
