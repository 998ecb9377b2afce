import { TILE_COLUMN_KINDS } from "../sql/tiles/rows/tile-columns.ts";
import { SMALL_PAGE, type Table, bytesColumns, flagColumns, numberColumns, table, textColumns } from "./table.ts";

const TIMES = numberColumns("created_at", "updated_at", "deleted_at");
const BUSINESS_COLUMNS = textColumns("business_id", "id");
const INDEX_COLUMNS = { ...textColumns("business_id"), ...numberColumns("board_number") };
/** The rows of the index have no business in a SQLite file, so it is looked up by the number of the board. */
const BUSINESS_OF_BOARD = { business_id: "(SELECT business_id FROM board WHERE board.number = board_number)" };

/**
 * All tables that are migrated or backed up, in write order. Excluded is temporary or local data: `epoch` identifies the history of one
 * database, `secret_key` recognises the key of one installation, `allowance` counts the calls of the current minute, `log_in_throttle`
 * counts failed log-ins of the last hours, `tile_claim` and `progress` describe running work, `index_repair` describes one file,
 * `thumbnail` is a cache, and `backup_schedule` and `backup_run` belong to one machine.
 */
export const TABLES: readonly Table[] = [
  table("business", { ...textColumns("id", "name"), ...numberColumns("created_at") }, { key: ["id"] }),
  table(
    "board",
    {
      ...BUSINESS_COLUMNS,
      ...textColumns("name", "slug"),
      ...flagColumns("is_default"),
      ...numberColumns("number", "version", "revision", "zone_revision", "next_sequence"),
      ...TIMES,
    },
    { key: ["number"] },
  ),
  table("zone", {
    ...BUSINESS_COLUMNS,
    ...textColumns("board_id", "name", "color", "emoji", "size"),
    ...flagColumns("connected_to_chat"),
    ...numberColumns("sort_order", "version"),
    ...TIMES,
  }),
  table(
    "tile",
    {
      ...TILE_COLUMN_KINDS,
      ...textColumns("deleted_with"),
      ...flagColumns("is_indexed", "is_embedded", "is_announced"),
      ...numberColumns("board_revision", "refresh_at", "deleted_at"),
    },
    { page: SMALL_PAGE },
  ),
  table(
    "tile_label",
    { ...INDEX_COLUMNS, ...textColumns("label"), ...numberColumns("sequence") },
    { key: ["board_number", "label", "sequence"], onSqlite: BUSINESS_OF_BOARD },
  ),
  table(
    "deletion",
    { ...textColumns("business_id", "board_id", "hash"), ...numberColumns("deleted_at") },
    { key: ["business_id", "board_id", "hash"] },
  ),
  table(
    "file_part",
    { ...textColumns("business_id", "tile_id"), ...numberColumns("part", "created_at"), ...bytesColumns("bytes") },
    { key: ["business_id", "tile_id", "part"], page: SMALL_PAGE },
  ),
  table(
    "generation",
    {
      ...BUSINESS_COLUMNS,
      ...textColumns("board_id", "endpoint", "asset_type", "status", "title", "tile_id", "created_by", "once_key", "lease"),
      ...textColumns("request", "result", "error"),
      ...numberColumns("lease_until", "created_at", "updated_at"),
    },
    { page: SMALL_PAGE },
  ),
  table("idea", { ...BUSINESS_COLUMNS, ...textColumns("board_id", "generation_id") }),
  table("api_key", {
    ...BUSINESS_COLUMNS,
    ...textColumns("name", "prefix", "hash", "board_id", "permission", "created_by"),
    ...flagColumns("webhooks"),
    ...numberColumns("expires_at", "last_used_at", "revoked_at", "budget", "created_at"),
  }),
  table("inbound_address", {
    ...BUSINESS_COLUMNS,
    ...textColumns("name", "board_id", "zone_id", "tags", "hash", "signature", "sealed_secret", "created_by"),
    ...numberColumns("created_at", "last_used_at"),
  }),
  table("member", {
    ...BUSINESS_COLUMNS,
    ...textColumns("email", "role", "password"),
    ...numberColumns("last_seen_at", "created_at", "updated_at"),
  }),
  table("session", {
    ...BUSINESS_COLUMNS,
    ...textColumns("member_id", "hash", "agent"),
    ...numberColumns("created_at", "last_seen_at", "expires_at"),
  }),
  table("invitation", {
    ...BUSINESS_COLUMNS,
    ...textColumns("email", "role", "hash", "created_by"),
    ...numberColumns("created_at", "expires_at"),
  }),
  table("claim", { ...textColumns("business_id", "hash"), ...numberColumns("expires_at") }, { key: ["business_id", "hash"] }),
  table(
    "usage",
    { ...textColumns("business_id", "api_key_id", "endpoint"), ...numberColumns("day", "calls", "input_tokens", "output_tokens") },
    { key: ["business_id", "api_key_id", "day", "endpoint"] },
  ),
  table(
    "once",
    { ...textColumns("business_id", "api_key_id", "path", "key", "request_hash", "body"), ...numberColumns("expires_at", "bytes") },
    { key: ["business_id", "api_key_id", "path", "key"], page: SMALL_PAGE },
  ),
  table("webhook", {
    ...BUSINESS_COLUMNS,
    ...textColumns("url", "events", "sealed_secret", "sealed_previous"),
    ...flagColumns("retries"),
    ...numberColumns("previous_until", "created_at", "updated_at"),
  }),
  table("subscription", {
    ...BUSINESS_COLUMNS,
    ...textColumns(
      "url",
      "events",
      "board_id",
      "zone_ids",
      "types",
      "tags",
      "properties",
      "description",
      "status",
      "paused_reason",
      "key_id",
      "created_by",
    ),
    ...textColumns("sealed_secret", "sealed_previous"),
    ...flagColumns("include_tile", "retries"),
    ...numberColumns("previous_until", "failures", "failing_since", "last_delivery_at", "created_at", "updated_at"),
  }),
  table(
    "delivery",
    {
      ...BUSINESS_COLUMNS,
      ...textColumns("webhook_id", "subscription_id", "event", "url", "status", "payload", "body", "response_start", "error", "attempts"),
      ...numberColumns("number", "response_status", "duration_ms", "created_at", "sent_at", "sending_until"),
      ...numberColumns("attempt", "max_attempts", "retry_at"),
    },
    { key: ["number"], sequence: "number" },
  ),
  table(
    "event",
    { ...textColumns("business_id", "board_id", "event", "payload", "properties"), ...numberColumns("number", "at", "position") },
    { key: ["number"], sequence: "number" },
  ),
  table("feed", numberColumns("only_one", "position", "erased"), { key: ["only_one"] }),
  table(
    "audit",
    { ...textColumns("business_id", "actor", "action", "subject"), ...numberColumns("number", "at") },
    { key: ["number"], sequence: "number" },
  ),
  table(
    "board_index",
    { ...INDEX_COLUMNS, ...numberColumns("next_document", "documents", "total_length") },
    { key: ["business_id", "board_number"] },
  ),
  table(
    "chunk",
    {
      ...INDEX_COLUMNS,
      ...textColumns("tile_id"),
      ...numberColumns("document", "start_at", "end_at", "length"),
      ...bytesColumns("sentence_embeddings"),
    },
    { key: ["board_number", "document"], onSqlite: BUSINESS_OF_BOARD },
  ),
  table(
    "posting_block",
    { ...INDEX_COLUMNS, ...numberColumns("block", "live"), ...bytesColumns("dead") },
    { key: ["board_number", "block"], onSqlite: BUSINESS_OF_BOARD },
  ),
  table(
    "passage_block",
    { ...INDEX_COLUMNS, ...numberColumns("block", "version", "width"), ...bytesColumns("embeddings") },
    { key: ["board_number", "block"], onSqlite: BUSINESS_OF_BOARD, page: SMALL_PAGE },
  ),
  table(
    "index_rebuild",
    { ...textColumns("business_id", "board_id"), ...numberColumns("before_sequence", "first_document") },
    { key: ["business_id", "board_id"] },
  ),
  table(
    "vector_reset",
    { ...textColumns("business_id", "board_id"), ...numberColumns("before_sequence") },
    { key: ["business_id", "board_id"] },
  ),
  table("vector_model", { ...textColumns("model"), ...flagColumns("is_on") }, { key: ["model"] }),
  table(
    "posting",
    { ...INDEX_COLUMNS, ...numberColumns("block"), ...textColumns("term"), ...bytesColumns("entries") },
    { key: ["board_number", "block", "term"], onSqlite: BUSINESS_OF_BOARD },
  ),
  // A job that runs is due again when its lease is over.
  table(
    "job",
    {
      ...BUSINESS_COLUMNS,
      ...textColumns("board_id", "tile_id", "host", "lease"),
      ...numberColumns("number", "run_at", "attempts", "max_attempts", "lease_until", "created_at"),
    },
    { key: ["number"], sequence: "number" },
  ),
  table("due_business", { ...textColumns("business_id"), ...numberColumns("due_at", "turn") }, { key: ["business_id"] }),
];
