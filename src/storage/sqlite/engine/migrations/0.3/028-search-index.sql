-- The columns of the search index have the names that they have on PostgreSQL. Rows are not rewritten.
ALTER TABLE chunk RENAME COLUMN start TO start_at;
ALTER TABLE chunk RENAME COLUMN "end" TO end_at;
ALTER TABLE chunk RENAME COLUMN sentence_signatures TO sentence_embeddings;
ALTER TABLE passage_block RENAME COLUMN signatures TO embeddings;

-- Every write gives a block of vectors another version, by which processes know whether the one that they cache is still stored.
ALTER TABLE passage_block ADD COLUMN version INTEGER NOT NULL DEFAULT 0;

-- The counters of a board's index are apart from the board, so that indexing does not change the board.
CREATE TABLE board_index (
  business_id TEXT NOT NULL,
  board_number INTEGER NOT NULL,
  next_document INTEGER NOT NULL DEFAULT 0,
  documents INTEGER NOT NULL DEFAULT 0,
  total_length INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (business_id, board_number)
) STRICT, WITHOUT ROWID;
INSERT INTO board_index (business_id, board_number, next_document, documents, total_length)
  SELECT business_id, number, next_document, documents, total_length FROM board;
ALTER TABLE board DROP COLUMN next_document;
ALTER TABLE board DROP COLUMN documents;
ALTER TABLE board DROP COLUMN total_length;
