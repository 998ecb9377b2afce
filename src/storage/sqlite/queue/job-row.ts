export type JobRow = {
  business_id: string;
  id: string;
  board_id: string;
  tile_id: string;
  host: string;
  attempts: number;
  max_attempts: number;
  crashes: number;
  suspect: number;
};

export const JOB_COLUMNS = "business_id, id, board_id, tile_id, host, attempts, max_attempts, crashes, suspect";
