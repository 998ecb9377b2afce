import { TILE_COLUMN_KINDS } from "../sql/tiles/tile-columns.ts";
import { SMALL_PAGE, type Table, bytes, flag, eachByName, number, table, text } from "./table.ts";

const TIMES = number("created_at", "updated_at", "deleted_at");
const BUSINESS_COLUMNS = text("business_id", "id");
const INDEX_COLUMNS = { ...text("business_id"), ...number("board_number") };
/** In SQLite, index tables have no business id, so it is looked up by board number. */
const BUSINESS_OF_BOARD = { business_id: "(SELECT business_id FROM board WHERE board.number = board_number)" };

const BOARD = {
  ...BUSINESS_COLUMNS,
  ...text("name", "slug"),
  ...flag("is_default"),
  ...number("number", "version", "revision", "zone_revision", "next_sequence"),
  ...TIMES,
};
const JOB = {
  ...BUSINESS_COLUMNS,
  ...text("board_id", "tile_id", "kind", "host"),
  ...number("run_at", "attempts", "max_attempts", "created_at"),
};
const INDEX_COUNTERS = ["next_document", "documents", "total_length"] as const;

/**
 * All tables that are migrated or backed up, in write order. Excluded is temporary or local data: `epoch` identifies the history of one
 * database, `secret_key` recognises the key of one installation, `allowance` counts the calls of the current minute, `log_in_throttle`
 * counts failed log-ins of the last hours, `embedding` and `progress` describe running work, `index_repair` describes one file,
 * `thumbnail` is a cache, and `backup_schedule` and `backup_run` belong to one machine.
 */
export const TABLES: readonly Table[] = [
  table("business", { ...text("id", "name"), ...number("created_at") }, { key: ["id"] }),
  table(
    "board",
    { ...BOARD, ...number(...INDEX_COUNTERS) },
    {
      key: ["number"],
      postgres: {
        from: "board b LEFT JOIN board_index i ON i.business_id = b.business_id AND i.board_number = b.number",
        as: { business_id: "b.business_id", ...Object.fromEntries(INDEX_COUNTERS.map((name) => [name, `coalesce(i.${name}, 0)`])) },
      },
      into: {
        board: eachByName(Object.keys(BOARD)),
        board_index: { ...eachByName(["business_id", ...INDEX_COUNTERS]), board_number: "number" },
      },
    },
  ),
  table("zone", {
    ...BUSINESS_COLUMNS,
    ...text("board_id", "name", "color", "emoji", "size"),
    ...flag("connected_to_chat"),
    ...number("sort_order", "version"),
    ...TIMES,
  }),
  table(
    "tile",
    {
      ...TILE_COLUMN_KINDS,
      ...text("deleted_with"),
      ...flag("is_indexed", "is_embedded", "is_announced"),
      ...number("board_revision", "refresh_at", "deleted_at"),
    },
    { sqlite: { as: { is_indexed: "indexed", is_embedded: "embedded", is_announced: "announced" } }, page: SMALL_PAGE },
  ),
  table("deletion", { ...text("business_id", "board_id", "hash"), ...number("deleted_at") }, { key: ["business_id", "board_id", "hash"] }),
  table(
    "file_part",
    { ...text("business_id", "tile_id"), ...number("part", "created_at"), ...bytes("bytes") },
    { key: ["business_id", "tile_id", "part"], page: SMALL_PAGE },
  ),
  table(
    "generation",
    {
      ...BUSINESS_COLUMNS,
      ...text("board_id", "endpoint", "asset_type", "status", "title", "tile_id", "created_by", "once_key", "lease"),
      ...text("request", "result", "error"),
      ...number("lease_until", "created_at", "updated_at"),
    },
    { page: SMALL_PAGE },
  ),
  table("idea", { ...BUSINESS_COLUMNS, ...text("board_id", "generation_id") }),
  table("api_key", {
    ...BUSINESS_COLUMNS,
    ...text("name", "prefix", "hash", "board_id", "permission", "created_by"),
    ...number("expires_at", "last_used_at", "revoked_at", "budget", "created_at"),
  }),
  table("member", { ...BUSINESS_COLUMNS, ...text("email", "role", "password"), ...number("last_seen_at", "created_at", "updated_at") }),
  table("session", { ...BUSINESS_COLUMNS, ...text("member_id", "hash", "agent"), ...number("created_at", "last_seen_at", "expires_at") }),
  table("invitation", { ...BUSINESS_COLUMNS, ...text("email", "role", "hash", "created_by"), ...number("created_at", "expires_at") }),
  table("claim", { ...text("business_id", "hash"), ...number("expires_at") }, { key: ["business_id", "hash"] }),
  table(
    "usage",
    { ...text("business_id", "api_key_id", "endpoint"), ...number("day", "calls", "input_tokens", "output_tokens") },
    { key: ["business_id", "api_key_id", "day", "endpoint"] },
  ),
  table(
    "once",
    { ...text("business_id", "api_key_id", "path", "key", "request_hash", "body"), ...number("expires_at", "bytes") },
    { key: ["business_id", "api_key_id", "path", "key"], page: SMALL_PAGE },
  ),
  table("webhook", {
    ...BUSINESS_COLUMNS,
    ...text("url", "events", "sealed_secret", "sealed_previous"),
    ...number("previous_until", "created_at", "updated_at"),
  }),
  table(
    "delivery",
    {
      ...BUSINESS_COLUMNS,
      ...text("webhook_id", "event", "url", "status", "payload", "body", "response_start", "error"),
      ...number("number", "response_status", "duration_ms", "created_at", "sent_at"),
    },
    {
      key: ["number"],
      sqlite: { as: { number: "rowid" } },
      // The sender works on the source database, so the delivery counts as lost here.
      additional: { sending_until: "CASE WHEN status = 'sending' THEN 0 END" },
      sequence: "number",
    },
  ),
  table(
    "audit",
    { ...text("business_id", "actor", "action", "subject"), ...number("number", "at") },
    { key: ["number"], sequence: "number" },
  ),
  table(
    "chunk",
    { ...INDEX_COLUMNS, ...text("tile_id"), ...number("document", "start_at", "end_at", "length"), ...bytes("sentence_signatures") },
    { key: ["board_number", "document"], sqlite: { as: { ...BUSINESS_OF_BOARD, start_at: "start", end_at: '"end"' } } },
  ),
  table(
    "posting_block",
    { ...INDEX_COLUMNS, ...number("block", "live"), ...bytes("dead") },
    { key: ["board_number", "block"], sqlite: { as: BUSINESS_OF_BOARD } },
  ),
  table(
    "passage_block",
    { ...INDEX_COLUMNS, ...number("block", "width"), ...bytes("signatures") },
    { key: ["board_number", "block"], sqlite: { as: BUSINESS_OF_BOARD }, page: SMALL_PAGE },
  ),
  table(
    "index_rebuild",
    { ...text("business_id", "board_id"), ...number("before_sequence", "first_document") },
    { key: ["business_id", "board_id"] },
  ),
  table("vector_reset", { ...text("business_id", "board_id"), ...number("before_sequence") }, { key: ["business_id", "board_id"] }),
  table("vector_model", { ...text("model"), ...flag("is_on") }, { key: ["model"] }),
  table(
    "posting",
    { ...INDEX_COLUMNS, ...number("block"), ...text("term"), ...bytes("entries") },
    { key: ["board_number", "block", "term"], sqlite: { as: BUSINESS_OF_BOARD } },
  ),
  // Running jobs are due again. A business is due at once, which the next claim corrects.
  table("job", JOB, { into: { job: eachByName(Object.keys(JOB)), due_business: { business_id: "business_id", due_at: "0" } } }),
];
