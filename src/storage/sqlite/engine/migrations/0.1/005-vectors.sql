-- From this version on a text's terms are made in a new way, so every ready tile waits for the search index again.
DELETE FROM posting;
DELETE FROM posting_block;
DELETE FROM chunk;
UPDATE board SET next_document = 0, documents = 0, total_length = 0;
UPDATE tile SET indexed = 0 WHERE status = 'ready' AND deleted_at IS NULL;

-- `embedded` is 0 while an indexed tile's passages wait for their vectors.
ALTER TABLE tile ADD COLUMN embedded INTEGER NOT NULL DEFAULT 0;
CREATE INDEX tile_unembedded ON tile (business_id, board_id, sequence)
  WHERE embedded = 0 AND indexed = 1 AND status = 'ready' AND deleted_at IS NULL;

-- Vectors are kept as their sign bits: those of a chunk's sentences one after the other, null where it has none, and those of the
-- passages themselves a block at a time, each at its slot, zeros where a slot has none.
ALTER TABLE chunk ADD COLUMN sentence_signatures BLOB;
CREATE TABLE passage_block (
  board_number INTEGER NOT NULL,
  block INTEGER NOT NULL,
  signatures BLOB NOT NULL,
  PRIMARY KEY (board_number, block)
) STRICT;

-- The model whose vectors are stored, and whether it is in use; at most one row.
CREATE TABLE vector_model (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  model TEXT NOT NULL,
  is_on INTEGER NOT NULL
) STRICT;
