import { expect, test } from "vitest";
import {
  create,
  createPath,
  post,
  postForm,
  postMail,
  postMultipart,
  read,
  readTile,
  useAddressService,
} from "./support/address-service.ts";
import { HTML_MAIL, MAILGUN, POSTFIX_MAIL } from "./support/samples.ts";

useAddressService({ ROLE: "api", MAX_FILE_BYTES: "1000000" });

test("an e-mail from a pipe becomes a text with its subject, and its file an upload; sent again, it makes nothing new", async () => {
  const path = await createPath();
  const answer = await postMail(path, POSTFIX_MAIL);
  expect(answer.status, answer.text).toBe(200);
  expect(await read(answer)).toMatchObject({ type: "TEXT", title: "Grüße vom Leuchtturm", rawContent: "Der Leuchtturm öffnet um neun." });
  expect(answer.json.attachments).toEqual([{ tile: { id: expect.any(String), status: "processing", type: "DOCUMENT" }, created: true }]);
  expect((await readTile(answer.json.attachments[0].tile.id)).json.tile).toMatchObject({ title: "tide.txt", type: "DOCUMENT" });
  const again = await postMail(path, POSTFIX_MAIL);
  expect(again.json).toMatchObject({ tile: { id: answer.json.tile.id }, created: false, changed: false });
  expect(again.json.attachments[0]).toMatchObject({ tile: { id: answer.json.attachments[0].tile.id }, created: false });
});

test("an e-mail in HTML becomes its cleaned text, without the pictures that it shows", async () => {
  const answer = await postMail(await createPath(), HTML_MAIL);
  const tile = await read(answer);
  expect(tile.title).toBe("June at the harbour");
  expect(tile.rawContent).toContain("The ferry runs every hour in June.");
  for (const dropped of ["alert", "color", "<", "cid:"]) expect(tile.rawContent).not.toContain(dropped);
  expect(answer.json.attachments).toBeUndefined();
});

test("an e-mail with a subject alone becomes that, and one with a file alone becomes the file", async () => {
  const path = await createPath();
  expect(await read(await postMail(path, "Subject: Call the pilot\r\n\r\n"))).toMatchObject({
    title: "Call the pilot",
    rawContent: "Call the pilot",
  });
  const file = 'Content-Type: text/csv; name="a.csv"\r\nContent-Disposition: attachment; filename="a.csv"\r\n\r\na,b\r\n1,2\r\n';
  expect(await read(await postMail(path, file))).toMatchObject({ title: "a.csv", type: "DOCUMENT" });
  expect((await postMail(path, "")).status).toBe(400);
});

test("the forms of Mailgun become e-mails, parsed or raw, with their files", async () => {
  const path = await createPath();
  const parsed = await postMultipart(path, { ...MAILGUN, "attachment-1": new File(["a,b\n1,2\n"], "../tide.csv", { type: "text/csv" }) });
  expect(parsed.status, parsed.text).toBe(200);
  expect(await read(parsed)).toMatchObject({ title: "Re: Opening hours", rawContent: MAILGUN["body-plain"] });
  expect((await readTile(parsed.json.attachments[0].tile.id)).json.tile).toMatchObject({ title: "tide.csv", type: "DOCUMENT" });
  const { "body-plain": _plain, "stripped-text": _stripped, ...html } = MAILGUN;
  expect(await read(await postForm(path, html))).toMatchObject({ rawContent: "The office opens at nine." });
  expect(await read(await postForm(path, { recipient: "notes@example.com", "body-mime": POSTFIX_MAIL }))).toMatchObject({
    title: "Grüße vom Leuchtturm",
  });
});

test("a form with a file alone makes a tile of the file, with the title of the form", async () => {
  const answer = await postMultipart(await createPath(), { title: "Tides", file: new File(["a,b\n1,2\n"], "t.csv", { type: "text/csv" }) });
  expect(await read(answer)).toMatchObject({ title: "Tides", type: "DOCUMENT" });
});

test("a file that is too large is a result of its own, and the rest of the message is kept", async () => {
  const path = await createPath();
  const answer = await postMultipart(path, {
    text: "kept",
    one: new File([new Uint8Array(1_000_001)], "large.bin"),
    two: new File([], "empty.txt"),
    three: new File(["fine"], "fine.txt", { type: "text/plain" }),
  });
  expect(answer.json.attachments).toMatchObject([
    { error: "The file is too large. The maximum is 1,000,000 bytes.", code: "too_large", status: 413 },
    { error: "file must not be empty.", status: 400 },
    { created: true },
  ]);
  expect((await create()).status).toBe(200);
});

const multipart = (depth: number): string =>
  Array.from({ length: depth }, (_, n) => `Content-Type: multipart/mixed; boundary="b${n}"\r\n\r\n--b${n}\r\n`).join("");

test("hostile e-mails are refused or read within bounds, and others go on meanwhile", async () => {
  const path = await createPath();
  const headers = Array.from({ length: 10_000 }, (_, n) => `X-Header-${n}: ${n}`).join("\r\n");
  const broken = "Subject: s\r\nContent-Transfer-Encoding: base64\r\n\r\n%%%not base64!!SGk=====\r\n";
  const parts = `Subject: many\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${"--b\r\nContent-Disposition: attachment\r\n\r\nx\r\n".repeat(10_000)}--b--\r\n`;
  const nested = "Content-Type: message/rfc822\r\n\r\n".repeat(2_000);
  const hostile = {
    deep: multipart(5_000),
    headers: `Subject: fine\r\n${headers}\r\n\r\ntext`,
    longHeaders: `X: ${"a".repeat(2_000_000)}\r\n\r\ntext`,
    broken,
    parts,
    nested,
    lines: `Subject: lines\r\n\r\n${"\n".repeat(3_000_000)}end`,
    binary: Buffer.from(Array.from({ length: 100_000 }, (_, n) => (n * 7) % 256)),
  };
  const answers = Object.fromEntries(
    await Promise.all(Object.entries(hostile).map(async ([name, mail]) => [name, await postMail(path, mail as string)] as const)),
  );
  const statuses = Object.fromEntries(Object.entries(answers).map(([name, { status }]) => [name, status]));
  expect(statuses).toMatchObject({ deep: 400, headers: 200, longHeaders: 400, broken: 200, parts: 200 });
  expect(
    Object.values(statuses).every((status) => status === 200 || status === 400),
    JSON.stringify(statuses),
  ).toBe(true);
  const { attachments } = answers.parts!.json;
  expect(attachments.filter(({ created }: { created?: boolean }) => created === true).length).toBe(50);
  expect(attachments[50]).toMatchObject({
    error: "The message has 10,000 files. The first 50 are stored, and the others left out.",
    status: 400,
  });
  expect((await post(path, { content: "still here" })).status).toBe(200);
});
