ALTER TABLE chunk RENAME COLUMN sentence_signatures TO sentence_embeddings;
ALTER TABLE passage_block RENAME COLUMN signatures TO embeddings;

-- Versions of blocks of vectors are numbers that the writer chooses, as on SQLite.
ALTER TABLE passage_block ALTER COLUMN version DROP IDENTITY;

-- Terms are ordered by their bytes, as on SQLite, so that those with a prefix are a range of the key. Only the index is written again.
ALTER TABLE posting ALTER COLUMN term TYPE TEXT COLLATE "C";

-- Nodes claim tiles to embed them, and to index long ones.
ALTER TABLE embedding RENAME TO tile_claim;
