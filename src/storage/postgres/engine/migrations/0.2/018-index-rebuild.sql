-- Boards whose search index is built anew: tiles up to `until_sequence` are marked as not indexed, in the order of `sequence`, and after
-- them everything before `first_document` is erased.
CREATE TABLE index_rebuild (
  business_id TEXT NOT NULL,
  board_id TEXT NOT NULL,
  after_sequence BIGINT NOT NULL,
  until_sequence BIGINT NOT NULL,
  first_document BIGINT NOT NULL,
  PRIMARY KEY (business_id, board_id)
);
