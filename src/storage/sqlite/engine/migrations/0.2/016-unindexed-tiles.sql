-- Lists the newest unindexed tiles of a board, and those that feed chat, without reading the rows of the others. A row can be as long as
-- its text.
DROP INDEX tile_unindexed;
CREATE INDEX tile_unindexed ON tile (business_id, board_id, sequence, status, deleted_at, connected_to_chat, zone_id) WHERE indexed = 0;

-- Finds the blocks whose postings wait to be erased.
CREATE INDEX posting_block_dropped ON posting_block (board_number, block) WHERE live = -1;
