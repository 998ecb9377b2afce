import type { Check, Requirement } from "../../requirement.ts";
import { equal, holds, isRefused, isStatus, objectIn } from "../../expect.ts";
import type { Probe } from "../../probe.ts";
import { NO_ID, VIDEO_URL } from "../spec/shapes.ts";

const section = "Requests and errors";
const UNICODE = "content must be valid Unicode without NUL.";

const post = (t: Probe, rest: string, body: unknown) => t.call("POST", `/api/board/${t.board.id}/${rest}`, { body });
const inbound = (t: Probe, body: object) => t.call("POST", "/api/inbound/tiles", { body });

const messagesOfMissingFields: Check = async (t) => {
  // A blank string and null count as missing, the field left out all the more.
  for (const value of [undefined, null, "", " \t\n "]) {
    isRefused(await post(t, "zones", { name: value }), 400, "name is required.");
    isRefused(await post(t, "tiles", { content: value }), 400, "content is required.");
    isRefused(await post(t, "ask", { question: value }), 400, "question is required.");
    isRefused(await inbound(t, { board_id: value, content: "x" }), 400, "board_id is required.");
    isRefused(await inbound(t, { board_id: t.board.id, content: value, url: value }), 400, "Either content or url must be provided.");
  }
  isRefused(await t.call("GET", `/api/board/${t.board.id}/ask`), 400, "question is required.");
  isRefused(await t.call("GET", `/api/board/${t.board.id}/ask?q=%20`), 400, "question is required.");
};

export const valueRequirements: readonly Requirement[] = [
  {
    id: "D-028",
    section,
    statement: "Missing, null and blank required fields: `name is required.` and its kin, `Either content or url must be provided.`",
    check: messagesOfMissingFields,
  },
  {
    id: "D-029",
    section,
    statement: "Both url and content: 400 `Provide either content or url, not both.`",
    check: async function bothHasItsMessage(t) {
      isRefused(await inbound(t, { board_id: t.board.id, content: "x", url: VIDEO_URL }), 400, "Provide either content or url, not both.");
    },
  },
  {
    id: "D-030",
    section,
    statement: "A zone of another board, or of none: 400 `The zone does not belong to this board.`",
    check: async function foreignZoneHasItsMessage(t) {
      const foreign = await t.zone({}, (await t.otherBoard()).id);
      for (const zone of [foreign.id, NO_ID]) {
        isRefused(await post(t, "tiles", { content: "x", zone_id: zone }), 400, "The zone does not belong to this board.");
        isRefused(await inbound(t, { board_id: t.board.id, content: "x", zone_id: zone }), 400, "The zone does not belong to this board.");
      }
    },
  },
  {
    id: "D-031",
    section,
    statement: '`connected_to_chat must be a boolean.`; the strings "true" and "false" count as booleans.',
    check: async function booleansAreRead(t) {
      const { id } = await t.zone();
      const patch = (value: unknown) => t.call("PATCH", `/api/board/zones/${id}`, { body: { connected_to_chat: value } });
      for (const value of [1, 0, "yes", [], {}]) isRefused(await patch(value), 400, "connected_to_chat must be a boolean.");
      for (const [value, wanted] of [
        ["false", false],
        ["true", true],
        [false, false],
        [true, true],
      ] as const) {
        equal(objectIn(await patch(value), "zone")["connectedToChat"], wanted, `connectedToChat after ${JSON.stringify(value)}`);
      }
    },
  },
  {
    id: "D-032",
    section,
    statement: "null for connected_to_chat means absent and leaves it alone.",
    check: async function nullIsNotFalse(t) {
      const { id } = await t.zone({ connected_to_chat: true });
      equal(
        objectIn(await t.call("PATCH", `/api/board/zones/${id}`, { body: { connected_to_chat: null } }), "zone")["connectedToChat"],
        true,
        "connectedToChat",
      );
    },
  },
  {
    id: "D-033",
    section,
    statement: "A url must be http or https (without a scheme it gets https://) and carry no credentials.",
    check: async function urlsAreChecked(t) {
      const send = (url: unknown) => inbound(t, { board_id: t.board.id, url });
      for (const url of ["ftp://example.com/x", "javascript:alert(1)", "file:///etc/passwd", "mailto:a@example.com"]) {
        isRefused(await send(url), 400, "url must be an http or https address.");
      }
      for (const url of ["https://user:word@example.com/", "https://user@example.com/"])
        isRefused(await send(url), 400, "url must not carry credentials.");
      const tile = t.made(await send("www.youtube.com/watch?v=dQw4w9WgXcQ"), "tile");
      await t.call("DELETE", `/api/board/tiles/${tile.id}`);
      equal([tile["type"], tile["status"]], ["YOUTUBE", "processing"], "type and status of an address without a scheme");
    },
  },
  {
    id: "D-034",
    section,
    statement: "A literal address inside the network is refused at once: `url points inside the network.`",
    check: async function innerAddressesAreRefused(t) {
      for (const url of [
        "http://10.0.0.1/",
        "http://192.168.1.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::1]:1/",
        "http://2130706433:1/",
        "http://0x7f.1:1/",
        "http://[::ffff:10.0.0.1]/",
        "http://0.0.0.0:1/",
        "http://[fd00::1]/",
      ]) {
        isRefused(await inbound(t, { board_id: t.board.id, url }), 400, "url points inside the network.");
      }
    },
  },
  {
    id: "D-035",
    section,
    statement: "NUL and lone surrogates: 400 `content must be valid Unicode without NUL.`",
    check: async function badUnicodeIsRefused(t) {
      for (const bad of ["a\\u0000b", "a\\ud800b", "a\\udc00"]) {
        isRefused(await t.call("POST", `/api/board/${t.board.id}/tiles`, { raw: `{"content":"${bad}"}` }), 400, UNICODE);
        isRefused(await t.call("POST", "/api/inbound/tiles", { raw: `{"board_id":"${t.board.id}","content":"${bad}"}` }), 400, UNICODE);
        isRefused(await t.call("POST", `/api/board/${t.board.id}/zones`, { raw: `{"name":"${bad}"}` }), 400, /^name /);
        isRefused(await t.call("POST", `/api/board/${t.board.id}/tiles`, { raw: `{"content":"x","title":"${bad}"}` }), 400, /^title /);
      }
      const { id } = await t.tile();
      isRefused(await t.call("PATCH", `/api/board/tiles/${id}`, { raw: '{"content":"\\u0000"}' }), 400, UNICODE);
    },
  },
  {
    id: "D-036",
    section,
    statement: "A field of the wrong type is 400 and the message names the field first.",
    check: async function wrongTypesAreRefused(t) {
      isRefused(await post(t, "zones", { name: 7 }), 400, /^name /);
      isRefused(await post(t, "zones", { name: ["x"] }), 400, /^name /);
      isRefused(await post(t, "tiles", { content: { a: 1 } }), 400, /^content /);
      isRefused(await post(t, "tiles", { content: "x", title: 5 }), 400, /^title /);
      isRefused(await post(t, "ask", { question: [] }), 400, /^question /);
    },
  },
  {
    id: "D-037",
    section,
    statement: "Unknown fields are ignored.",
    check: async function unknownFieldsAreIgnored(t) {
      const zone = await t.zone({ id: "mine", nonsense: { deep: [1] }, sortorder: -1, createdAt: "x" });
      holds(zone.id !== "mine", "the caller's id was taken");
      const tile = await t.tile({ status: "failed", type: "YOUTUBE", nonsense: null });
      equal([tile["type"], tile["status"]], ["TEXT", "ready"], "type and status");
      isStatus(await t.call("PATCH", `/api/board/zones/${zone.id}`, { body: { nonsense: true } }), 200);
      isStatus(await t.call("PATCH", `/api/board/tiles/${tile.id}`, { body: {} }), 200);
    },
  },
  {
    id: "D-038",
    section,
    statement: "The camelCase twin of a snake_case field is accepted.",
    check: async function twinsAreAccepted(t) {
      const zone = await t.zone({ connectedToChat: false });
      equal(zone["connectedToChat"], false, "connectedToChat of a create");
      equal(
        objectIn(await t.call("PATCH", `/api/board/zones/${zone.id}`, { body: { connectedToChat: true } }), "zone")["connectedToChat"],
        true,
        "connectedToChat",
      );
      equal((await t.tile({ zoneId: zone.id }))["zoneId"], zone.id, "zoneId");
      const tile = t.made(await inbound(t, { boardId: t.board.id, zoneId: zone.id, externalId: t.nonce(), content: "x" }), "tile");
      const listed = await t.call("GET", `/api/board/${t.board.id}/tiles`, { query: { zone_id: zone.id } });
      holds(listed.text.includes(tile.id), "the inbound tile is not in the zone that zoneId named");
    },
  },
  {
    id: "D-039",
    section,
    statement: "null for an optional field means absent; in a PATCH it clears color, emoji and zone_id and leaves the rest alone.",
    check: async function nullClearsOrLeaves(t) {
      const zone = await t.zone({ color: "teal", emoji: "🌱", size: null, connected_to_chat: null });
      equal(
        [zone["color"], zone["emoji"], zone["size"], zone["connectedToChat"]],
        ["teal", "🌱", "md", true],
        "color, emoji, size, connectedToChat",
      );
      const cleared = objectIn(
        await t.call("PATCH", `/api/board/zones/${zone.id}`, { body: { color: null, emoji: null, name: null, size: null } }),
        "zone",
      );
      equal(
        [cleared["color"], cleared["emoji"], cleared["name"], cleared["size"]],
        [null, null, zone["name"], "md"],
        "color, emoji, name, size",
      );
      const tile = await t.tile({ title: null, zone_id: null, content: "Kept" });
      equal([tile["title"], tile["zoneId"]], ["Untitled note", null], "title and zoneId");
      const left = objectIn(await t.call("PATCH", `/api/board/tiles/${tile.id}`, { body: { title: null, content: null } }), "tile");
      equal([left["title"], left["extractedText"]], ["Untitled note", "Kept"], "title and extractedText");
    },
  },
  {
    id: "D-040",
    section,
    statement: "A blank title on create counts as absent; a blank title or content in a PATCH is 400 (`title must not be blank.`).",
    check: async function blankTitles(t) {
      const { id, title } = await t.tile({ title: "   " });
      equal(title, "Untitled note", "title");
      for (const blank of ["", " \n"]) {
        isRefused(await t.call("PATCH", `/api/board/tiles/${id}`, { body: { title: blank } }), 400, "title must not be blank.");
        isRefused(await t.call("PATCH", `/api/board/tiles/${id}`, { body: { content: blank } }), 400, /^content /);
      }
    },
  },
  {
    id: "D-041",
    section: "Requests and errors › Limits",
    statement: "Zone name 200, title 500, content 1,000,000, question 4,000 and url 2,048 characters (code points), not one more.",
    check: async function lengthsAreBounded(t) {
      equal((await t.zone({ name: "😀".repeat(200) }))["name"], "😀".repeat(200), "a name of 200 characters");
      isRefused(await post(t, "zones", { name: "n".repeat(201) }), 400, /^name /);
      await t.tile({ title: "😀".repeat(500) });
      isRefused(await post(t, "tiles", { content: "x", title: "t".repeat(501) }), 400, /^title /);
      const { id } = await t.tile({ content: "😀".repeat(1_000_000) });
      await t.call("DELETE", `/api/board/tiles/${id}`);
      isRefused(await post(t, "tiles", { content: "c".repeat(1_000_001) }), 400, /^content /);
      isStatus(await post(t, "ask", { question: "q".repeat(4000) }), 200);
      isRefused(await post(t, "ask", { question: "q".repeat(4001) }), 400, /^question /);
      isRefused(await inbound(t, { board_id: t.board.id, url: `https://example.com/${"u".repeat(2048)}` }), 400, "url is too long.");
    },
  },
];
