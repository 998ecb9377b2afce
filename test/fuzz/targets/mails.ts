import { IngestError } from "#domain/content/job.ts";
import { readMail } from "#ingest/read/mail/mail.ts";
import { HTML_MAIL, POSTFIX_MAIL } from "../../api/inbound/support/samples.ts";
import { mutateBytes, mutateText } from "../support/mutate.ts";
import { expectKind, type Target } from "../support/target.ts";

const MAX_READ_MS = 5_000;

/** E-mails, changed in their text and in their bytes. */
export const mails: Target = {
  name: "mails",
  testRounds: 2_000,
  open: async () => ({
    async round(random) {
      const mail = random.pick([POSTFIX_MAIL, HTML_MAIL]);
      const bytes = random.chance(0.5) ? Buffer.from(mutateText(mail, random)) : mutateBytes(Buffer.from(mail), random);
      const started = performance.now();
      try {
        const { text, subject } = await readMail(bytes);
        if (!text.isWellFormed() || !subject.isWellFormed()) throw new Error("The text is not well-formed.");
      } catch (error) {
        expectKind(error, IngestError);
      }
      const took = performance.now() - started;
      if (took > MAX_READ_MS) throw new Error(`An e-mail took ${took.toFixed(0)} ms.`);
    },
    close: async () => {},
  }),
};
