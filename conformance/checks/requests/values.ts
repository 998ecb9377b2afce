import { type Check, defineRequirements } from "../../requirement.ts";
import { assertMatch, assertEqual, assertError, getObject } from "../../expect.ts";
import type { Probe } from "../../probe.ts";
import { NO_ID, VIDEO_URL } from "../spec/shapes.ts";

const UNICODE = "content must be valid Unicode without NUL.";

/** Sends a body to a path of the board. */
export const post = (t: Probe, rest: string, body: unknown) => t.call("POST", `/api/board/${t.board.id}/${rest}`, { body });

/** Sends a body to the inbound call. */
export const inbound = (t: Probe, body: object) => t.call("POST", "/api/inbound/tiles", { body });

const missingFieldsAre400: Check = async (t) => {
  // A blank string and null count as missing, like an absent field.
  for (const value of [undefined, null, "", " \t\n "]) {
    assertError(await post(t, "zones", { name: value }), 400, "name is required.");
    assertError(await post(t, "tiles", { content: value }), 400, "content is required.");
    assertError(await post(t, "ask", { question: value }), 400, "question is required.");
    assertError(await inbound(t, { board_id: value, content: "x" }), 400, "board_id is required.");
    assertError(await inbound(t, { board_id: t.board.id, content: value, url: value }), 400, "Either content or url must be provided.");
  }
  assertError(await t.call("GET", `/api/board/${t.board.id}/ask`), 400, "question is required.");
  for (const query of ["?q=", "?q=%20", "?question=x"])
    assertError(await t.call("GET", `/api/board/${t.board.id}/ask${query}`), 400, "question is required.");
  assertError(await post(t, "ask", { q: "x" }), 400, "question is required.");
};

export const valueRequirements = defineRequirements("Requests and errors", {
  "D-028": {
    statement:
      "Missing, null and blank required fields return messages such as `name is required.` or `Either content or url must be provided.`",
    check: missingFieldsAre400,
  },
  "D-029": {
    statement: "A call with both url and content returns 400 `Provide either content or url, not both.`",
    check: async function contentAndUrlAre400(t) {
      assertError(
        await inbound(t, { board_id: t.board.id, content: "x", url: VIDEO_URL }),
        400,
        "Provide either content or url, not both.",
      );
    },
  },
  "D-030": {
    statement: "A zone of another board and an unknown zone return 400 `The zone does not belong to this board.`",
    check: async function foreignZoneIs400(t) {
      const foreign = await t.zone({}, (await t.otherBoard()).id);
      for (const zone of [foreign.id, NO_ID]) {
        assertError(await post(t, "tiles", { content: "x", zone_id: zone }), 400, "The zone does not belong to this board.");
        assertError(
          await inbound(t, { board_id: t.board.id, content: "x", zone_id: zone }),
          400,
          "The zone does not belong to this board.",
        );
      }
    },
  },
  "D-031": {
    statement: 'Invalid booleans return 400 `connected_to_chat must be a boolean.`; the strings "true" and "false" are accepted.',
    check: async function booleansAreValidated(t) {
      const { id } = await t.zone();
      const patch = (value: unknown) => t.call("PATCH", `/api/board/zones/${id}`, { body: { connected_to_chat: value } });
      for (const value of [1, 0, "yes", [], {}]) assertError(await patch(value), 400, "connected_to_chat must be a boolean.");
      for (const [value, wanted] of [
        ["false", false],
        ["true", true],
        [false, false],
        [true, true],
      ] as const) {
        assertEqual(getObject(await patch(value), "zone")["connectedToChat"], wanted, `connectedToChat after ${JSON.stringify(value)}`);
      }
    },
  },
  "D-032": {
    statement: "null for connected_to_chat leaves it unchanged.",
    check: async function nullLeavesConnectedToChat(t) {
      const { id } = await t.zone({ connected_to_chat: true });
      assertEqual((await t.change("zone", id, { connected_to_chat: null }))["connectedToChat"], true, "connectedToChat");
    },
  },
  "D-033": {
    statement: "A url must use http or https (https:// is added if it has no scheme) and must not contain credentials.",
    check: async function urlsAreValidated(t) {
      const send = (url: unknown) => inbound(t, { board_id: t.board.id, url });
      for (const url of ["ftp://example.com/x", "javascript:alert(1)", "http://", "file:///etc/passwd", "mailto:a@example.com"]) {
        assertError(await send(url), 400, "url must be an http or https address.");
      }
      for (const url of ["https://user:word@example.com/", "https://user@example.com/"])
        assertError(await send(url), 400, "url must not carry credentials.");
      const tile = t.created(await send(VIDEO_URL.replace("https://", "")), "tile");
      assertEqual((await t.read("tile", tile.id))["rawContent"], VIDEO_URL, "rawContent");
      await t.call("DELETE", `/api/board/tiles/${tile.id}`);
      assertMatch(tile, { type: "YOUTUBE", status: "processing" }, "an address without a scheme");
    },
  },
  "D-034": {
    statement: "A private IP address is rejected immediately with `url points inside the network.`",
    check: async function privateAddressesAreRejected(t) {
      for (const url of [
        "http://10.0.0.1/",
        "http://127.0.0.1/",
        "http://192.168.1.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::1]:1/",
        "http://2130706433:1/",
        "http://0x7f.1:1/",
        "http://[::ffff:10.0.0.1]/",
        "http://0.0.0.0:1/",
        "http://[fd00::1]/",
      ]) {
        assertError(await inbound(t, { board_id: t.board.id, url }), 400, "url points inside the network.");
      }
    },
  },
  "D-035": {
    statement: "NUL and lone surrogates return 400 `content must be valid Unicode without NUL.`",
    check: async function invalidUnicodeIsRejected(t) {
      for (const bad of ["a\\u0000b", "a\\ud800b", "a\\udc00"]) {
        assertError(await t.call("POST", `/api/board/${t.board.id}/tiles`, { raw: `{"content":"${bad}"}` }), 400, UNICODE);
        assertError(await t.call("POST", "/api/inbound/tiles", { raw: `{"board_id":"${t.board.id}","content":"${bad}"}` }), 400, UNICODE);
        assertError(await t.call("POST", `/api/board/${t.board.id}/zones`, { raw: `{"name":"${bad}"}` }), 400, /^name /);
        assertError(await t.call("POST", `/api/board/${t.board.id}/tiles`, { raw: `{"content":"x","title":"${bad}"}` }), 400, /^title /);
      }
      const { id } = await t.tile();
      assertError(await t.call("PATCH", `/api/board/tiles/${id}`, { raw: '{"content":"\\u0000"}' }), 400, UNICODE);
    },
  },
});
