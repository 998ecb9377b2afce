import { expect, it } from "vitest";
import { readMail } from "#ingest/read/mail/mail.ts";

const PART = "--b\r\nContent-Disposition: attachment\r\n\r\nx\r\n";

it("an e-mail passes on its first 50 files, and the number of all", async () => {
  const picture = "--b\r\nContent-Type: image/png\r\nContent-ID: <logo>\r\nContent-Disposition: inline\r\n\r\nx\r\n";
  const mail = `Content-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>Hi<img src="cid:logo">\r\n${picture}--b--\r\n`;
  expect(await readMail(Buffer.from(mail))).toMatchObject({ text: "Hi", files: [], fileCount: 0 });
  const many = await readMail(Buffer.from(`Content-Type: multipart/mixed; boundary=b\r\n\r\n${PART.repeat(10_000)}--b--\r\n`));
  expect([many.files.length, many.fileCount]).toEqual([50, 10_000]);
});
