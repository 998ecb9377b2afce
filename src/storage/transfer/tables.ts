/** How a value stands in a row: text without NUL, a whole number, true or false, bytes as base64. Every kind may be null. */
export type Kind = "text" | "number" | "flag" | "bytes";

/** One table in the form that both storages share; names are PostgreSQL's. */
export type Table = {
  readonly name: string;
  readonly columns: Readonly<Record<string, Kind>>;
  /** The columns that SQLite reads its rows in the order of, so that a copy goes on after the last row that arrived. */
  readonly key: readonly string[];
  /** Where SQLite reads it from, with the columns that it calls or counts differently. */
  readonly sqlite: { readonly from: string; readonly as: Readonly<Record<string, string>> };
  /** The same for PostgreSQL. */
  readonly postgres: { readonly from: string; readonly as: Readonly<Record<string, string>> };
  /** Where PostgreSQL writes it to, a target column by its expression; the table of its name with the same columns where it is left out. */
  readonly into?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Columns of the target besides those, by their expressions. */
  readonly besides?: Readonly<Record<string, string>>;
  /** The column that PostgreSQL numbers by itself. */
  readonly numbered?: string;
  /** Most rows read from PostgreSQL at once, so that the largest of them fit into memory. */
  readonly page: number;
};

type Details = Partial<Omit<Table, "sqlite" | "postgres">> & {
  readonly sqlite?: Partial<Table["sqlite"]>;
  readonly postgres?: Partial<Table["postgres"]>;
};

const LARGE_PAGE = 500;
/** A tile's two texts, or an answer kept for a replay, may have several megabytes. */
const SMALL_PAGE = 20;

const table = (name: string, columns: Readonly<Record<string, Kind>>, { sqlite, postgres, ...details }: Details = {}): Table => ({
  name,
  columns,
  key: ["business_id", "id"],
  page: LARGE_PAGE,
  sqlite: { from: name, as: {}, ...sqlite },
  postgres: { from: name, as: {}, ...postgres },
  ...details,
});

const TIMES = { created_at: "number", updated_at: "number", deleted_at: "number" } as const;
const OF_BUSINESS = { business_id: "text", id: "text" } as const;
const OF_INDEX = { business_id: "text", board_number: "number" } as const;
const OWNER = { business_id: "(SELECT business_id FROM board WHERE board.number = board_number)" };
const milliseconds = (column: string): string => `floor(extract(epoch FROM ${column}) * 1000)::bigint`;

/** What a job's tries come to: the first claim leaves `retry_count` at 0, and those counted in `released` were none. */
const RELEASED = "(j.data ->> 'released')::int";
const JOB_AS = {
  business_id: "t.business_id",
  tile_id: "t.id",
  board_id: "j.data ->> 'boardId'",
  host: "coalesce(j.group_id, '')",
  run_at: milliseconds("j.start_after"),
  attempts: `j.retry_count + (j.started_on IS NOT NULL)::int - ${RELEASED}`,
  max_attempts: `j.retry_limit + 1 - ${RELEASED}`,
  created_at: milliseconds("j.created_on"),
};

const BOARD_COLUMNS = {
  ...OF_BUSINESS,
  number: "number",
  name: "text",
  slug: "text",
  is_default: "flag",
  version: "number",
  revision: "number",
  zone_revision: "number",
  next_sequence: "number",
  ...TIMES,
} as const;
const INDEX_COUNTERS = ["next_document", "documents", "total_length"] as const;

const same = (names: readonly string[]): Record<string, string> => Object.fromEntries(names.map((name) => [name, `"${name}"`]));

/**
 * Every table that is moved or backed up, in the order in which they are written. `allowance` is left out: it counts the calls of
 * the current minute.
 */
export const TABLES: readonly Table[] = [
  table("business", { id: "text", name: "text", created_at: "number" }, { key: ["id"] }),
  table(
    "board",
    { ...BOARD_COLUMNS, next_document: "number", documents: "number", total_length: "number" },
    {
      key: ["number"],
      postgres: {
        from: "board b LEFT JOIN board_index i ON i.business_id = b.business_id AND i.board_number = b.number",
        as: { business_id: "b.business_id", ...Object.fromEntries(INDEX_COUNTERS.map((name) => [name, `coalesce(i.${name}, 0)`])) },
      },
      into: {
        board: same(Object.keys(BOARD_COLUMNS)),
        board_index: { ...same(["business_id", ...INDEX_COUNTERS]), board_number: "number" },
      },
    },
  ),
  table("zone", {
    ...OF_BUSINESS,
    board_id: "text",
    name: "text",
    sort_order: "number",
    connected_to_chat: "flag",
    color: "text",
    emoji: "text",
    size: "text",
    version: "number",
    ...TIMES,
  }),
  table(
    "tile",
    {
      ...OF_BUSINESS,
      board_id: "text",
      zone_id: "text",
      sequence: "number",
      type: "text",
      status: "text",
      title: "text",
      title_by_hand: "flag",
      text_by_hand: "flag",
      is_indexed: "flag",
      is_announced: "flag",
      source_url: "text",
      external_id: "text",
      sort_order: "number",
      version: "number",
      ...TIMES,
      deleted_with: "text",
      error: "text",
      metadata: "text",
      warnings: "text",
      raw_content: "text",
      extracted_text: "text",
    },
    { sqlite: { as: { is_indexed: "indexed", is_announced: "announced" } }, page: SMALL_PAGE },
  ),
  table("api_key", {
    ...OF_BUSINESS,
    name: "text",
    prefix: "text",
    hash: "text",
    board_id: "text",
    permission: "text",
    expires_at: "number",
    last_used_at: "number",
    revoked_at: "number",
    created_by: "text",
    created_at: "number",
  }),
  table(
    "once",
    { business_id: "text", api_key_id: "text", path: "text", key: "text", request_hash: "text", body: "text", expires_at: "number" },
    { key: ["business_id", "api_key_id", "path", "key"], page: SMALL_PAGE },
  ),
  table("webhook", {
    ...OF_BUSINESS,
    url: "text",
    events: "text",
    sealed_secret: "text",
    sealed_previous: "text",
    previous_until: "number",
    created_at: "number",
    updated_at: "number",
  }),
  table(
    "delivery",
    {
      ...OF_BUSINESS,
      number: "number",
      webhook_id: "text",
      event: "text",
      url: "text",
      status: "text",
      payload: "text",
      body: "text",
      response_status: "number",
      response_start: "text",
      error: "text",
      duration_ms: "number",
      created_at: "number",
      sent_at: "number",
    },
    {
      key: ["number"],
      sqlite: { as: { number: "rowid" } },
      // Whoever was sending it sends from another storage, so that it is lost from the start.
      besides: { sending_until: "CASE WHEN status = 'sending' THEN 0 END" },
      numbered: "number",
    },
  ),
  table(
    "audit",
    { business_id: "text", number: "number", actor: "text", action: "text", subject: "text", at: "number" },
    { key: ["number"], numbered: "number" },
  ),
  table(
    "chunk",
    { ...OF_INDEX, document: "number", tile_id: "text", start_at: "number", end_at: "number", length: "number" },
    { key: ["board_number", "document"], sqlite: { as: { ...OWNER, start_at: "start", end_at: '"end"' } } },
  ),
  table(
    "posting_block",
    { ...OF_INDEX, block: "number", live: "number", dead: "bytes" },
    { key: ["board_number", "block"], sqlite: { as: OWNER } },
  ),
  table(
    "posting",
    { ...OF_INDEX, block: "number", term: "text", entries: "bytes" },
    { key: ["board_number", "block", "term"], sqlite: { as: OWNER } },
  ),
  table(
    "job",
    {
      business_id: "text",
      tile_id: "text",
      board_id: "text",
      host: "text",
      run_at: "number",
      attempts: "number",
      max_attempts: "number",
      created_at: "number",
    },
    {
      key: ["business_id", "tile_id"],
      sqlite: { from: "job WHERE EXISTS (SELECT 1 FROM tile WHERE tile.business_id = job.business_id AND tile.id = job.tile_id)" },
      postgres: { from: "tile t JOIN pgboss.job j ON j.name = 'ingest' AND j.id = t.job_id", as: JOB_AS },
    },
  ),
];
