-- The caller's own tags and properties, as JSON; null stands for none.
ALTER TABLE tile ADD COLUMN tags TEXT;
ALTER TABLE tile ADD COLUMN properties TEXT;

-- Finds tiles by their tags and properties. Deleted tiles keep their labels, so that a restored tile has them.
CREATE TABLE tile_label (
  board_number INTEGER NOT NULL,
  label TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  PRIMARY KEY (board_number, label, sequence)
) STRICT, WITHOUT ROWID;
