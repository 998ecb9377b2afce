-- Boards whose search index is built anew: the tiles before `before_sequence` are still to be marked as not indexed, the newest first. When
-- none is left, what the index has before `first_document` is erased.
CREATE TABLE index_rebuild (
  business_id TEXT NOT NULL,
  board_id TEXT NOT NULL,
  before_sequence INTEGER NOT NULL,
  first_document INTEGER NOT NULL,
  PRIMARY KEY (business_id, board_id)
) STRICT, WITHOUT ROWID;

-- When a damaged index was last replaced, and the statements of its schema while that goes on. At most one row.
CREATE TABLE index_repair (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  repaired_at INTEGER NOT NULL,
  unfinished TEXT
) STRICT;
