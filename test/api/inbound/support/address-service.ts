import { createHmac } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import { type People, gatherPeople } from "../../../support/people/settings.ts";
import { type Answer, type TestService, startTestService } from "../../../support/service.ts";

export const ADDRESSES = "/api/settings/inbound-addresses";

export let service: TestService;
export let people: People;

/** Registers the hooks that set up and close what the tests of a file share. */
export function useAddressService(environment: Record<string, string> = { ROLE: "api" }): void {
  beforeAll(async () => {
    service = await startTestService(environment);
    people = await gatherPeople(service);
  });
  afterAll(() => service.stop());
}

export const create = (more: object = {}, browser = people.member): Promise<Answer> =>
  browser.call("POST", ADDRESSES, { body: { name: "Sender", board_id: service.boardId, ...more } });

/** Creates an address, and returns the path of its URL. */
export async function createPath(more: object = {}): Promise<string> {
  const { json } = await create(more);
  return new URL(json.url).pathname;
}

type Sent = string | Uint8Array | object;

/** Posts as a sender without any credentials does. An object is sent as JSON. */
export const post = (path: string, body: Sent, type = "application/json", headers: Record<string, string> = {}): Promise<Answer> =>
  service.call("POST", path, {
    key: null,
    body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
    headers: { "content-type": type, ...headers },
  });

export const postForm = (path: string, fields: Record<string, string>): Promise<Answer> =>
  post(path, new URLSearchParams(fields).toString(), "application/x-www-form-urlencoded");

/** Posts a multipart form, as a browser or Mailgun does. */
export async function postMultipart(path: string, fields: Record<string, string | File>): Promise<Answer> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const encoded = new Response(form);
  return post(path, new Uint8Array(await encoded.arrayBuffer()), encoded.headers.get("content-type") ?? "");
}

export const postMail = (path: string, mail: string | Uint8Array): Promise<Answer> => post(path, mail, "message/rfc822");

export const read = async (answer: Answer): Promise<any> => (await readTile(answer.json.tile?.id ?? answer.text)).json.tile;
export const readTile = (id: string): Promise<Answer> => service.call("GET", `/api/board/tiles/${id}`);

export const sign = (secret: string, body: string | Uint8Array, encoding: "hex" | "base64" = "hex"): string =>
  createHmac("sha256", secret).update(body).digest(encoding);
