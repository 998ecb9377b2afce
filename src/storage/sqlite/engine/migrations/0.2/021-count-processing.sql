-- Counts the tiles that are being read without looking at their rows, however many wait.
DROP INDEX tile_processing;
CREATE INDEX tile_processing ON tile (business_id, id) WHERE status = 'processing' AND deleted_at IS NULL;
