/** Requests in the shape in which well-known senders send them, written by hand. */

/** An "issues" event of GitHub, shortened. */
export const GITHUB_ISSUE = {
  action: "opened",
  issue: {
    url: "https://api.github.com/repos/octo-org/harbour/issues/17",
    repository_url: "https://api.github.com/repos/octo-org/harbour",
    html_url: "https://github.com/octo-org/harbour/issues/17",
    id: 1_296_269,
    number: 17,
    title: "The tide table is off by an hour",
    user: { login: "ada", html_url: "https://github.com/ada", type: "User" },
    labels: [],
    state: "open",
    body: "Since Sunday every time is an hour early.",
  },
  repository: { id: 35_129_377, name: "harbour", full_name: "octo-org/harbour", html_url: "https://github.com/octo-org/harbour" },
  sender: { login: "ada", url: "https://api.github.com/users/ada", html_url: "https://github.com/ada" },
};

/** The "ping" of a new GitHub webhook, which names the address that it posts to. */
export const githubPing = (url: string) => ({
  zen: "Design for failure.",
  hook_id: 42,
  hook: {
    type: "Repository",
    id: 42,
    name: "web",
    active: true,
    events: ["issues"],
    config: { content_type: "json", insecure_ssl: "0", url },
  },
});

/** A response of Typeform. */
export const TYPEFORM = {
  event_id: "LtWXD3crgy",
  event_type: "form_response",
  form_response: {
    form_id: "lT4Z3j",
    token: "a3a12ec67a1365927098a606107fac15",
    submitted_at: "2026-01-18T18:17:02Z",
    definition: {
      id: "lT4Z3j",
      title: "Webhooks example",
      fields: [{ id: "DlXFaesGBpoF", title: "What should we know?", type: "long_text" }],
    },
    answers: [
      { type: "text", text: "The light turns clockwise.", field: { id: "DlXFaesGBpoF", type: "long_text" } },
      { type: "number", number: 5, field: { id: "SMEUb7VJz92Q", type: "rating" } },
      { type: "text", text: "It was painted in 1999.", field: { id: "RUqkXSeXBXSd", type: "short_text" } },
    ],
  },
};

/** An event in the shape of Stripe: what happened is in `data.object`. */
export const STRIPE_LIKE = {
  id: "evt_1NG8Du2eZvKYlo2CUI79vXWy",
  object: "event",
  type: "invoice.paid",
  data: { object: { id: "in_1", object: "invoice", amount_paid: 1_000, description: "Mooring fee for berth 4, June", name: "Berth 4" } },
};

/** An outgoing webhook of Slack. */
export const SLACK = {
  token: "XXXXXXXXXXXXXXXXXXXXXXXX",
  team_id: "T0001",
  team_domain: "example",
  channel_id: "C2147483705",
  channel_name: "harbour",
  timestamp: "1355517523.000005",
  user_id: "U2147483697",
  user_name: "Steve",
  text: "note: the ferry leaves at noon",
  trigger_word: "note:",
};

/** The fields of an e-mail that Mailgun forwards. */
export const MAILGUN = {
  recipient: "notes@example.com",
  sender: "ada@example.com",
  subject: "Re: Opening hours",
  from: "Ada <ada@example.com>",
  "body-plain": "The office opens at nine.\r\n\r\n> When do you open?",
  "stripped-text": "The office opens at nine.",
  "body-html": "<p>The office opens at nine.</p>",
  timestamp: "1767225600",
  token: "c0ffee",
  signature: "beef",
  "attachment-count": "1",
  "message-headers": '[["From","Ada <ada@example.com>"]]',
};

const lines = (...parts: readonly string[]): string => parts.join("\r\n");

/** An e-mail as a pipe of Postfix has it: a line of a mailbox, headers of the server, an encoded subject, an alternative and a file. */
export const POSTFIX_MAIL = lines(
  "From ada@example.com  Thu Jan  1 10:00:00 2026",
  "Return-Path: <ada@example.com>",
  "X-Original-To: notes@example.net",
  "Delivered-To: notes@example.net",
  "Received: from mail.example.com (mail.example.com [192.0.2.1])",
  "\tby mx.example.net (Postfix) with ESMTPS id 4Xyz",
  "\tfor <notes@example.net>; Thu,  1 Jan 2026 10:00:00 +0000 (UTC)",
  "From: =?utf-8?B?QWRh?= <ada@example.com>",
  "To: notes@example.net",
  "Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe_vom_Leuchtturm?=",
  "Message-ID: <1@example.com>",
  "MIME-Version: 1.0",
  'Content-Type: multipart/mixed; boundary="outer"',
  "",
  "This is a multi-part message in MIME format.",
  "--outer",
  'Content-Type: multipart/alternative; boundary="inner"',
  "",
  "--inner",
  "Content-Type: text/plain; charset=iso-8859-1",
  "Content-Transfer-Encoding: quoted-printable",
  "",
  "Der Leuchtturm =F6ffnet um neun.",
  "--inner",
  "Content-Type: text/html; charset=utf-8",
  "",
  "<p>Der Leuchtturm <b>öffnet</b> um neun.</p>",
  "--inner--",
  "--outer",
  'Content-Type: text/plain; name="tide.txt"',
  'Content-Disposition: attachment; filename="tide.txt"',
  "Content-Transfer-Encoding: base64",
  "",
  "SGlnaCB0aWRlIGF0IG5vb24u",
  "--outer--",
  "",
);

/** A newsletter: HTML alone, with a picture of its own, styles and a script. */
export const HTML_MAIL = lines(
  "From: news@example.com",
  "Subject: June at the harbour",
  "MIME-Version: 1.0",
  'Content-Type: multipart/related; boundary="rel"',
  "",
  "--rel",
  "Content-Type: text/html; charset=utf-8",
  "",
  "<html><head><style>p { color: red }</style><title>x</title></head><body><script>alert(1)</script>",
  '<table><tr><td><h1>June</h1><p>The ferry runs <b>every hour</b> in June.</p><img src="cid:logo"></td></tr></table></body></html>',
  "--rel",
  "Content-Type: image/png; name=logo.png",
  "Content-ID: <logo>",
  "Content-Disposition: inline; filename=logo.png",
  "Content-Transfer-Encoding: base64",
  "",
  "iVBORw0KGgo=",
  "--rel--",
  "",
);
