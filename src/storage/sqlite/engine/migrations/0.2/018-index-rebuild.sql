-- Boards whose search index is built anew: tiles up to `until_sequence` are marked as not indexed, in the order of `sequence`, and after
-- them everything before `first_document` is erased.
CREATE TABLE index_rebuild (
  business_id TEXT NOT NULL,
  board_id TEXT NOT NULL,
  after_sequence INTEGER NOT NULL,
  until_sequence INTEGER NOT NULL,
  first_document INTEGER NOT NULL,
  PRIMARY KEY (business_id, board_id)
) STRICT, WITHOUT ROWID;

-- When a damaged index was last replaced, and whether its pages are lost until the file is rewritten. At most one row.
CREATE TABLE index_repair (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  repaired_at INTEGER NOT NULL,
  has_lost_pages INTEGER NOT NULL
) STRICT;
