-- Addresses for senders that can't set a header. Of the token in an address only the hash is kept; the secret of its signature is encrypted.
CREATE TABLE inbound_address (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  board_id TEXT NOT NULL,
  zone_id TEXT,
  tags TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  signature TEXT,
  sealed_secret TEXT,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  PRIMARY KEY (business_id, id)
) STRICT;
