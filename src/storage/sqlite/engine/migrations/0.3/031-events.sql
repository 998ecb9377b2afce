-- The change feed. An event is written in the transaction of its change, without a position. The sequencer gives committed events
-- consecutive positions, so that readers see them in order, whenever their transactions were committed.
CREATE TABLE event (
  number INTEGER PRIMARY KEY,
  business_id TEXT NOT NULL,
  board_id TEXT NOT NULL,
  event TEXT NOT NULL,
  payload TEXT NOT NULL,
  at INTEGER NOT NULL,
  position INTEGER
) STRICT;
CREATE INDEX event_waiting ON event (number) WHERE position IS NULL;
CREATE UNIQUE INDEX event_by_position ON event (business_id, position) WHERE position IS NOT NULL;

-- The last position, and the last one that was erased.
CREATE TABLE feed (only_one INTEGER PRIMARY KEY CHECK (only_one = 1), position INTEGER NOT NULL, erased INTEGER NOT NULL) STRICT;
INSERT INTO feed (only_one, position, erased) VALUES (1, 0, 0);
