import { assertError, assertMatch, assertStatus } from "../../expect.ts";
import type { JsonObject } from "../../expect.ts";
import type { Reply } from "../../http.ts";
import type { Probe } from "../../probe.ts";
import { defineRequirements } from "../../requirement.ts";

/** Posts to the address of the run, as a sender without a key does. */
const post = (t: Probe, raw: string | Uint8Array, type: string): Promise<Reply> =>
  t.call("POST", new URL(t.option("inboundUrl")).pathname, { raw, headers: { "content-type": type }, key: null });

const postJson = (t: Probe, body: unknown): Promise<Reply> => post(t, JSON.stringify(body), "application/json");

async function readMade(t: Probe, reply: Reply): Promise<JsonObject> {
  return t.read("tile", t.created(reply, "tile").id);
}

export const inboundAddressRequirements = defineRequirements("Inbound addresses", {
  "A-901": {
    statement: "JSON with the documented fields of the inbound call creates a tile on the board of the address.",
    check: async function addressTakesInboundFields(t) {
      const tile = await readMade(t, await postJson(t, { content: "From an address", title: "Sent" }));
      assertMatch(tile, { boardId: t.board.id, title: "Sent", extractedText: "From an address" }, "the tile");
    },
  },
  "A-902": {
    statement:
      "Otherwise the first absolute address under url, link, href, permalink_url or html_url becomes a link; title, subject or name is its title.",
    check: async function addressTakesAddresses(t) {
      const sent = {
        text: "not this",
        html_url: "https://example.com/second",
        link: "https://example.com/first",
        url: "/relative",
        subject: "Named",
      };
      assertMatch(await readMade(t, await postJson(t, sent)), { sourceUrl: "https://example.com/first", title: "Named" }, "the tile");
    },
  },
  "A-903": {
    statement: "Without an address, the first text under content, text, body, message or description becomes the text.",
    check: async function addressTakesTexts(t) {
      const tile = await readMade(t, await postJson(t, { description: "later", message: "first", name: "Named" }));
      assertMatch(tile, { extractedText: "first", title: "Named", type: "TEXT" }, "the tile");
    },
  },
  "A-904": {
    statement: "Form fields and text/plain are taken as well.",
    check: async function addressTakesFormsAndText(t) {
      const form = new URLSearchParams({ text: "A & B" }).toString();
      assertMatch(await readMade(t, await post(t, form, "application/x-www-form-urlencoded")), { extractedText: "A & B" }, "the form");
      assertMatch(await readMade(t, await post(t, "Plain", "text/plain")), { extractedText: "Plain" }, "the text");
    },
  },
  "A-905": {
    statement: "Of an e-mail (message/rfc822) the subject becomes the title, and the text or the cleaned HTML the content.",
    check: async function addressTakesMail(t) {
      const mail = (type: string, text: string) => `Subject: Tides\r\nContent-Type: ${type}; charset=utf-8\r\n\r\n${text}\r\n`;
      const plain = await readMade(t, await post(t, mail("text/plain", "High at noon."), "message/rfc822"));
      assertMatch(plain, { title: "Tides", extractedText: "High at noon." }, "the tile");
      const html = await readMade(t, await post(t, mail("text/html", "<style>p{}</style><p>Low at six.</p>"), "message/rfc822"));
      assertMatch(html, { title: "Tides", extractedText: "Low at six." }, "the tile");
    },
  },
  "A-906": {
    statement: "A request with nothing usable returns 400, which lists the fields that were received.",
    check: async function nothingUsableIs400(t) {
      assertError(await postJson(t, { foo: 1, bar: "" }), 400, /foo.*bar/);
    },
  },
  "A-907": {
    statement: "An unknown token returns 404.",
    check: async function unknownTokenIs404(t) {
      const { pathname } = new URL(t.option("inboundUrl"));
      const unknown = pathname.replace(/.{8}$/, "AAAAAAAA");
      assertStatus(await t.call("POST", unknown, { body: { content: "x" }, key: null }), 404);
    },
  },
  "A-908": {
    statement:
      "With signature, a request whose HMAC-SHA256 does not match returns 401. 60 requests a minute; the token never appears in logs.",
    unchecked: "addresses are made by members who are logged in",
  },
});
