-- The caller's own tags and properties, as JSON; null stands for none.
ALTER TABLE tile ADD COLUMN tags TEXT;
ALTER TABLE tile ADD COLUMN properties TEXT;

-- Finds tiles by their tags and properties. Deleted tiles keep their labels, so that a restored tile has them. Labels are ordered by their
-- bytes, as on SQLite.
CREATE TABLE tile_label (
  business_id TEXT NOT NULL,
  board_number INTEGER NOT NULL,
  label TEXT NOT NULL COLLATE "C",
  sequence BIGINT NOT NULL,
  PRIMARY KEY (business_id, board_number, label, sequence)
);
