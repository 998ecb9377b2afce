import type { Progress, Stage } from "#domain/content/progress.ts";

export type ProgressRow = {
  business_id: string;
  board_id: string;
  tile_id: string;
  stage: string;
  attempt: number;
  max_attempts: number;
  started_at: number;
};
export const PROGRESS_COLUMNS = "business_id, board_id, tile_id, stage, attempt, max_attempts, started_at";
export const progressOf = (row: ProgressRow): Progress => ({
  businessId: row.business_id,
  boardId: row.board_id,
  tileId: row.tile_id,
  stage: row.stage as Stage,
  attempt: row.attempt,
  maxAttempts: row.max_attempts,
  startedAt: row.started_at,
});
