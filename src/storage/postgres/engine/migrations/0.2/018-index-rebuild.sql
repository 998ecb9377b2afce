-- Boards whose search index is built anew: the tiles before `before_sequence` are still to be marked as not indexed, the newest first. When
-- none is left, what the index has before `first_document` is erased.
CREATE TABLE index_rebuild (
  business_id TEXT NOT NULL,
  board_id TEXT NOT NULL,
  before_sequence BIGINT NOT NULL,
  first_document BIGINT NOT NULL,
  PRIMARY KEY (business_id, board_id)
);
