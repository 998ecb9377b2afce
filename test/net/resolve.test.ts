import { createSocket } from "node:dgram";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createResolve } from "#net/resolve.ts";

const A = 1;

/** Starts a name server on loopback that answers questions for IPv4 addresses with 192.0.2.7, except names that begin with "slow". */
async function openNameServer(): Promise<{ readonly address: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (question, peer) => {
    const length = question[12] ?? 0;
    const name = question.subarray(13, 13 + length).toString();
    asked.push(name);
    if (name.startsWith("slow")) return;
    const end = question.indexOf(0, 12) + 5;
    const isA = question.readUInt16BE(end - 4) === A;
    const header = Buffer.from([...question.subarray(0, 2), 0x81, 0x80, 0, 1, 0, isA ? 1 : 0, 0, 0, 0, 0]);
    const answer = isA ? Buffer.from([0xc0, 12, 0, A, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7]) : Buffer.alloc(0);
    socket.send(Buffer.concat([header, question.subarray(12, end), answer]), peer.port, peer.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  onTestFinished(() => void socket.close());
  return { address: `127.0.0.1:${(socket.address() as AddressInfo).port}`, asked };
}

it("names whose servers do not answer delay no other name", async () => {
  const server = await openNameServer();
  const resolve = createResolve({ servers: [server.address], timeoutMs: 1_500, tries: 1 });
  const ended: string[] = [];
  const ask = (host: string): Promise<void> =>
    resolve(host).then(
      (addresses) => void ended.push(`${host} ${addresses.join()}`),
      () => void ended.push(`${host} failed`),
    );
  const slow = Array.from({ length: 20 }, (_, n) => ask(`slow-${n}.invalid`));
  await expect.poll(() => server.asked.filter((name) => name.startsWith("slow")).length).toBeGreaterThanOrEqual(20);
  await ask("quick.example");
  expect(ended).toEqual(["quick.example 192.0.2.7"]);
  await Promise.all(slow);
  expect(ended).toHaveLength(21);
});

it("names of the hosts file are those of the system", async () => {
  const server = await openNameServer();
  expect(await createResolve({ servers: [server.address] })("localhost")).toContain("127.0.0.1");
  expect(server.asked).toEqual([]);
});
