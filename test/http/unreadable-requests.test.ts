import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { rejectUnreadable } from "#http/server/listener.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A connection whose client keeps its side open, and what was written to it. */
function connect(more: object = {}) {
  const written: string[] = [];
  const write = (chunk: Buffer, _encoding: string, done: () => void): void => (written.push(String(chunk)), done());
  return { socket: Object.assign(new Duplex({ read() {}, write }), more) as unknown as Socket, written };
}

it("the connection is destroyed a second after an unreadable request, even if the client keeps its side open", () => {
  const { socket, written } = connect();
  rejectUnreadable(new Error("unreadable"), socket);
  expect([written.join(""), socket.destroyed]).toEqual([expect.stringContaining("HTTP/1.1 400"), false]);
  vi.advanceTimersByTime(1_000);
  expect(socket.destroyed).toBe(true);
});

it("nothing is written into a response that is being sent", () => {
  const { socket, written } = connect({ _httpMessage: { headersSent: true } });
  rejectUnreadable(new Error("unreadable"), socket);
  expect(written.join("")).toBe("");
});
