import type { Environment } from "../../../e2e/support/process.ts";
import { serveArticle, startOrigin } from "../../../support/servers/origin.ts";
import type { Install, Session } from "../install.ts";

/** The host of the links below; `FETCH_ROUTES` routes it to a server of the test. */
const FARO = "https://www.faro-harbour.example";

const ZONES = [
  { name: "Research", emoji: "🔭", color: "blue", size: "md" },
  { name: "Interviews", emoji: "🎙️", color: "green", size: "md" },
  { name: "Drafts", emoji: "✏️", color: "yellow", size: "md", connected_to_chat: false },
  { name: "Someday", emoji: null, color: null, size: "md" },
];
const TEXTS: readonly (readonly [number, string, string])[] = [
  [
    0,
    "Opening hours of the museum",
    "The museum opens on Sundays between May and September, from ten to four. Groups ring the harbour office first.",
  ],
  [
    0,
    "How the lens was made",
    "# The lens\n\nThe lens was **ground in Paris** and weighs four tonnes.\n\n- 30 km of light\n- one turn in eight seconds\n\n> It was carried up in eleven pieces.\n\nThe drawings are kept [in the archive](https://archive.example/lens).",
  ],
  [
    1,
    "Talk with the last keeper",
    "We trimmed the lamp every evening before the ships came in. In the winter of 1911 it was kept burning by hand for six nights.",
  ],
  [
    1,
    "Talk with the harbour master",
    "Thirty boats a day in summer, four in winter. The dredging is done in spring, when the storms are over.",
  ],
  [2, "Opening paragraph", "There is a house on the northern rock that has not slept since 1874."],
  [
    2,
    "A very long title which somebody pasted whole out of a newspaper, and which has to end somewhere before the card does",
    "A short text.",
  ],
];

/** Fills the default board with zones, texts, a readable page and a failing one. Returns the board's id. */
export async function fillHarbour(install: Install, session: Session): Promise<string> {
  const boardId = await install.defaultBoard(session);
  const zoneIds: string[] = [];
  for (const zone of ZONES) zoneIds.push((await install.call(session, "POST", `/api/board/${boardId}/zones`, zone)).zone.id);
  for (const [zone, title, content] of TEXTS)
    await install.call(session, "POST", `/api/board/${boardId}/tiles`, { title, content, zone_id: zoneIds[zone] });
  await install.call(session, "POST", `/api/board/${boardId}/tiles`, { content: "A note that is in no zone yet." });
  const { key } = await install.call(session, "POST", "/api/settings/keys", { name: "n8n: saved links", permission: "inbound" });
  for (const path of ["lighthouse", "missing"]) {
    await fetch(`${install.url}/api/inbound/tiles`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": key },
      body: JSON.stringify({ board_id: boardId, zone_id: zoneIds[0], url: `${FARO}/${path}` }),
    });
  }
  await install.call(session, "POST", "/api/board/boards", { name: "Reading list" });
  return boardId;
}

/** The server for the links above, and the environment an install needs to reach it. */
export async function startFaro(): Promise<{ readonly environment: Environment; close(): Promise<void> }> {
  const origin = await startOrigin((request, response) => {
    if (request.url !== "/missing") return serveArticle(request, response);
    response.writeHead(404, { "content-type": "text/html" }).end("<p>Gone.</p>");
  });
  return {
    environment: { FETCH_ALLOW: `127.0.0.1:${origin.port}`, FETCH_ROUTES: `${FARO}=${origin.url}`, INGEST_ATTEMPTS: "1" },
    close: origin.close,
  };
}
